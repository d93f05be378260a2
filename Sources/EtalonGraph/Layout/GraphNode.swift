internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// One picture of a graph, after equal ones were joined and conversions were put between those that do not fit each other.
struct GraphNode: Sendable {
  /// A picture that a filter reads.
  struct Read: Sendable, Hashable {
    let node: Int
    let sampler: Sampler
  }

  enum NodeOperation: Sendable {
    case picture(PixelBuffer)
    case stream(ImageStream)
    case filter(GraphFilter, inputs: [String: Read], ParameterValues)
    /// What a node shows that comes later, as it was a frame ago.
    case before(String)
  }

  /// Its name in messages.
  let label: String
  /// The recipe that it was made for; nil for a conversion in between.
  var recipe: ContentHash?
  let operation: NodeOperation
  /// Whether values of its filter change over time.
  var isAnimated = false
  /// The part of the plane that it covers.
  var extent: Extent
  /// What its kernel takes for the picture where the extent is another part of the plane, to which it goes on; nil where the two are one.
  var canvas: Extent?
  let form: PictureForm
  /// What its texture holds; nil is the format of the graph.
  var format: PixelFormat?
  /// The parameters of its filter that are colors and arrive decoded.
  var lightColors: Set<String> = []
  /// The node of a text that applies its filter.
  var origin = UseOrigin()

  /// Runs a computation over the sizes of its filter; diagnostics of it also have the place where the filter is applied.
  func placing<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch let error as DiagnosticsError {
      guard case .filter(let filter, _, _) = operation else { throw error }
      throw DiagnosticsError(error.diagnostics.map { origin.placed($0, besides: filter.manifest.name) })
    }
  }
}

/// What the numbers of a picture mean.
struct PictureForm: Sendable, Hashable {
  var alpha: AlphaMode
  var space: FilterInput.ColorSpace
}

extension PictureForm {
  /// What the numbers of a file mean.
  init(of picture: PixelBuffer) { self.init(alpha: picture.alpha, space: picture.isLight ? .linear : .encoded) }
}

extension GraphNode {
  /// The nodes that it reads.
  var reads: [Int] {
    guard case .filter(_, let inputs, _) = operation else { return [] }
    return inputs.sorted { $0.key < $1.key }.map(\.value.node)
  }
}
