package import EtalonDiagnostics
internal import EtalonTypes

/// Follows a loose file to the passes that its directives name: `#iChannel0 "self"` and `#iChannel0 "file://buffer.glsl"`, as an editor extension that
/// previews ShaderToy files has them.
///
/// Every file is a pass, which runs after those that it names; where files name each other, one of them sees the frame before. A file that reads itself
/// is a buffer, whose picture is the result. Buffers hold floats and are read linearly and up to their edges, unless directives say otherwise.
package struct LooseProject {
  private static let buffers: [ShaderToyProject.PassName] = [.bufferA, .bufferB, .bufferC, .bufferD]
  /// The largest text of a pass, in bytes.
  private static let largestFile = 1 << 22
  private static let copy = "void mainImage(out vec4 color, in vec2 position) { color = texelFetch(iChannel0, ivec2(position), 0); }\n"

  /// What follows the path of a file that reads itself in the path of the copy that shows it.
  static let copySuffix = "#image"

  private let root: SourceText
  /// What stands in front of relative paths when people are told of them.
  private let folder: String
  private let files: any FileProvider
  /// The buffer that each file is, by its path.
  private var names: [String: ShaderToyProject.PassName] = [:]
  private var passes: [ShaderToyProject.Pass] = []
  private var diagnostics: [Diagnostic] = []

  /// - Parameter files: those of the folder of the loose file.
  package init(_ root: SourceText, files: any FileProvider) {
    self.root = root
    self.files = files
    folder = String(root.path[..<(root.path.lastIndex(of: "/").map { root.path.index(after: $0) } ?? root.path.startIndex)])
  }

  /// The project; nil when the file names no passes.
  package func read() throws(DiagnosticsError) -> ShaderToyProject? {
    var reader = self
    return try reader.followed()
  }

  private mutating func followed() throws(DiagnosticsError) -> ShaderToyProject? {
    let name = String(root.path.dropFirst(folder.count))
    guard !EditorChannels(Lexer.tokens(of: root)).channelsOfPasses.isEmpty else { return nil }
    let channels = channels(of: root, at: name)
    if let own = names[name] {
      let reader = (passes.flatMap(\.channels) + channels).first { $0.source == .target(own) }
      let place = reader?.place ?? SourceRange(root, 0..<0)
      // The copy reads single pixels, whatever the sampler is; another one would count as a second way of reading the buffer.
      let image = ShaderToyProject.Channel(
        index: 0, source: .target(own), sampler: reader?.sampler ?? Sampler(.nearest, .clamp), place: place)
      passes.append(.init(name: own, text: root, channels: channels, place: place))
      passes.append(.init(name: .image, text: SourceText(path: root.path + Self.copySuffix, text: Self.copy), channels: [image]))
    } else {
      passes.append(.init(name: .image, text: root, channels: channels))
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics.inOrderOfPlaces) }
    return ShaderToyProject(passes: passes, isConnected: false, mainPass: names[name] ?? .image)
  }

  /// What a file connects; the files that it names become passes in front of it.
  private mutating func channels(of text: SourceText, at path: String) -> [ShaderToyProject.Channel] {
    let tokens = Lexer.tokens(of: text)
    let editor = EditorChannels(tokens)
    var found: [String: ShaderToyProject.Channel] = [:]
    for (name, pass, place) in editor.channelsOfPasses {
      guard let target = target(pass, of: path, place), let index = ShaderToyUniforms.channels.firstIndex(of: name) else { continue }
      let sampler = editor.sampler(of: name, from: Sampler(.linear, .clamp))
      found[name] = ShaderToyProject.Channel(index: index, source: .target(target), sampler: sampler, place: place)
    }
    for (index, name) in ShaderToyUniforms.channels.enumerated() where found[name] == nil {
      guard let input = editor.channel(name, ShaderToyOptions())?.input, case .file(let picture, _) = input.origin else { continue }
      found[name] = ShaderToyProject.Channel(
        index: index, source: .file(Self.path(picture, from: path), .flat), sampler: input.sampler, isFlipped: input.isFlipped,
        place: input.place ?? SourceRange(text, 0..<0))
    }
    return found.values.sorted { $0.index < $1.index }
  }

  /// The buffer of a pass; reads its file when it was not met before.
  private mutating func target(_ pass: EditorChannels.Pass, of path: String, _ place: SourceRange) -> ShaderToyProject.PassName? {
    guard case .file(let named) = pass else { return buffer(for: path, place) }
    let file = Self.path(named, from: path)
    if names[file] != nil || file == String(root.path.dropFirst(folder.count)) { return buffer(for: file, place) }
    guard let text = text(of: file, place), let name = buffer(for: file, place) else { return nil }
    let channels = channels(of: text, at: file)
    passes.append(.init(name: name, text: text, channels: channels, place: place))
    return name
  }

  private mutating func buffer(for file: String, _ place: SourceRange) -> ShaderToyProject.PassName? {
    if let known = names[file] { return known }
    guard names.count < Self.buffers.count else {
      diagnostics.append(
        Diagnostic(
          "shadertoy.many-buffers", "a ShaderToy has up to four buffers, and this file would be another one",
          labels: [.init(place.source, place.range, "a fifth buffer")], help: ["let one of the passes do the work of two"]))
      return nil
    }
    names[file] = Self.buffers[names.count]
    return names[file]
  }

  private mutating func text(of file: String, _ place: SourceRange) -> SourceText? {
    let why: String
    do throws(FileProblem) {
      return SourceText(path: folder + file, bytes: try files.bytes(at: file, atMost: Self.largestFile))
    } catch {
      switch error {
      case .missing: why = "it is not there"
      case .outside: why = "it leads out of the folder of the filter"
      case .tooLarge: why = "it is larger than \(Self.largestFile >> 20) MiB"
      case .unreadable(let reason): why = reason
      }
    }
    diagnostics.append(
      Diagnostic(
        "shadertoy.unreadable-pass", "cannot read the pass '\(folder)\(file)': \(why)",
        labels: [.init(place.source, place.range, "the text of a pass")],
        help: ["put it beside '\(root.path)', and name it as it is called there"]))
    return nil
  }

  /// A path that a file names, relative to the folder of the loose file.
  private static func path(_ named: String, from file: String) -> String {
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in named.split(separator: "/", omittingEmptySubsequences: true).map(String.init) where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (named.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
