internal import EtalonDiagnostics
internal import EtalonManifest

/// Joins stages to a graph: each reads the one before it.
struct StageChain {
  private let stages: [Stage]
  private var text = GraphText()
  private var mistakes: [Diagnostic] = []
  private var names: [String: GraphText.Word] = [:]

  init(_ stages: [Stage]) { self.stages = stages }

  func graph() throws(DiagnosticsError) -> GraphText {
    var chain = self
    chain.join()
    guard chain.mistakes.isEmpty else { throw DiagnosticsError(chain.mistakes) }
    return chain.text
  }

  private mutating func join() {
    for name in stages.compactMap(\.name) {
      if let first = names[name.text] {
        mistakes.append(
          Diagnostic(
            "graph.name", "two stages are called '\(name.text)'",
            labels: [
              .init(name.place.source, name.place.range, "again"), .init(first.place.source, first.place.range, "first"),
            ], help: ["give one of them another name"]))
      }
      names[name.text] = names[name.text] ?? name
    }
    var previous: GraphText.Origin?
    for stage in stages {
      if case .filter(let word, _) = stage.subject, text.nodes.count == ImageRecipe.mostDepth {
        return mistakes.append(ImageRecipe.tooDeep([word.label("one too many")]))
      }
      previous = add(stage, after: previous)
    }
    guard let previous, let last = stages.last else { return }
    let word: GraphText.Word =
      switch last.subject {
      case .picture(let word, _), .filter(let word, _): word
      }
    text.outputs = [GraphText.Output(name: .init("main", at: word.place), origin: previous)]
  }

  /// Adds a stage; returns where its picture comes from.
  private mutating func add(_ stage: Stage, after previous: GraphText.Origin?) -> GraphText.Origin {
    switch stage.subject {
    case .picture(let word, let fields):
      let origin = GraphText.Origin.file(word, fields: fields)
      if let name = stage.name { text.inputs[name.text] = origin }
      return origin
    case .filter(let word, let settings):
      let name = stage.name ?? .init(freeName(for: word.text), at: word.place)
      names[name.text] = name
      let inputs = previous.map { [GraphText.Input(name: nil, origin: $0, isImplied: true)] } ?? []
      text.nodes.append(.init(name: name, filter: word, inputs: inputs, settings: settings, isStage: true))
      return .node(name)
    }
  }

  /// `gaussian-blur`, then `gaussian-blur-2`; of a file its name without the extension.
  private func freeName(for word: String) -> String {
    if word == "-" { return freeName(for: "stdin") }
    let file = word.split(separator: "/").last.map(String.init) ?? word
    let stem = file.hasPrefix(".") ? "stage" : file.split(separator: ".").first.map(String.init) ?? "stage"
    guard names[stem] != nil else { return stem }
    return (2...).lazy.map { "\(stem)-\($0)" }.first { names[$0] == nil } ?? stem
  }
}
