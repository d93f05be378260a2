internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest

/// Which files of a folder are the passes of a ShaderToy.
///
/// Names count in any case and with blanks, hyphens and underscores anywhere: `Image.glsl`, `Buffer A.glsl`, `bufferA.frag`, `buf_a.glsl`, `Common.glsl`,
/// `Cube A.glsl`, `Sound.glsl`. Buffers may have numbers: from 0 when there is a 0, otherwise from 1. Beside a buffer or a Common the image may be called
/// `main` or `shader`.
struct PassFiles {
  private var files: [ShaderToyProject.PassName: [String]] = [:]
  /// The number of buffer A.
  private let first: Int
  /// Shaders that are no pass.
  private var strangers: [String] = []

  private static let extensions = ["glsl", "frag", "fs"]
  private static let letters: [ShaderToyProject.PassName] = [.bufferA, .bufferB, .bufferC, .bufferD]
  private static let others: [String: ShaderToyProject.PassName] = [
    "image": .image, "mainimage": .image, "common": .common, "sound": .sound, "cubea": .cubemapA, "cubemapa": .cubemapA,
    "cubemap": .cubemapA, "cube": .cubemapA, "buffer": .bufferA, "buf": .bufferA,
  ]
  private static let weakImages: Set<String> = ["main", "shader"]

  init(_ names: [String]) {
    let words = names.compactMap { name in Self.word(of: name).map { (name: name, word: $0) } }
    let numbers = words.compactMap { Self.number(of: $0.word) }
    first = numbers.isEmpty || numbers.contains(0) ? 0 : 1
    for (name, word) in words {
      if let pass = Self.pass(word, first: first) { files[pass, default: []].append(name) } else { strangers.append(name) }
    }
    guard files[.image] == nil, !files.isEmpty else { return }
    let weak = words.filter { Self.weakImages.contains($0.word) }.map(\.name)
    if !weak.isEmpty { files[.image] = weak }
  }

  /// The file of a pass; nil when there is none.
  subscript(pass: ShaderToyProject.PassName) -> String? { files[pass]?.first }

  /// The passes for which there is more than one file.
  func diagnostics(_ folder: String) -> [Diagnostic] {
    ShaderToyProject.PassName.allCases.compactMap { pass in
      guard let names = files[pass], names.count > 1 else { return nil }
      let list = names.map { "'\($0)'" }.joined(separator: " and ")
      return Diagnostic(
        "shadertoy.pass-twice", "'\(folder.isEmpty ? "." : folder)' has \(names.count) files for the pass '\(pass.rawValue)': \(list)",
        help: ["rename the one that is not meant", "or name a file to render it alone"])
    }
  }

  /// The shaders that are no pass, and whose names are nearly that of one: each with the pass that may be meant.
  var nearMisses: [(file: String, meant: String)] {
    strangers.compactMap { name in
      let word = Self.word(of: name) ?? ""
      return NearestName.find(word, in: Self.usualWords).map { meant in (name, Self.pass(meant, first: 0)?.rawValue ?? meant) }
    }
  }

  private static let usualWords = ["image", "common", "sound", "buffera", "bufferb", "bufferc", "bufferd", "cubemapa"]

  // MARK: names

  /// Whether there is an image among files; `.fs` files are of ISF more often.
  static func haveImage(_ fileNames: some Collection<String>) -> Bool {
    let names = fileNames.filter { name in word(of: name) != nil && name.suffix(3).lowercased() != ".fs" }
    return !names.isEmpty && PassFiles(names)[.image] != nil
  }

  /// The pass that a name means beside these files: `Buffer A`, `buffer1.glsl`; nil for any other.
  func pass(named text: String) -> ShaderToyProject.PassName? {
    Self.pass(Self.word(of: text) ?? Self.letters(of: text), first: first)
  }

  private static func pass(_ word: String, first: Int) -> ShaderToyProject.PassName? {
    if let pass = others[word] { return pass }
    if let number = number(of: word) { return letters.indices.contains(number - first) ? letters[number - first] : nil }
    for start in ["buffer", "buf"] where word.count == start.count + 1 && word.hasPrefix(start) {
      return word.last.flatMap { "abcd".firstIndex(of: $0) }.map { letters["abcd".distance(from: "abcd".startIndex, to: $0)] }
    }
    return nil
  }

  private static func number(of word: String) -> Int? {
    for start in ["buffer", "buf"] where word.hasPrefix(start) && word.count == start.count + 1 { return Int(word.dropFirst(start.count)) }
    return nil
  }

  /// The letters and digits of a file name without its extension; nil for a file that is no shader.
  private static func word(of fileName: String) -> String? {
    guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")), dot != fileName.startIndex,
      extensions.contains(fileName[fileName.utf8.index(after: dot)...].lowercased())
    else { return nil }
    return letters(of: String(fileName[..<dot]))
  }

  private static func letters(of text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

  // MARK: Common

  /// The Common that lies beside a file which is named as a pass.
  static func common(beside text: SourceText, _ files: any FileProvider) throws(DiagnosticsError) -> [SourceText] {
    let folder = String(text.path[..<(text.path.lastIndex(of: "/").map { text.path.index(after: $0) } ?? text.path.startIndex)])
    let name = String(text.path.dropFirst(folder.count))
    let passFiles = PassFiles(files.names())
    guard passFiles.files.contains(where: { $0.key != .common && $0.value.contains(name) }),
      let common = passFiles[.common]
    else { return [] }
    do throws(FileError) {
      return [SourceText(path: folder + common, bytes: try files.bytes(at: common, atMost: 1 << 22))]
    } catch {
      throw DiagnosticsError(
        Diagnostic("shadertoy.unreadable-file", "cannot read '\(folder)\(common)', which is put in front of '\(name)'"))
    }
  }

  /// Whether a text includes another one itself, in a branch that may be compiled.
  static func includes(_ common: SourceText, in text: SourceText) -> Bool {
    let tokens = Lexer.tokens(of: text)
    let inactive = InactiveBranches(tokens)
    let file = common.path.split(separator: "/").last.map(String.init)
    return Directive.all(in: tokens).contains { directive in
      directive.name == "include" && !inactive.contains(directive.range.lowerBound)
        && IncludeExpander.name(in: directive, tokens)?.split(separator: "/").last.map(String.init) == file
    }
  }
}
