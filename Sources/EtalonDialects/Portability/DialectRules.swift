internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

// MARK: - ShaderToy

/// Alpha that a ShaderToy text computes and that its player replaces by 1.
struct AlphaRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    guard subject.manifest.dialect == .shaderToy, subject.manifest.alpha == .opaque else { return [] }
    let shown = shownTexts(of: subject.manifest)
    for (text, tokens) in subject.texts.enumerated() where shown.contains(path(tokens)) {
      guard let main = FileScope(tokens).functions.first(where: { $0.name == "mainImage" && $0.body != nil }), let body = main.body,
        let name = main.parameters.first?.last.map({ tokens[$0].text }), let place = computedAlpha(of: name, in: body, tokens)
      else { continue }
      return [
        subject.note(
          "port.alpha", "'mainImage' computes an alpha, which a ShaderToy player replaces by 1", at: .init(text: text, token: place),
          "this alpha", help: ["'--alpha straight' or '--alpha premultiplied' keeps it"])
      ]
    }
    return []
  }

  /// The texts of the pass that gives the result; the buffer of a loose file that reads itself is shown, too.
  private func shownTexts(of manifest: FilterManifest) -> Set<String> {
    let images = manifest.passes.filter { $0.target == nil }
    let paths = images.flatMap { $0.source.pieces.compactMap { $0.origin?.source.path } }
    return Set(paths + paths.filter { $0.hasSuffix(LooseProject.copySuffix) }.map { String($0.dropLast(LooseProject.copySuffix.count)) })
  }

  private func path(_ tokens: [Token]) -> String { tokens.first { $0.origin != nil }?.origin?.source.path ?? "" }

  /// Where the alpha of a variable gets a value that is no plain number.
  private func computedAlpha(of name: String, in body: ClosedRange<Int>, _ tokens: [Token]) -> Int? {
    body.first { index in
      guard tokens[index].isName(name), let next = tokens.next(after: index) else { return false }
      if tokens[next].isMark("="), let value = tokens.next(after: next) {
        return tokens[value].isName("vec4") && isComputed(lastArgument(value, tokens), tokens)
      }
      guard tokens[next].isMark("."), let member = tokens.next(after: next), ["a", "w"].contains(tokens[member].text),
        let assignment = tokens.next(after: member), ["=", "*=", "+=", "-=", "/="].contains(tokens[assignment].text)
      else { return false }
      let value = tokens.next(after: assignment).map { [$0] } ?? []
      return !tokens[assignment].isMark("=") || isComputed(value, tokens)
    }
  }

  /// The last argument of `vec4(…)`; none when one argument fills the vector.
  private func lastArgument(_ constructor: Int, _ tokens: [Token]) -> [Int] {
    guard let open = tokens.next(after: constructor), tokens[open].isMark("("), let arguments = tokens.arguments(openedAt: open),
      arguments.count > 1
    else { return [] }
    return arguments[arguments.count - 1]
  }

  private func isComputed(_ value: [Int], _ tokens: [Token]) -> Bool {
    guard let first = value.first else { return false }
    return value.count > 1 || ![.integer, .float].contains(tokens[first].kind)
  }
}

/// Inputs that an export marks as sRGB: the site's player makes them linear when it reads them.
struct ColorSpaceRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    guard subject.manifest.dialect == .shaderToy, let file = subject.file, ShaderToyExport.recognizes(file),
      let root = JSONReader(tolerating: Set(JSONSlip.allCases)).read(file).value
    else { return [] }
    return marks(in: root).map {
      subject.note("port.srgb", "an input is marked as sRGB; its numbers are used here as they are in the file", at: $0, "marked as sRGB")
    }
  }

  private func marks(in value: LocatedJSON) -> [SourceRange] {
    let own = value["srgb"].flatMap { $0.content == .string("true") || $0.content == .bool(true) ? $0.place : nil }
    let inner = (value.members?.map(\.value) ?? []) + (value.elements ?? [])
    return [own].compactMap(\.self) + inner.flatMap(marks)
  }
}

/// Channels that read one buffer in different ways, which the site's player cannot.
struct SharedSamplerRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    guard subject.manifest.dialect == .shaderToy else { return [] }
    return subject.manifest.targets.compactMap { target in
      let readers = subject.manifest.passes.flatMap { pass in
        pass.textures.filter { $0.source == .target(target.name) }.map {
          (name: subject.title(ofPass: pass) + "." + $0.name, sampler: $0.sampler)
        }
      }
      guard Set(readers.map(\.sampler)).count > 1 else { return nil }
      return subject.note(
        "port.shared-sampler",
        "'\(subject.title(ofTarget: target.name))' is read in several ways; the site's player keeps one sampler with each buffer",
        at: target.place, "read by \(readers.map(\.name).joined(separator: ", "))")
    }
  }
}

// MARK: - ISF

/// Keys and names of the first version of ISF.
struct OldISFRule: PortabilityRule {
  private static let oldNames = ["vv_FragNormCoord": "isf_FragNormCoord", "vv_vertShaderInit": "isf_vertShaderInit"]

  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    guard subject.manifest.dialect == .isf else { return [] }
    return keys(subject) + names(subject)
  }

  private func keys(_ subject: PortabilitySubject) -> [Diagnostic] {
    guard let header = subject.isfHeader else { return [] }
    var notes: [Diagnostic] = []
    if let old = header.members?.first(where: { $0.key == "PERSISTENT_BUFFERS" }) {
      notes.append(
        subject.note(
          "port.isf-old-key", "'PERSISTENT_BUFFERS' belongs to the first version of ISF", at: old.keyPlace, "an old key",
          help: ["write \"PERSISTENT\": true into the pass that has the target"]))
    }
    let version = header["ISFVSN"]
    if version == nil || version?.content == .string("1") {
      notes.append(
        subject.note(
          "port.isf-version", "the header says that this is ISF 1, the version that hosts take for missing",
          at: version?.place ?? start(header),
          version == nil ? "no 'ISFVSN'" : "ISF 1", help: ["write \"ISFVSN\": \"2\""]))
    }
    return notes
  }

  private func start(_ header: LocatedJSON) -> SourceRange {
    let start = header.place.range.lowerBound
    return SourceRange(header.place.source, start..<start + 1)
  }

  private func names(_ subject: PortabilitySubject) -> [Diagnostic] {
    Self.oldNames.sorted { $0.key < $1.key }.compactMap { old, new in
      subject.firstUse(of: old).map {
        subject.note(
          "port.isf-old-name", "'\(old)' is a name of the first version of ISF", at: $0, "an old name", help: ["write '\(new)'"])
      }
    }
  }
}

/// Sound as a picture, which ISF hosts offer.
struct AudioRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    (subject.isfHeader?["INPUTS"]?.elements ?? []).compactMap { input in
      guard let type = input["TYPE"], [.string("audio"), .string("audioFFT")].contains(type.content) else { return nil }
      var name = "an input"
      if case .string(let text)? = input["NAME"]?.content { name = "'\(text)'" }
      return subject.note("port.audio", "\(name) is sound, which every host analyses in its own way", at: type.place, "sound")
    }
  }
}
