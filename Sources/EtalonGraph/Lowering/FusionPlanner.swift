internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// Decides which nodes are computed inside their reader, so that their colors never become a texture.
///
/// A node is, when its one reader is a color kernel of the same size that takes it as an argument and reads it nowhere else.
struct FusionPlanner {
  /// Fused kernels have at most so many stages, and read at most so many textures: drivers promise 16 (Vulkan, maxPerStageDescriptorSamplers).
  private static let mostStages = 12
  private static let mostTextures = 12

  /// The arguments that are computed in place, by the node that takes them: the position of the argument, and the node that gives it.
  private(set) var links: [Int: [Int: Int]] = [:]
  /// Nodes that never become a texture.
  private(set) var inner: Set<Int> = []

  private let layout: GraphLayout
  private let readers: [NodeReaders]
  private let still: StillNodes
  private var stages: [Int: Int] = [:]
  private var textures: [Int: Int] = [:]

  init(_ layout: GraphLayout, readers: [NodeReaders], still: StillNodes, builder: PlanBuilder) throws {
    self.layout = layout
    self.readers = readers
    self.still = still
    for node in layout.nodes.indices where readers[node].isNeeded {
      guard case .filter(let filter, let inputs, _) = layout.nodes[node].operation else { continue }
      try plan(node, filter, inputs, builder)
    }
  }

  private mutating func plan(_ node: Int, _ filter: GraphFilter, _ inputs: [String: GraphNode.Read], _ builder: PlanBuilder) throws {
    let pass = filter.resultSource
    var stageCount = 1
    var textureCount = pass.textures.count
    var candidates: [Int: Int] = [:]
    if pass.form == .color, pass.iterations == 1 {
      for (position, name) in pass.arguments.enumerated() {
        guard case .input(let input)? = pass.textures.first(where: { $0.name == name })?.source, let read = inputs[input],
          mayBeInner(read.node, of: node), filter.manifest.passes.count(where: { $0.reads(input) }) == 1
        else { continue }
        let moreStages = stages[read.node] ?? 1
        let moreTextures = (textures[read.node] ?? 0) - 1
        guard stageCount + moreStages <= Self.mostStages, textureCount + moreTextures <= Self.mostTextures else { continue }
        stageCount += moreStages
        textureCount += moreTextures
        candidates[position] = read.node
      }
      candidates = try candidates.isEmpty ? [:] : linkable(candidates, filter, builder)
    }
    stages[node] = 1 + candidates.values.reduce(0) { $0 + (stages[$1] ?? 1) }
    textures[node] = pass.textures.count + candidates.values.reduce(0) { $0 + (textures[$1] ?? 0) - 1 }
    links[node] = candidates
    inner.formUnion(candidates.values)
  }

  /// Whether nothing but its reader needs a node, and the reader takes it pixel by pixel.
  private func mayBeInner(_ node: Int, of reader: Int) -> Bool {
    // What goes on beyond its picture has other positions than its reader.
    guard case .filter(let filter, _, _) = layout.nodes[node].operation, layout.nodes[node].canvas == nil else { return false }
    let isWanted = layout.outputs.contains { $0.node == node && $0.furtherOutput == nil }
    return readers[node].nodes == [reader] && readers[node].feedback == nil && !isWanted && !readers[node].isMipmapped
      && layout.nodes[node].extent.size == layout.nodes[reader].extent.size && filter.resultSource.iterations == 1
      && !filter.hasPassesAfterResult && still.mayFuse(node, into: reader)
  }

  /// The reader inside which each inner node is computed.
  var hosts: [Int: Int] {
    var hosts: [Int: Int] = [:]
    for (reader, arguments) in links { for node in arguments.values { hosts[node] = reader } }
    return hosts
  }

  /// The arguments that the text reads in no other way.
  private func linkable(_ candidates: [Int: Int], _ filter: GraphFilter, _ builder: PlanBuilder) throws -> [Int: Int] {
    let pass = filter.resultSource
    let stage = try builder.stage(filter, linked: Set(candidates.keys), alpha: .asReturned)
    let names = Set(stage.interface.resources.map(\.name))
    return candidates.filter { !names.contains(pass.arguments[$0.key]) }
  }
}

extension GraphFilter {
  /// The index of the pass that gives the result of the filter.
  var resultPass: Int {
    manifest.passes.lastIndex { $0.coverage == .pixels && $0.target == nil && $0.output == nil } ?? manifest.passes.count - 1
  }

  /// The pass that gives the result of the filter.
  var resultSource: PassSource { manifest.passes[resultPass] }

  /// Whether anything that a frame computes comes after the result.
  var hasPassesAfterResult: Bool { manifest.passes.dropFirst(resultPass + 1).contains { $0.output == nil } }
}

extension PassSource {
  /// Whether the pass reads an image input.
  fileprivate func reads(_ input: String) -> Bool { textures.contains { $0.source == .input(input) } }
}
