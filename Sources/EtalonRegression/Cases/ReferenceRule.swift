internal import EtalonComparison
internal import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
package import EtalonMedia

/// What the pictures of a case are compared with.
package enum ReferenceRule: Sendable, Hashable {
  /// Stored pictures: one for a case with one frame, a pattern with a place for the number for others. Any of them may be equal.
  case pictures([Picture])
  /// The same frames on another device.
  case device(GraphText.Word)
  /// Nothing: the case has invariants only, or none at all.
  case none

  /// A stored picture, or a sequence of them.
  package struct Picture: Sendable, Hashable {
    package let pattern: FramePattern
    /// Where it was named; nil for the name that follows from the case.
    package let written: GraphText.Word?
    /// The hash that the file must have; nil where nothing is said.
    package var hash: GraphText.Word?

    /// The file of a frame.
    ///
    /// - Parameter number: the number of the frame; of a time its place among the times, from 0.
    package func path(_ number: Int) -> String { pattern.path(frame: number) }

    /// The file of a frame that is meant for one kind of device only: `soft@llvmpipe.png`.
    package func path(_ number: Int, for key: ReferenceKey) -> String {
      let path = path(number)
      guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return "\(path)@\(key.text)" }
      return "\(path[..<dot])@\(key.text)\(path[dot...])"
    }
  }
}

extension ReferenceRule {
  /// Whether another device renders what is compared.
  var isDevice: Bool { if case .device = self { true } else { false } }

  /// What pictures of a case are compared as; PNG files may have more bits than the case says.
  func kinds(bits: Int) -> Set<ChannelKind> {
    switch self {
    case .none: return ChannelKind.levels
    case .device: return [bits == 16 ? .bits16 : .bits8]
    case .pictures(let pictures):
      return pictures.reduce(into: []) { kinds, picture in
        if picture.path(0).lowercased().hasSuffix(".exr") {
          kinds.insert(.floats)
        } else {
          kinds.formUnion(bits == 16 ? [.bits16] : ChannelKind.levels)
        }
      }
    }
  }
}

extension TestCase {
  /// Whether its references keep numbers as they are.
  var comparesFloats: Bool { reference.kinds(bits: bits) == [.floats] }
}

/// What stands behind `@` in the name of a reference: the device, the driver or the backend that it is for.
///
/// Only letters and digits count, and capitals do not: `soft@LLVMpipe (LLVM 15.0.6, 256 bits).png` is for the device of that name.
package struct ReferenceKey: Sendable, Hashable {
  /// Words of small letters and digits, with single dashes between them.
  package let text: String

  /// Nil for a text without letters and digits.
  package init?(_ text: String) {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard !words.isEmpty else { return nil }
    self.text = words.joined(separator: "-")
  }

  /// The key in the name of a special picture, and the path of the picture for all devices; nil for other paths.
  static func split(_ path: String) -> (common: String, key: ReferenceKey)? {
    guard let at = path.lastIndex(of: "@"), let dot = path[at...].lastIndex(of: "."), !path[at...].contains("/"),
      let key = ReferenceKey(String(path[path.index(after: at)..<dot]))
    else {
      return nil
    }
    return (String(path[..<at] + path[dot...]), key)
  }

  /// The backends, and how the names of drivers and devices begin that Vulkan knows.
  private static let knownWords: [String] =
    TestDevice.backends + [
      "adreno", "amd", "apple", "arm", "asahi", "broadcom", "dozen", "etalon", "geforce", "honeykrisp", "imagination", "intel", "lavapipe",
      "llvmpipe",
      "mali", "mesa", "microsoft", "moltenvk", "nvidia", "nvk", "panvk", "powervr", "qualcomm", "quadro", "radeon", "radv", "rtx",
      "samsung",
      "swiftshader", "tegra", "tesla", "turnip", "v3d", "v3dv", "venus", "verisilicon", "virtio", "vivante", "xclipse",
    ]

  /// Whether it looks like the name of a device: it begins as drivers and devices do.
  var isPlausible: Bool { text.split(separator: "-").first.map { Self.knownWords.contains(String($0)) } ?? false }

  /// The word that was probably meant.
  var nearest: String? { text.split(separator: "-").first.flatMap { NearestName.find(String($0), in: Self.knownWords) } }
}

// MARK: - reading 'reference' and 'also'

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
