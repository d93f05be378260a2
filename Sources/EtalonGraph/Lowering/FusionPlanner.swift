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

/// Last passes of nodes that are computed together, colors going from one to the next; often only one.
struct StageGroup {
  /// The last pass of a node.
  struct Stage {
    let result: NodeLowering.Result
    /// The stages that give arguments, by the positions of these.
    let arguments: [Int: Int]
    /// What becomes of alpha where the color is not stored.
    let alpha: StoreVariant.Alpha
  }

  /// In an order in which they can be computed; the last one gives the result.
  private(set) var stages: [Stage] = []

  /// The stages that give the arguments of a node, and then its own.
  ///
  /// - Parameter arguments: by their positions.
  init(_ result: NodeLowering.Result, alpha: StoreVariant.Alpha, arguments: [Int: StageGroup]) {
    var places: [Int: Int] = [:]
    for (position, group) in arguments.sorted(by: { $0.key < $1.key }) {
      let first = stages.count
      stages += group.stages.map { stage in
        Stage(result: stage.result, arguments: stage.arguments.mapValues { $0 + first }, alpha: stage.alpha)
      }
      places[position] = stages.count - 1
    }
    stages.append(Stage(result: result, arguments: places, alpha: alpha))
  }

  /// The node whose result it is.
  var result: NodeLowering.Result { stages[stages.count - 1].result }

  var name: String { stages.map(\.result.name).joined(separator: " + ") }

  var usesQuads: Bool { stages.contains { $0.result.source.usesQuads } }

  /// What its kernel follows from.
  ///
  /// - Parameter format: of the textures that there would be between the stages.
  /// - Parameter ending: what takes the colors of the last one, where the kernel stores none.
  func passes(format: PixelFormat, storing variant: StoreVariant, ending: String? = nil) -> FusedPasses {
    let host = FusionHost(
      stages: stages.map { stage in
        FusionHost.Stage(arguments: stage.arguments.mapValues { FusionHost.Argument(stage: $0) }, format: format)
      }, usesQuads: usesQuads, ending: ending)
    return FusedPasses(
      name: stages.map(\.result.filter.manifest.name).joined(separator: " + "), host: host,
      storesRegion: !result.region.isWhole && ending == nil, variant: variant,
      stages: stages.map { stage in
        let filter = stage.result.filter
        return FusedPasses.Stage(
          filter: filter.manifest.name, pass: filter.source(ofPass: filter.resultPass, readsRegions: stage.result.readsRegions),
          variant: StoreVariant(.stage(linked: Set(stage.arguments.keys)), alpha: stage.alpha))
      })
  }
}

/// Passes that are computed as one kernel: what that kernel follows from.
///
/// **Concurrency**: an immutable value.
package struct FusedPasses: Sendable, Hashable {
  /// A pass that leaves its color to the one behind it.
  struct Stage: Sendable, Hashable {
    /// The name of its filter.
    let filter: String
    let pass: PassSource
    /// A stage, with the arguments that others give and what becomes of alpha.
    let variant: StoreVariant
  }

  /// The names of the filters, for messages.
  let name: String
  let host: FusionHost
  /// Whether the texture that the last one stores into is a region of a picture.
  let storesRegion: Bool
  /// How the last one stores.
  let variant: StoreVariant
  /// In the order in which they run.
  let stages: [Stage]

  /// Leaves out the texts, which are long to hash; passes of one name seldom differ.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(variant)
  }
}

/// Passes that were joined.
///
/// **Concurrency**: an immutable value.
package struct FusedKernel: Sendable {
  let linked: LinkedKernel
  /// The passes by themselves, in the order in which they run.
  let stages: [Kernel]

  /// Compiles passes and joins them.
  package init(_ passes: FusedPasses, from source: some KernelSource) throws {
    stages = try passes.stages.map { try source.kernel(of: $0.pass, in: $0.filter, storing: $0.variant) }
    let text = passes.storesRegion ? passes.host.pass.storingRegion : passes.host.pass
    let host = try source.kernel(of: text, in: passes.name, storing: passes.variant)
    linked = try KernelLinker.link(host: host, stages: stages)
  }
}
