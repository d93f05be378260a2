internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// A picture as a recipe: a file, a color, or a filter over other images.
///
/// ```swift
/// let photo = try Image(contentsOf: "photo.png")
/// let soft = try photo.applying(library["gaussian-blur"], ["sigma": 24])
/// ```
///
/// Making an image computes no pixels and compiles no filter; a ``RenderContext`` does when it renders it. Images share what they are made of, and two
/// are equal when their recipes are: the same pictures, filters and values, wherever they were read.
///
/// Errors surface in the call that makes them. What only shows when sizes are known, or in some frame, is told when the image is rendered, with the file and the line of that call, which the parameters
/// `fileID` and `line` are for.
///
/// **Concurrency**: an immutable value with shared storage.
public struct Image: Sendable, Hashable {
  let recipe: ImageRecipe
  let supplies: ImageSupplies
  /// The sound that it shows; nil for everything else.
  var sound: SoundFile?
  /// Whether filters that read it see its last pixels beyond its edges.
  let continuesBeyondEdges: Bool

  init(_ recipe: ImageRecipe, supplies: ImageSupplies = ImageSupplies(), continuesBeyondEdges: Bool = false) {
    self.recipe = recipe
    self.supplies = supplies
    self.continuesBeyondEdges = continuesBeyondEdges
  }

  /// Whether the recipes are equal.
  public static func == (one: Image, other: Image) -> Bool {
    one.recipe == other.recipe && one.continuesBeyondEdges == other.continuesBeyondEdges
  }

  /// Adds the recipe to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(recipe)
    hasher.combine(continuesBeyondEdges)
  }
}

extension Image {
  /// Reads a picture, once.
  ///
  /// Photographs stand upright, as their EXIF orientation says. Throws `RenderError` when the file is missing or is no picture.
  public init(contentsOf path: String) throws(RenderError) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    self.init(ImageRecipe(.picture(try PictureReader().read(path: path)), label: name))
  }

  /// Takes pixels in memory.
  ///
  /// - Parameter label: what plans and messages call it.
  public init(pixelBuffer: PixelBuffer, label: String = "pixels") {
    self.init(ImageRecipe(.picture(pixelBuffer), label: label))
  }

  /// Takes the result of a filter that reads no picture, or all of whose pictures are named.
  ///
  /// ```swift
  /// let noise = try Image(library["noise"], ["scale": 16])
  /// ```
  /// A generator covers the whole result, whatever its size. Throws like ``applying(_:_:inputs:)``.
  public init(
    _ filter: Filter, _ values: [String: ParameterValue] = [:], inputs: [String: Image] = [:], fileID: String = #fileID, line: Int = #line
  ) throws {
    let call = ProgramCall("Image(\(filter.name))", fileID, line)
    self = try FilterApplication(filter, main: nil, named: inputs, values: values, by: call).image()
  }

  /// The result of a filter over this image.
  ///
  /// ```swift
  /// let glow = try photo.applying(library["blend-with-mask"], inputs: ["backgroundImage": soft, "maskImage": mask])
  /// ```
  /// Errors surface here: `DiagnosticsError` names parameters and inputs that the filter does not have, with the nearest ones, values that are out of
  /// range, inputs without an image, and expressions that do not compile. `RenderError` is thrown for a file that a value or the filter names and that
  /// cannot be read.
  ///
  /// - Parameter filter: one that reads at least one picture; this image becomes the main one, usually `inputImage`.
  /// - Parameter values: by the name of the parameter; the others keep their defaults. Constants of a ShaderToy's text may be set too.
  /// - Parameter inputs: the other images, by the name of the input.
  public func applying(
    _ filter: Filter, _ values: [String: ParameterValue] = [:], inputs: [String: Image] = [:], fileID: String = #fileID, line: Int = #line
  ) throws -> Image {
    let call = ProgramCall("applying(\(filter.name))", fileID, line)
    return try FilterApplication(filter, main: self, named: inputs, values: values, by: call).image()
  }
}

/// What the recipe of an image needs beside itself.
struct ImageSupplies: Sendable {
  /// Where pictures that come with each frame are read, by the names of their streams.
  var streams: [String: any PictureSource] = [:]
  /// The pictures that recipes of the kind `before` mean, by name.
  var feedback: [String: ImageRecipe] = [:]

  /// What two recipes need.
  func merging(_ other: ImageSupplies) -> ImageSupplies {
    ImageSupplies(
      streams: streams.merging(other.streams) { first, _ in first }, feedback: feedback.merging(other.feedback) { first, _ in first })
  }
}

// MARK: one over the other

extension Image {
  /// One color that covers the whole plane.
  ///
  /// ```swift
  /// let orange = try Image.color("#ff8800")
  /// let veil = try Image.color([0, 0, 0, 0.5])
  /// ```
  /// - Parameter color: red, green, blue and alpha, straight and sRGB-encoded; or as text. It may change over time.
  public static func color(_ color: ParameterValue, fileID: String = #fileID, line: Int = #line) throws -> Image {
    try Image(Filter(ImageKernels.color), ["color": color], fileID: fileID, line: line)
  }

  /// This image over another one; it covers what both cover.
  public func composited(over background: Image) throws(DiagnosticsError) -> Image {
    let inputs = ["inputImage": input, "backgroundImage": background.input]
    let recipe = try recipe.applying(ImageOperation.over.filter, [:], inputs: inputs, label: "over")
    return Image(recipe, supplies: supplies.merging(background.supplies))
  }

  /// A transition from this image to another one.
  ///
  /// ```swift
  /// let fade = try day.transition(to: night, with: library["dissolve"])
  /// ```
  /// Throws `DiagnosticsError` for a filter that is no transition, otherwise like ``applying(_:_:inputs:)``.
  ///
  /// - Parameter progress: from 0 to 1; nil runs over the frames that are rendered.
  public func transition(
    to end: Image, with filter: Filter, progress: ParameterValue? = nil, _ values: [String: ParameterValue] = [:],
    fileID: String = #fileID, line: Int = #line
  ) throws -> Image {
    guard filter.kind == .transition else {
      throw DiagnosticsError(
        Diagnostic(
          "input.transition", "'\(filter.name)' is no transition, but a \(filter.kind.rawValue)",
          help: ["a transition reads 'startImage' and 'endImage'; apply other filters with 'applying'"]))
    }
    var values = values
    if let progress { values["progress"] = progress }
    return try Image(filter, values, inputs: ["startImage": self, "endImage": end], fileID: fileID, line: line)
  }
}

// MARK: places and sizes

extension Image {
  /// How pixels are computed when their number changes.
  public enum Resampling: Int, Sendable, Hashable, CaseIterable {
    /// The pixel that the center of the new one lies in.
    case nearest
    /// Bilinear between the four nearest pixels; for enlarging.
    case linear
    /// The mean of the area that a new pixel covers; for reducing.
    case area
    /// A windowed sinc of three lobes: sharp, for enlarging and for reducing.
    case lanczos
    /// The cubic of Mitchell and Netravali: softer than Lanczos, with hardly any rings at edges, for enlarging and for reducing.
    case mitchell
    /// The cubic of Catmull and Rom, which other programs call bicubic: between both.
    case catmullRom
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
    get throws {
      let request = try RenderSettings().request(for: [self], .single(time: nil))
      return try request.graph(of: [("main", self)]).extent(GLSLExpressionEvaluator(cache: .user))
    }
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

  /// The image as the input of a filter.
  var input: FilterUse.Input { FilterUse.Input(recipe, address: continuesBeyondEdges ? .clamp : nil) }
}

/// An affine map of the plane, in pixels; the origin is the lower left corner of the image that is transformed.
///
/// ```swift
/// let turned = try photo.transformed(by: Transform.rotation(degrees: 30).then(.translation(x: 100, y: 0)))
/// ```
///
/// **Concurrency**: an immutable value.
public struct Transform: Sendable, Hashable {
  /// Where the point (1, 0) comes to lie, seen from where the origin does.
  public let xAxis: SIMD2<Double>
  /// Where the point (0, 1) comes to lie, seen from where the origin does.
  public let yAxis: SIMD2<Double>
  /// Where the origin comes to lie.
  public let offset: SIMD2<Double>

  /// Changes nothing.
  public static let identity = Transform(xAxis: [1, 0], yAxis: [0, 1])

  /// Makes a map from where it brings the axes and the origin.
  public init(xAxis: SIMD2<Double>, yAxis: SIMD2<Double>, offset: SIMD2<Double> = .zero) {
    self.xAxis = xAxis
    self.yAxis = yAxis
    self.offset = offset
  }

  /// Moves to the right and up, in pixels.
  public static func translation(x: Double, y: Double) -> Transform { Transform(xAxis: [1, 0], yAxis: [0, 1], offset: [x, y]) }

  /// Makes wider and higher around the origin; below 0 mirrors.
  public static func scale(x: Double, y: Double) -> Transform { Transform(xAxis: [x, 0], yAxis: [0, y]) }

  /// Turns counterclockwise around the origin; quarter turns are exact.
  public static func rotation(degrees: Double) -> Transform {
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    let quarters: [Double: SIMD2<Double>] = [0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1]]
    let axis = quarters[turn < 0 ? turn + 360 : turn] ?? [cos(turn * .pi / 180), sin(turn * .pi / 180)]
    return Transform(xAxis: axis, yAxis: [-axis.y, axis.x])
  }

  /// This map, and another one after it.
  public func then(_ next: Transform) -> Transform {
    Transform(xAxis: next.turned(xAxis), yAxis: next.turned(yAxis), offset: next.turned(offset) + next.offset)
  }

  private func turned(_ vector: SIMD2<Double>) -> SIMD2<Double> { vector.x * xAxis + vector.y * yAxis }

  /// The axes of the map back; nil when all points come to lie on a line.
  fileprivate var inverseAxes: [Double]? {
    let area = xAxis.x * yAxis.y - xAxis.y * yAxis.x
    let axes = [yAxis.y / area, -xAxis.y / area, -yAxis.x / area, xAxis.x / area]
    return (axes + [offset.x, offset.y]).allSatisfy(\.isFinite) ? axes : nil
  }
}
