internal import EtalonTypes

/// What the JSON at the top of a native filter file says.
struct NativeHeader {
  /// An image input or an imported file.
  struct Image {
    let input: FilterInput
    /// What lies beyond the edge, straight and encoded; nil where the sampler says it.
    let border: Value?
  }

  /// One element of `PASSES`, or the only pass of a header without it.
  struct Pass {
    /// The function that it runs; nil for the one entry point that the text has.
    var kernel: Placed<String>?
    /// The target that it writes; nil for the result.
    var target: Placed<String>?
    var isPersistent = false
    var format = PixelFormat.rgba16f
    var extent = FilterTarget.Extent.output
    var iterations = 1
    /// Invocations of a workgroup along x, y and z.
    var localSize: Placed<[Int]>?
    /// Workgroups along x, y and z.
    var dispatch: Placed<[ExpressionText]>?
    /// What a compute kernel writes; nil when it does not say.
    var writes: [Placed<String>]?
    var reach: KernelReach?
    /// The element of the header; nil without `PASSES`.
    var place: SourceRange?
  }

  /// One element of `OUTPUTS`.
  struct Output {
    let name: Placed<String>
    let format: PixelFormat
    let extent: FilterTarget.Extent
  }

  var about = FilterManifest.About()
  var images: [Image] = []
  var parameters: [FilterParameter] = []
  /// One at least, in the order in which they run.
  var passes: [Pass] = [Pass()]
  /// The first is the main one; empty when the header names none.
  var outputs: [Output] = []
  var buffers: [FilterBuffer] = []
  var constraints: [ExpressionText] = []
  var alpha = AlphaMode.premultiplied
  var extent: ResultExtent?
  /// Where `EXTENT` stands.
  var extentPlace: SourceRange?
  var reach: KernelReach?
  /// From the opening brace to the closing one.
  var place: SourceRange?

  /// What the result is called when the header gives it no name.
  static let usualOutput = "outputImage"

  /// The name under which compute kernels store the result.
  var mainOutput: String { outputs.first?.name.value ?? Self.usualOutput }

  var kind: FilterManifest.Kind {
    FilterManifest.Kind(ofInputs: images.filter { $0.input.origin == .user }.map(\.input.name))
  }
}
