internal import EtalonGraph
internal import EtalonMedia

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
/// Mistakes surface in the call that makes them. What only shows when sizes are known, or in some frame, is told when the image is rendered, with the file and the line of that call, which the parameters
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

  /// Adds the recipe.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(recipe)
    hasher.combine(continuesBeyondEdges)
  }
}

extension Image {
  /// Reads a PNG or JPEG picture, once.
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
  /// Mistakes surface here: `DiagnosticsError` names parameters and inputs that the filter does not have, with the nearest ones, values that are out of
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
