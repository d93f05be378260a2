package import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// Puts a graph together: loads its filters, wires its nodes, opens its pictures.
struct GraphAssembler {
  private let text: GraphText
  private let request: RenderRequest
  private let names: GraphNames
  private let loader: NodeLoader
  /// What the open inputs of the graph show, where that is files.
  private let given: [String: RenderRequest.InputPicture]
  private let reader: PictureCache
  /// Whether the values of nodes are those of the document.
  private let checksDefaults: Bool

  private var loaded: [LoadedNode] = []
  /// The nodes with wrong values, as they are without them: used only to find what else is wrong.
  private var misled: [LoadedNode] = []
  private var wirings: [NodeWiring] = []
  private var pictures: [[String: FilterUse.Input]] = []
  private var sources: [String: any PictureSource] = [:]
  private var warnings: [Diagnostic] = []
  private var standIns: [String: String] = [:]

  /// - Parameter text: with the values that it is to have (`setting`).
  /// - Parameter kernels: nil compiles nothing.
  /// - Parameter documents: those whose nodes are being loaded, because one applies the other.
  init(
    _ text: GraphText, library: FilterLibrary, request: RenderRequest, kernels: KernelStore?, within documents: [String] = [],
    reader: PictureCache = PictureCache(), memory: FilterMemory = FilterMemory(), given: [String: RenderRequest.InputPicture] = [:],
    checksDefaults: Bool = true
  ) throws(DiagnosticsError) {
    self.text = text
    self.request = request
    self.given = given
    self.checksDefaults = checksDefaults
    self.reader = reader
    names = try GraphNames(text)
    loader = NodeLoader(
      request: request, library: library, kernels: kernels, names: names, folder: text.folder,
      documents: documents + text.documents.prefix(1),
      reader: reader, memory: memory)
  }

  /// What the graph says about itself as a filter; no picture is opened.
  func interface() throws -> (interface: GraphInterface, loaded: [LoadedNode]) {
    var assembler = self
    return (try assembler.prepare(wires: false), assembler.loaded)
  }

  /// The graph, ready to become recipes; what is wrong with it is reported together, as far as one error does not hide others.
  func assembly() throws -> GraphAssembly {
    var assembler = self
    let interface = try assembler.prepare()
    let reads = assembler.wirings.map { $0.feeds.values.filter { !$0.isBefore }.map(\.node).sorted() }
    let order = try GraphOrder(text, reads: reads).nodes
    try assembler.open(order)
    return GraphAssembly(
      text: text, names: names, nodes: assembler.nodes, order: order, interface: interface, sources: assembler.sources,
      warnings: assembler.warnings, files: assembler.files, standIns: assembler.standIns, reader: reader)
  }

  /// Loads the filters of all nodes and connects their inputs; errors in nodes whose filters are there are told together with filters that are not.
  ///
  /// - Parameter wires: whether inputs matter.
  mutating func prepare(wires: Bool = true) throws -> GraphInterface {
    var collector = DiagnosticCollector()
    try load(&collector)
    var interface: GraphInterface?
    let known = loaded + misled
    try collector.attempt { interface = try GraphInterface(judged(known), known, checksDefaults: checksDefaults && misled.isEmpty) }
    for node in known where wires { try collector.attempt { try wire(node) } }
    // Nothing is opened when something is wrong, but pictures that are missing are told together with it.
    if !collector.isEmpty { for file in namedFiles { try collector.attempt { try file.checkIsThere() } } }
    try collector.check()
    guard let interface else { preconditionFailure("a graph without an interface, and nothing is wrong with it") }
    return interface
  }

  /// The text without parameters that set something of nodes whose filters are missing.
  private func judged(_ known: [LoadedNode]) -> GraphText {
    let missing = text.nodes.map(\.name.text).filter { name in !known.contains { $0.node.name.text == name } }
    var judged = text
    judged.parameters.removeAll { parameter in
      parameter.targets.contains { target in missing.contains { target.text.hasPrefix($0 + ".") } }
    }
    return judged
  }

  /// Does something for several nodes and throws all errors in them together, and all files that are missing.
  private mutating func collect(_ nodes: some Sequence<Int>, _ work: (inout GraphAssembler, Int) throws -> Void) throws {
    var collector = DiagnosticCollector()
    for node in nodes { try collector.attempt { try work(&self, node) } }
    try collector.check()
  }

  private mutating func load(_ collector: inout DiagnosticCollector) throws {
    // Of a node whose filter could not be read only the name is there.
    for node in text.nodes where text.diagnostics.isEmpty || !node.filter.text.isEmpty {
      try collector.attempt {
        let loaded = try loader.load(node)
        self.loaded.append(loaded)
        warnings += loaded.filter.warnings
      }
      // A node without values fails again, and a document in a document twice as often as the one around it.
      if loaded.last?.node != node, !node.settings.isEmpty, let known = try? loader.loadWithoutValues(node) { misled.append(known) }
    }
  }

  /// The pictures, sequences and sounds that nodes name as inputs.
  private var namedFiles: [GraphPicture] {
    text.nodes.flatMap(\.inputs).compactMap { input in
      guard case .file(let word, let fields)? = try? names.meaning(of: input.origin) else { return nil }
      return GraphPicture(word, fields, folder: text.folder)
    }
  }

  private mutating func wire(_ node: LoadedNode) throws {
    let wiring = try NodeWiring(node, names: names, folder: text.folder, given: given)
    wirings.append(wiring)
    warnings += wiring.warnings
  }

  private var nodes: [GraphAssembly.Node] {
    loaded.indices.map { GraphAssembly.Node(loaded: loaded[$0], wiring: wirings[$0], pictures: pictures[$0]) }
  }

  private var files: [String] { loaded.flatMap(\.filter.files) + text.documents }

  // MARK: pictures

  private mutating func open(_ order: [Int]) throws {
    pictures = Array(repeating: [:], count: loaded.count)
    try collect(order) { assembler, node in try assembler.open(node) }
  }

  private mutating func open(_ node: Int) throws {
    if case .graph(let assembly) = loaded[node].application {
      sources.merge(assembly.sources) { first, _ in first }
      for (input, what) in assembly.standIns { standIns["\(loaded[node].node.name.text).\(input)"] = what }
    }
    pictures[node] = try pictures(loaded[node], wirings[node])
    if let diagnostic = wirings[node].missing(besides: Set(pictures[node].keys)) { throw DiagnosticsError(diagnostic) }
  }

  /// The inputs of a node that show files, or what its filter brings along.
  private mutating func pictures(_ loaded: LoadedNode, _ wiring: NodeWiring) throws -> [String: FilterUse.Input] {
    var own = request
    own.inputs = wiring.files
    own.samplers = []
    let fed = Set(wiring.feeds.keys).union(wiring.opens.keys)
    let found = try InputResolver(request: own, filter: loaded.filter, fed: fed, mayMiss: true, reader: reader).resolve()
    warnings += found.warnings
    for (input, what) in found.standIns { standIns["\(loaded.node.name.text).\(input)"] = what }
    sources.merge(found.sources) { first, _ in first }
    return found.images.mapValues(\.input)
  }
}

extension RenderRequest.InputPicture {
  var label: String { path.split(separator: "/").last.map(String.init) ?? path }
  /// The same for sequences and videos that show the same.
  var streamName: String { "\(path)\(choice.text) \(sequence.map { "\($0)" } ?? video.map { "\($0)" } ?? "")" }
}

// MARK: order

/// The nodes of a graph so that each comes after those that it reads.
struct GraphOrder {
  private let text: GraphText
  private let reads: [[Int]]
  private var isBegun: [Bool]
  private var isDone: [Bool]
  private(set) var nodes: [Int] = []

  /// Refuses nodes that read themselves, with the whole cycle.
  ///
  /// - Parameter reads: the nodes that each reads in the same frame.
  init(_ text: GraphText, reads: [[Int]]) throws(DiagnosticsError) {
    self.text = text
    self.reads = reads
    isBegun = Array(repeating: false, count: reads.count)
    isDone = isBegun
    for node in reads.indices { try visit(node) }
  }

  private mutating func visit(_ node: Int) throws(DiagnosticsError) {
    guard !isBegun[node] else { return }
    isBegun[node] = true
    // Nodes each of which is read by the one before it, with what they read; a list and no recursion, because a document may have any number of nodes.
    var path = [node]
    var open = [reads[node][...]]
    while let node = path.last {
      if let other = open[path.count - 1].popFirst() {
        guard !isDone[other] else { continue }
        guard !isBegun[other] else { throw cycle(Array(path.drop { $0 != other })) }
        isBegun[other] = true
        path.append(other)
        open.append(reads[other][...])
      } else {
        path.removeLast()
        open.removeLast()
        isDone[node] = true
        nodes.append(node)
      }
    }
  }

  private func cycle(_ nodes: [Int]) -> DiagnosticsError {
    // In the direction in which the picture goes.
    let names = (nodes + [nodes[0]]).reversed().map { text.nodes[$0].name.text }
    let place = text.nodes[nodes[0]].name.place
    return DiagnosticsError(
      Diagnostic(
        "graph.cycle", "a picture depends on itself: \(names.joined(separator: " -> "))",
        labels: [place.label("reads its own result")],
        help: ["read what '\(text.nodes[nodes[0]].name.text)' showed a frame ago, with 'before', or read another picture"]))
  }
}

// MARK: errors

/// Gathers what goes wrong in several places, so that all of it is told together.
struct DiagnosticCollector {
  private var diagnostics: [Diagnostic] = []
  private var failures: [RenderError] = []

  /// Whether nothing went wrong so far.
  var isEmpty: Bool { diagnostics.isEmpty && failures.isEmpty }

  /// Does something; errors and missing files that it throws wait.
  ///
  /// What the device did, and defects of Etalon, are thrown at once.
  mutating func attempt(_ work: () throws -> Void) throws {
    do { try work() } catch let error as DiagnosticsError {
      diagnostics += error.diagnostics.filter { !diagnostics.contains($0) }
    } catch let error as RenderError where error.code == .missingInput || error.code == .invalidInput {
      if !failures.contains(error) { failures.append(error) }
    }
  }

  /// Throws all of it in the order of the places: what is wrong in texts comes before files that are missing.
  func check() throws {
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics.sortedByPlace + failures.flatMap(\.diagnostics)) }
    if let first = failures.first { throw first.joined(with: Array(failures.dropFirst())) }
  }
}

extension GraphText {
  /// Everything that is wrong with a document, in the order of the text: what reading it found, and then filters, parameters, values and inputs of its nodes, as far as one
  /// error does not hide others.
  ///
  /// - Parameter documents: those whose nodes are being loaded, because one applies the other.
  package func allDiagnostics(_ library: FilterLibrary, within documents: [String] = []) -> [Diagnostic] {
    diagnostics.joined(with: diagnosticsOfNodes(library, documents))
  }

  private func diagnosticsOfNodes(_ library: FilterLibrary, _ documents: [String]) -> [Diagnostic] {
    do {
      let text = try setting([])
      let request = RenderRequest(graph: text, library: library)
      var assembler = try GraphAssembler(text, library: library, request: request, kernels: nil, within: documents)
      _ = try assembler.prepare()
      return []
    } catch let error as DiagnosticsError {
      return error.diagnostics
    } catch let error as RenderError {
      return error.diagnostics
    } catch {
      return []
    }
  }
}

extension [Diagnostic] {
  /// These and others, in the order of their places; others at the place of one of these are left out.
  package func joined(with others: [Diagnostic]) -> [Diagnostic] {
    let new = others.filter { other in !contains { $0.isAbout(placeOf: other) } }
    return (self + new).sortedByPlace
  }
}

extension Diagnostic {
  /// Whether the first places of two diagnostics overlap.
  fileprivate func isAbout(placeOf other: Diagnostic) -> Bool {
    guard let own = labels.first, let label = other.labels.first, own.source.path == label.source.path else { return self == other }
    return own.range.overlaps(label.range) || own.range == label.range
  }
}
