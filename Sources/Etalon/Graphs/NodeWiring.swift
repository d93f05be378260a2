internal import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonVideo
internal import Foundation

/// What the image inputs of one node show.
struct NodeWiring {
  /// A picture that another node makes, now or a frame ago.
  struct Feed {
    let node: Int
    let isBefore: Bool
  }

  private(set) var feeds: [String: Feed] = [:]
  /// The inputs of the graph that inputs of the node show.
  private(set) var opens: [String: String] = [:]
  private(set) var files: [RenderRequest.InputPicture] = []
  private(set) var warnings: [Diagnostic] = []
  private var places: [String: SourceRange] = [:]
  private var diagnostics: [Diagnostic] = []

  private let loaded: LoadedNode
  private let names: GraphNames
  private let given: [String: RenderRequest.InputPicture]
  /// What relative paths start from, with a slash at its end.
  private let folder: String
  private var manifest: FilterManifest { loaded.manifest }

  /// Refuses inputs that the filter does not have, that are there twice, or that mean nothing; all of them are told together.
  ///
  /// - Parameter given: what inputs of the graph show, where that is files.
  init(_ loaded: LoadedNode, names: GraphNames, folder: String, given: [String: RenderRequest.InputPicture]) throws(DiagnosticsError) {
    self.loaded = loaded
    self.given = given
    self.names = names
    self.folder = folder
    for setting in loaded.pictures { collect { wiring throws(DiagnosticsError) in try wiring.connect(setting) } }
    let given = loaded.node.inputs.sorted { !$0.isImplied && $1.isImplied }
    for input in given { collect { wiring throws(DiagnosticsError) in try wiring.connect(input, in: wiring.folder) } }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
  }

  private mutating func collect(_ connect: (inout NodeWiring) throws(DiagnosticsError) -> Void) {
    do throws(DiagnosticsError) { try connect(&self) } catch { diagnostics += error.diagnostics }
  }

  /// `backgroundImage=@photo`, `maskImage=mask.png`, `inputImage=before(trail)`.
  private mutating func connect(_ setting: GraphText.Setting) throws(DiagnosticsError) {
    let origin: GraphText.Origin
    if let node = setting.node {
      origin = .node(node)
    } else if let node = setting.nodeBefore {
      origin = .before(node)
    } else {
      let text = try fileName(of: setting)
      try checkIsFile(text, setting)
      origin = .file(.init(text, at: setting.value.place), fields: [])
    }
    try connect(GraphText.Input(name: setting.name, origin: origin), in: setting.base ?? folder)
  }

  private func fileName(of setting: GraphText.Setting) throws(DiagnosticsError) -> String {
    if let text = setting.value.scalar, !text.isEmpty { return text }
    let name = setting.name.text
    let kind = manifest.inputs.first { $0.name == name }?.data
    throw DiagnosticsError(
      Diagnostic(
        "input.no-file", "'\(name)' is \(kind?.words ?? "a picture"), and its value is not the name of a file",
        labels: [setting.value.place.label("not a name")], help: ["write '\(name): \(kind?.example ?? "picture.png")'"]))
  }

  /// - Parameter base: where the path of a file starts, with a slash at its end.
  private mutating func connect(_ input: GraphText.Input, in base: String) throws(DiagnosticsError) {
    guard let name = input.name?.text ?? manifest.mainInput?.name else {
      if !input.isImplied {
        warnings.append(readsNothing)
      } else if case .file(let file, _) = input.origin, file.place.range.lowerBound == 0 {
        // One with a name in front of it may be read farther on.
        warnings.append(unused(file))
      }
      return
    }
    let place = input.name?.place ?? input.origin.place
    guard manifest.inputs.contains(where: { $0.name == name }) else {
      if manifest.channelNames.contains(name) { return warnings.append(unread(name, place)) }
      throw DiagnosticsError(unknown(name, place))
    }
    if let first = places[name] {
      if input.isImplied { return }
      throw DiagnosticsError(twice(name, place, first))
    }
    places[name] = place
    let meaning = try names.meaning(of: input.origin)
    try checkShape(of: name, showing: meaning, at: input.origin.place)
    switch meaning {
    case .node(let node): feeds[name] = Feed(node: node, isBefore: false)
    case .before(let node): feeds[name] = Feed(node: node, isBefore: true)
    case .open(let input):
      guard let picture = given[input] else {
        opens[name] = input
        return
      }
      files.append(
        .init(
          input: name, path: picture.path, choice: picture.choice, sequence: picture.sequence, video: picture.video,
          written: picture.written))
    case .file(let word, let fields): files.append(try GraphPicture(word, fields, folder: base).picture(for: name))
    }
  }

  /// Refuses flat pictures, as filters make them, for an input that reads a cube or a volume.
  private func checkShape(of name: String, showing meaning: GraphNames.Meaning, at place: SourceRange) throws(DiagnosticsError) {
    switch meaning {
    case .file, .open: return
    case .node, .before:
      if let input = manifest.inputs.first(where: { $0.name == name }), let kind = input.data {
        throw DiagnosticsError(kind.noFile(for: input, showing: "what a filter makes", at: place))
      }
      guard let input = manifest.inputs.first(where: { $0.name == name && $0.shape != .flat }) else { return }
      let label = place.label("flat")
      throw DiagnosticsError(SolidPicture(input, reader: PictureCache(), labels: [label]).diagnostic(showing: "what a filter makes"))
    }
  }

  /// Refuses the name of a node or an input of the graph where a file is meant.
  private func checkIsFile(_ text: String, _ setting: GraphText.Setting) throws(DiagnosticsError) {
    guard !text.contains("/"), !text.contains("."), !FileManager.default.fileExists(atPath: setting.path(text, in: folder)) else { return }
    let name = names.all.contains(text) ? text : NearestName.find(text, in: names.all)
    let word = setting.name.text
    let place = setting.value.place
    if let kind = manifest.inputs.first(where: { $0.name == word })?.data {
      throw DiagnosticsError(kind.noFile(named: text, for: word, at: place))
    }
    let help =
      name.map { loaded.node.isStage ? "write '\(word)=@\($0)' for the result '\($0)'" : "write 'inputs: { \(word): \($0) }'" }
      ?? "write '\(word)=picture.png', or '\(word)=@name' for another result"
    throw DiagnosticsError(
      Diagnostic(
        "input.no-file", "'\(word)' is a picture, and there is no file '\(text)'", labels: [place.label("no file")],
        help: [help]))
  }

  // MARK: Errors

  private var readsNothing: Diagnostic {
    Diagnostic(
      "input.unread", "'\(manifest.name)' reads no picture", severity: .warning,
      labels: [loaded.node.filter.place.label("a picture is given")])
  }

  private func unused(_ file: GraphText.Word) -> Diagnostic {
    Diagnostic(
      "graph.unused", "nothing reads '\(file.text)', because '\(manifest.name)' reads no picture", severity: .warning,
      labels: [file.place.label("not used")],
      help: ["to lay one over the other, name the file and add a stage: 'photo: \(file.text)' … 'source-over backgroundImage=@photo'"])
  }

  private func unread(_ name: String, _ place: SourceRange) -> Diagnostic {
    Diagnostic(
      "input.unread", "'\(manifest.name)' does not read '\(name)'", severity: .warning,
      labels: [place.label("not used")])
  }

  private func unknown(_ name: String, _ place: SourceRange) -> Diagnostic {
    let nearest = NearestName.find(name, in: manifest.channelNames)
    let list = manifest.channelNames.map { "'\($0)'" }.joined(separator: ", ")
    return Diagnostic(
      "input.unknown", "'\(manifest.name)' has no image input '\(name)'", labels: [place.label("not found")],
      help: [
        name == "previous" ? "name the input: '{ \(manifest.mainInput?.name ?? "inputImage"): { previous: node } }'" : nil,
        nearest.map { "did you mean '\($0)'?" } ?? (list.isEmpty ? "it reads no picture" : "its image inputs are \(list)"),
      ].compactMap(\.self))
  }

  private func twice(_ name: String, _ place: SourceRange, _ first: SourceRange) -> Diagnostic {
    Diagnostic(
      "input.twice", "'\(name)' has two pictures",
      labels: [place.label("again"), first.label("first")], help: ["keep one of them"])
  }

  /// What is wrong when some inputs show nothing.
  ///
  /// - Parameter shown: the inputs that have a picture of their own.
  func missing(besides shown: Set<String>) -> Diagnostic? {
    let missing = manifest.inputs.map(\.name).filter { feeds[$0] == nil && opens[$0] == nil && !shown.contains($0) }
    guard let first = missing.first else { return nil }
    let list = missing.map { "'\($0)'" }.joined(separator: ", ")
    let isMain = first == manifest.mainInput?.name
    let place = loaded.node.filter.place
    return Diagnostic(
      "input.missing", "'\(manifest.name)' reads \(list), and nothing was given for \(missing.count == 1 ? "it" : "them")",
      labels: [place.label("reads \(list)")],
      help: [
        !loaded.node.isStage
          ? "write 'inputs: { \(first): photo }', where 'photo' is an input of the graph, another node or a file"
          : isMain
            ? "put a picture before it: etalon render photo.png \(ShellWord.quoted(loaded.node.filter.text))"
            : "add '\(first)=picture.png', or '\(first)=@name' for another result"
      ])
  }
}

extension GraphText.Origin {
  /// Where it is written.
  var place: SourceRange {
    switch self {
    case .node(let word), .before(let word), .file(let word, _): word.place
    }
  }
}

// MARK: files

/// A picture or a sequence that a graph names.
struct GraphPicture {
  private let word: GraphText.Word
  private let fields: [LocatedNode.Member]
  private let folder: String

  init(_ word: GraphText.Word, _ fields: [LocatedNode.Member], folder: String) {
    self.word = word
    self.fields = fields
    self.folder = folder
  }

  /// A stream, a pipe or a camera, with what is said about it behind commas or in fields; nil for a file.
  private func stream(for input: String) throws(DiagnosticsError) -> RenderRequest.InputPicture? {
    let name = InputText.path(word.text, exists: { FileManager.default.fileExists(atPath: $0) })
    let wrong = StreamAddress.diagnostic(name, option: name)
    guard wrong != nil || StreamAddress(name) != nil else { return nil }
    do throws(DiagnosticsError) {
      let typed = try InputText.picture(word.text, for: input, option: word.text)
      let video = fields.isEmpty ? typed.video : try InputText.timing(fields.map(\.sequenceField), of: name)
      return .init(input: input, path: typed.path, video: video, written: word)
    } catch {
      throw DiagnosticsError(error.diagnostics.map(placed))
    }
  }

  func picture(for input: String) throws(DiagnosticsError) -> RenderRequest.InputPicture {
    if let stream = try stream(for: input) { return stream }
    let path = word.text.hasPrefix("/") ? word.text : folder + word.text
    if VideoFile.isVideo(path) {
      return .init(input: input, path: path, video: try InputText.timing(fields.map(\.sequenceField), of: path), written: word)
    }
    if FileManager.default.fileExists(atPath: path), fields.isEmpty { return .init(input: input, path: path, written: word) }
    guard !fields.isEmpty else {
      do throws(DiagnosticsError) {
        let picture = try InputText.picture(path, for: input, option: word.text)
        return .init(
          input: input, path: picture.path, choice: picture.choice, sequence: picture.sequence, video: picture.video, written: word)
      } catch {
        throw DiagnosticsError(error.diagnostics.map(placed))
      }
    }
    let all = fields.map(\.sequenceField), choice = try PictureChoice(all), timing = all.filter { !$0.choosesPicture }
    if timing.isEmpty, FileManager.default.fileExists(atPath: path) {
      return .init(input: input, path: path, choice: choice, written: word)
    }
    let pattern: FramePattern
    do throws(DiagnosticsError) { pattern = try FramePattern(path, option: word.text) } catch {
      throw DiagnosticsError(error.diagnostics.map(placed))
    }
    guard pattern.hasNumber else {
      guard let field = timing.first else { return .init(input: input, path: path, choice: choice, written: word) }
      throw DiagnosticsError(
        Diagnostic(
          "sequence.no-number", "'\(word.text)' is a single picture, which has no '\(field.key)'",
          labels: [.init(field.source, field.keyRange, "for sequences")],
          help: ["a sequence has a place for the number of its pictures: 'plate.####.png'"]))
    }
    return .init(input: input, path: path, choice: choice, sequence: try SequenceTiming(timing), written: word)
  }

  /// Fails when there is no such file, or none of the sequence.
  func checkIsThere() throws {
    let picture = try picture(for: "inputImage")
    let pattern = try picture.sequence.map { _ throws(DiagnosticsError) in try FramePattern(picture.path) }
    do throws(RenderError) {
      if let pattern {
        _ = try NumberedFiles(pattern)
      } else if !FileManager.default.fileExists(atPath: picture.path) {
        _ = try PictureReader().read(path: picture.path)
      }
    } catch {
      throw error.asked(at: word.label("asked for here"))
    }
  }

  /// An error in the word, where the word stands.
  private func placed(_ found: Diagnostic) -> Diagnostic {
    let labels = found.labels.map { label in
      let shift = word.place.range.lowerBound - folder.utf8.count
      let isVerbatim = word.place.range.count == word.text.utf8.count && label.range.lowerBound >= folder.utf8.count
      let range = isVerbatim ? label.range.lowerBound + shift..<label.range.upperBound + shift : word.place.range
      return Diagnostic.Label(word.place.source, range, label.message)
    }
    return Diagnostic(found.id, found.message, severity: found.severity, labels: labels, help: found.help, notes: found.notes)
  }
}

extension LocatedNode.Member {
  fileprivate var sequenceField: SequenceField {
    SequenceField(
      key: key, value: value.scalar ?? "", source: keyPlace.source, keyRange: keyPlace.range, valueRange: value.place.range)
  }
}

// MARK: names

/// The names of a graph: which node or input a word means.
struct GraphNames {
  private let text: GraphText
  private let nodes: [String: Int]

  /// Refuses a name that two nodes have, or a node and an input.
  init(_ text: GraphText) throws(DiagnosticsError) {
    self.text = text
    var nodes: [String: Int] = [:]
    var diagnostics: [Diagnostic] = []
    for (index, node) in text.nodes.enumerated() {
      if let first = nodes[node.name.text] {
        diagnostics.append(Self.twice(node.name, text.nodes[first].name.place))
      } else if text.inputs[node.name.text] != nil || text.openInputs.contains(where: { $0.text == node.name.text }) {
        diagnostics.append(Self.twice(node.name, nil))
      } else {
        nodes[node.name.text] = index
      }
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    self.nodes = nodes
  }

  private static func twice(_ name: GraphText.Word, _ first: SourceRange?) -> Diagnostic {
    Diagnostic(
      "graph.name", "two things are called '\(name.text)'",
      labels: [name.place.label("again")] + (first.map { [$0.label("first")] } ?? []),
      help: ["give one of them another name"])
  }

  /// What a name stands for.
  enum Meaning {
    case node(Int)
    case file(GraphText.Word, fields: [LocatedNode.Member])
    /// What a node showed a frame ago.
    case before(Int)
    /// The picture that an input of the graph is given from outside.
    case open(String)
  }

  /// Follows the names of inputs to their files.
  func meaning(of origin: GraphText.Origin) throws(DiagnosticsError) -> Meaning {
    switch origin {
    case .file(let word, let fields): return .file(word, fields: fields)
    case .before(let word): return .before(try node(word))
    case .node(let word):
      if text.openInputs.contains(where: { $0.text == word.text }) { return .open(word.text) }
      guard case .file(let file, let fields)? = text.inputs[word.text] else { return .node(try node(word)) }
      return .file(file, fields: fields)
    }
  }

  /// Those of nodes and inputs.
  var all: [String] { text.nodes.map(\.name.text) + text.inputs.keys.sorted() + text.openInputs.map(\.text) }

  private func node(_ word: GraphText.Word) throws(DiagnosticsError) -> Int {
    if let node = nodes[word.text] { return node }
    let known = all
    let nearest = NearestName.find(word.text, in: known).map { "did you mean '\($0)'?" }
    throw DiagnosticsError(
      Diagnostic(
        "graph.unknown-name", "nothing in the graph is called '\(word.text)'",
        labels: [word.place.label("not found")], help: nearest.map { [$0] } ?? [],
        notes: ["names: \(known.joined(separator: ", "))"]))
  }

  /// The node that `node.parameter` is about; nil when the name has no such form.
  func node(ofTarget name: String) -> (index: Int, parameter: String)? {
    guard let dot = name.firstIndex(of: "."), let index = nodes[String(name[..<dot])] else { return nil }
    return (index, String(name[name.index(after: dot)...]))
  }
}
