internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonExpressions
internal import EtalonGraph
internal import EtalonTypes

extension Image {
  /// How pixels of another number come about.
  public enum Resampling: Int, Sendable, Hashable, CaseIterable {
    /// The pixel that the center of the new one lies in.
    case nearest
    /// Bilinear between the four nearest pixels; for enlarging.
    case linear
    /// The mean of the area that a new pixel covers; for reducing.
    case area
    /// A windowed sinc of three lobes: sharp, and good both ways.
    case lanczos
  }

  /// How a stored picture becomes an upright one, in the order of EXIF's tag 0x0112.
  public enum Orientation: Int, Sendable, Hashable, CaseIterable {
    /// As it is.
    case upright = 1
    /// Left and right exchanged.
    case flippedHorizontally
    /// Upside down.
    case rotated180
    /// Top and bottom exchanged.
    case flippedVertically
    /// Mirrored at the diagonal from the top left.
    case transposed
    /// A quarter turn clockwise.
    case rotated90
    /// Mirrored at the diagonal from the top right.
    case transversed
    /// A quarter turn counterclockwise.
    case rotated270
  }

  /// The part of the plane that it covers when no other size is asked for, in pixels; the first picture of a chain lies with its lower left corner at
  /// the origin.
  ///
  /// Generators count as large as the first picture, or as 1280×720, from the origin on. Over and under other images they go on as far as those reach. Where sizes follow from
  /// values that change over time, the defaults count. Throws `DiagnosticsError` where a filter's sizes make no sense.
  public var extent: Extent {
    get throws { try RenderSettings().graph(of: self).extent(GLSLExpressionEvaluator(cache: .user)) }
  }

  /// A rectangle of the image, in pixels from its lower left corner; beyond the image it is transparent.
  ///
  /// Throws `DiagnosticsError` for sides above 16384 pixels. A rectangle that shows nothing of the image is refused when that is rendered, because pictures are as large as
  /// the result that is asked for; the message says where this call is written.
  public func cropped(to rectangle: Extent, fileID: String = #fileID, line: Int = #line) throws(DiagnosticsError) -> Image {
    let numbers = ["left": rectangle.x, "bottom": rectangle.y, "width": rectangle.size.width, "height": rectangle.size.height]
    return try changed(.crop, numbers, by: ProgramCall("cropped(to:)", fileID, line))
  }

  /// The image with transparent pixels around it.
  ///
  /// Throws `DiagnosticsError` for widths below 0 and above 16384 pixels.
  public func padded(
    left: Int = 0, bottom: Int = 0, right: Int = 0, top: Int = 0, fileID: String = #fileID, line: Int = #line
  ) throws(DiagnosticsError) -> Image {
    let numbers = ["left": left, "bottom": bottom, "right": right, "top": top]
    return try changed(.pad, numbers, by: ProgramCall("padded(left:bottom:right:top:)", fileID, line))
  }

  /// The image with so many pixels.
  ///
  /// Throws `DiagnosticsError` for sides above 16384 pixels.
  public func resized(
    to size: Size, by resampling: Resampling = .lanczos, fileID: String = #fileID, line: Int = #line
  ) throws(DiagnosticsError) -> Image {
    let sides = Value(.vec2, [Double(size.width), Double(size.height)])
    return try changed(.resize, ["filter": resampling.rawValue], ["size": sides], by: ProgramCall("resized(to:by:)", fileID, line))
  }

  /// The image turned or mirrored.
  public func oriented(_ orientation: Orientation, fileID: String = #fileID, line: Int = #line) throws(DiagnosticsError) -> Image {
    try changed(.orient, ["orientation": orientation.rawValue], by: ProgramCall("oriented(_:)", fileID, line))
  }

  /// The image moved, turned, scaled or slanted; it covers the whole pixels that its corners enclose.
  ///
  /// Between pixels it is bilinear. To make an image much smaller, resize it first. Throws `DiagnosticsError` for a map that leaves nothing of the
  /// image.
  public func transformed(by transform: Transform, fileID: String = #fileID, line: Int = #line) throws(DiagnosticsError) -> Image {
    guard let inverse = transform.inverseAxes else {
      throw DiagnosticsError(
        Diagnostic("image.transform", "the transform leaves nothing of the image", help: ["scale by factors other than 0"]))
    }
    let axes = [transform.xAxis.x, transform.xAxis.y, transform.yAxis.x, transform.yAxis.y]
    let values = [
      "axes": Value(.vec4, axes), "offset": Value(.vec2, [transform.offset.x, transform.offset.y]), "inverse": Value(.vec4, inverse),
    ]
    let origin = UseOrigin(ProgramCall("transformed(by:)", fileID, line))
    let recipe = try whole.applying(ImageKernels.transform, values, inputs: [:], label: "transform", origin: origin)
    return Image(recipe, supplies: supplies)
  }

  /// The same image for filters that look beyond its edges: they find its last pixels there, and their results do not grow.
  public var clampedToExtent: Image { Image(recipe, supplies: supplies, continuesBeyondEdges: true) }

  /// The recipe with a texture of its extent: pictures are stretched when a size is asked for.
  private var whole: ImageRecipe {
    get throws(DiagnosticsError) {
      if case .filter = recipe.operation { return recipe }
      return try recipe.applying(ImageKernels.copy, [:], inputs: [:], label: recipe.label)
    }
  }

  private func changed(
    _ operation: ImageOperation, _ numbers: [String: Int], _ values: [String: Value] = [:], by call: ProgramCall
  ) throws(DiagnosticsError) -> Image {
    let values = numbers.mapValues { Value(.int, [Double($0)]) }.merging(values) { first, _ in first }
    let recipe = try recipe.applying(
      operation.filter, values, inputs: ["inputImage": input], label: operation.rawValue, origin: UseOrigin(call))
    return Image(recipe, supplies: supplies)
  }

  /// The image as others read it.
  var input: FilterUse.Input { FilterUse.Input(recipe, address: continuesBeyondEdges ? .clamp : nil) }
}
