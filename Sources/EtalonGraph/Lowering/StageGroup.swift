internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

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

  /// What its kernel follows from.
  ///
  /// - Parameter format: of the textures that there would be between the stages.
  func passes(format: PixelFormat, storing variant: StoreVariant) -> FusedPasses {
    let host = FusionHost(
      stages: stages.map { stage in
        FusionHost.Stage(arguments: stage.arguments.mapValues { FusionHost.Argument(stage: $0) }, format: format)
      }, usesQuads: stages.contains { $0.result.source.usesQuads })
    return FusedPasses(
      name: stages.map(\.result.filter.manifest.name).joined(separator: " + "), host: host, storesRegion: !result.region.isWhole,
      variant: variant,
      stages: stages.map { stage in
        let filter = stage.result.filter
        return FusedPasses.Stage(
          filter: filter.manifest.name, pass: filter.source(ofPass: filter.resultPass, readsRegions: stage.result.readsRegions),
          variant: StoreVariant(.stage(linked: Set(stage.arguments.keys)), alpha: stage.alpha))
      })
  }
}
