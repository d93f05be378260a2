internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia

/// Reads `reference` and `also`: stored pictures, or a device that renders what is compared.
struct ReferenceReader {
  let folder: String
  let moments: [TestCase.Moment]
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var files = NamedFiles()

  init(folder: String, moments: [TestCase.Moment]) { (self.folder, self.moments) = (folder, moments) }

  /// Nil where nothing is said.
  mutating func read(_ node: LocatedNode?, also: LocatedNode?) -> ReferenceRule? {
    let further = also.map { pictures($0, of: "also") } ?? []
    guard let node else {
      if let also {
        report("'also' names further pictures beside 'reference', which is not there", also, "further than what?", "write 'reference: …'")
      }
      return nil
    }
    if let text = node.scalar, !text.isEmpty, !text.contains("."), !text.contains("/") {
      if let also { report("another device is the reference, so that no picture can be approved", also, "means nothing", "leave it out") }
      return .device(GraphText.Word(text, at: node.place))
    }
    let all = pictures(node, of: "reference") + further
    refuseRepetition(all)
    return all.isEmpty ? nil : .pictures(all)
  }

  private mutating func pictures(_ node: LocatedNode, of key: String) -> [ReferenceRule.Picture] {
    switch node.content {
    case .sequence(let elements):
      // Nothing named is not the same as nothing said, which means the name of the case.
      if elements.isEmpty { report("'\(key)' names no picture", node, "empty", "write '\(key): soft.png', or leave it out") }
      return elements.flatMap { pictures($0, of: key) }
    case .scalar(let text) where !text.isEmpty: return [picture(GraphText.Word(text, at: node.place), hash: nil)].compactMap(\.self)
    default: return [described(node)].compactMap(\.self)
    }
  }

  private mutating func refuseRepetition(_ pictures: [ReferenceRule.Picture]) {
    var known: Set<String> = []
    for picture in pictures where !known.insert(NamedFiles.plain(picture.path(0))).inserted {
      guard let word = picture.written else { continue }
      report("'\(word.text)' is there twice", word, "again", "keep one of them")
    }
  }

  /// `{ file: soft.png, sha256: … }`.
  private mutating func described(_ node: LocatedNode) -> ReferenceRule.Picture? {
    var members = DocumentMembers(node, of: "'reference'", expected: "a picture or a device", example: "reference: soft.png")
    members.require("file", help: "write 'file: soft.png'")
    let (file, hash) = (members.word("file"), members.word("sha256"))
    if let hash, hash.text.utf8.count != 64 || !hash.text.allSatisfy(\.isHexDigit) {
      members.report("case.hash", "expected 64 hexadecimal digits", at: hash.place, "no hash", help: ["'sha256sum FILE' prints them"])
    }
    members.refuseOthers()
    diagnostics += members.diagnostics
    return file.flatMap { picture($0, hash: hash) }
  }

  private mutating func picture(_ word: GraphText.Word, hash: GraphText.Word?) -> ReferenceRule.Picture? {
    let path = word.text.hasPrefix("/") ? word.text : folder + word.text
    let pattern: FramePattern
    do throws(DiagnosticsError) { pattern = try FramePattern(path, option: "reference") } catch {
      diagnostics += error.diagnostics.map { Diagnostic($0.id, $0.message, labels: [word.label("not a name")], help: $0.help) }
      return nil
    }
    if !path.lowercased().hasSuffix(".png"), !path.lowercased().hasSuffix(".exr") {
      report(
        "'\(word.text)' is no name of a PNG or OpenEXR file", word, "neither .png nor .exr",
        "references are PNG, which keeps every level, or OpenEXR, which keeps every number")
    }
    if moments.count > 1, !pattern.hasNumber {
      report("\(moments.count) frames cannot have one reference", word, "no place for the number", "write 'reference: name.####.png'")
      return nil
    }
    if moments.count > 1, let hash { report("\(moments.count) frames cannot have one hash", hash, "of which of them", "leave it out") }
    let picture = ReferenceRule.Picture(pattern: pattern, written: word, hash: hash)
    for number in moments.numbers { files.add(reference: picture.path(number)) }
    return picture
  }

  private mutating func report(_ message: String, _ word: GraphText.Word, _ label: String, _ help: String) {
    diagnostics.append(Diagnostic("case.reference", message, labels: [word.label(label)], help: [help]))
  }

  private mutating func report(_ message: String, _ node: LocatedNode, _ label: String, _ help: String) {
    report(message, GraphText.Word("", at: node.place), label, help)
  }
}
