package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
package import EtalonPlan
package import EtalonTypes

/// What a picture is made of: a file, or a filter over other pictures.
///
/// Nothing is computed before it is lowered to a plan.
///
/// Recipes share what they have in common; two that would give the same pixels of the same parts are equal.
///
/// **Concurrency**: immutable.
package final class ImageRecipe: Sendable, Hashable {
  package enum Operation: Sendable, Hashable {
    /// Pixels that are the same in every frame.
    case picture(PixelBuffer)
    /// Pixels that come with each frame.
    case stream(ImageStream)
    case filter(FilterUse)
    /// What the node of a graph with this name showed a frame ago; transparent black on the first frame.
    case before(String)
  }

  package let operation: Operation
  /// Its name in prints and messages: `photo.png`, `blocks`.
  package let label: String
  /// Covers everything but labels.
  package let digest: ContentHash
  /// How many filters stand one behind the other in it at most; 0 for a picture.
  package let depth: Int

  /// The largest depth of a recipe: releasing a recipe releases those that it is made of recursively, which needs stack.
  package static let mostDepth = 1_000

  /// - Precondition: it is not deeper than `mostDepth`, which `result(of:label:)` checks.
  package init(_ operation: Operation, label: String) {
    self.operation = operation
    self.label = label
    var hasher = ContentHasher()
    switch operation {
    case .picture(let picture):
      hasher.add("picture", "\(picture.size) \(picture.format) \(picture.alpha)")
      hasher.add("pixels", ContentHash(of: picture.bytes).description)
      if picture.isLight { hasher.add("space", WorkingSpace.linear.rawValue) }
    case .stream(let stream):
      hasher.add("stream", stream.name)
      hasher.add("model", stream.digestText)
    case .filter(let use): use.add(to: &hasher)
    case .before(let name): hasher.add("before", name)
    }
    digest = hasher.finish()
    if case .filter(let use) = operation { depth = use.depth } else { depth = 0 }
  }

  package static func == (one: ImageRecipe, other: ImageRecipe) -> Bool { one.digest == other.digest }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension ImageRecipe {
  /// What it is made of, each once, those that others read before them, and itself last.
  ///
  /// Keeps a list of its own instead of recursing, because documents from untrusted sources decide how long a chain is.
  ///
  /// - Parameter isKnown: whether a recipe, and what that is made of, is left out.
  package func parts(besides isKnown: (ImageRecipe) -> Bool = { _ in false }) -> [ImageRecipe] {
    var seen: Set<ContentHash> = []
    var parts: [ImageRecipe] = []
    var open = [(image: self, isRead: false)]
    while let (image, isRead) = open.popLast() {
      if isRead {
        parts.append(image)
      } else if !isKnown(image), seen.insert(image.digest).inserted {
        open.append((image, true))
        guard case .filter(let use) = image.operation else { continue }
        open += use.inputs.sorted { $0.key > $1.key }.map { ($0.value.image, false) }
      }
    }
    return parts
  }
}

/// One application of a filter.
package struct FilterUse: Sendable, Hashable {
  /// A picture for an image input.
  package struct Input: Sendable, Hashable {
    package let image: ImageRecipe
    /// What lies beyond the edge where that differs from the filter's own wish.
    package let address: Sampler.AddressMode?
    /// What lies between pixel centres where that differs from the filter's own wish.
    package let interpolation: Sampler.Interpolation?

    package init(_ image: ImageRecipe, address: Sampler.AddressMode? = nil, interpolation: Sampler.Interpolation? = nil) {
      self.image = image
      self.address = address
      self.interpolation = interpolation
    }
  }

  package let filter: GraphFilter
  /// By the name of the input; every image input of the filter is there, and every frame beside its own that is read of it, as `inputImage[-1]`.
  package let inputs: [String: Input]
  package let values: ParameterValues
  /// The values that change over time, by the name of the parameter; the others are in `values`.
  package let animated: [String: AnimatedValue]
  /// The limits of values that change over time, where a graph narrows the range that the filter declares.
  package let declarations: [String: FilterParameter]
  /// What the result covers; nil is what the filter says.
  package let extent: Extent?
  /// The node that applies it.
  package let origin: UseOrigin
  /// At which moments it is applied, one after the other; empty for the frame that is rendered.
  package let moments: [Moment]

  package init(
    _ filter: GraphFilter, inputs: [String: Input], values: ParameterValues, animated: [String: AnimatedValue] = [:],
    declarations: [String: FilterParameter] = [:], extent: Extent? = nil, origin: UseOrigin = UseOrigin(), moments: [Moment] = []
  ) {
    self.filter = filter
    self.origin = origin
    self.moments = moments
    var values = values
    for case (let name, .literal(let value)) in animated { values = values.setting(name, to: value) }
    self.values = values
    self.animated = animated.filter { if case .literal = $0.value { false } else { true } }
    let still = self.animated.isEmpty ? values : values.without(Set(self.animated.keys))
    self.inputs = Self.addingMoments(to: inputs, of: filter, at: moments, still)
    self.declarations = declarations.filter { animated[$0.key] != nil }
    self.extent = extent
  }

  /// How many filters stand one behind the other at most, itself with them.
  var depth: Int { 1 + (inputs.values.map(\.image.depth).max() ?? 0) }

  fileprivate func add(to hasher: inout ContentHasher) {
    hasher.add("filter", filter.digest.description)
    for (name, input) in inputs.sorted(by: { $0.key < $1.key }) {
      hasher.add("input", name)
      hasher.add("image", input.image.digest.description)
      if let address = input.address { hasher.add("address", address.rawValue) }
      if let interpolation = input.interpolation { hasher.add("interpolation", interpolation.rawValue) }
    }
    for parameter in filter.manifest.parameters {
      hasher.add("parameter", parameter.name)
      let value = values[parameter.name].map { "\($0.components)" + ($0.columns.map { " in rows of \($0)" } ?? "") } ?? "by the clock"
      hasher.add("value", animated[parameter.name]?.recipeText ?? value)
    }
    for (name, declared) in declarations.sorted(by: { $0.key < $1.key }) {
      hasher.add("declaration", "\(name) \(declared.name) \(declared.minimum?.components ?? []) \(declared.maximum?.components ?? [])")
    }
    if let extent { hasher.add("extent", extent.description) }
    if !moments.isEmpty { hasher.add("moments", moments.map(\.identity).joined()) }
  }

  /// The same with other values and nothing that changes over time.
  func frozen(at values: ParameterValues) -> FilterUse {
    guard filter.moments.isEmpty else {
      return FilterUse(filter, inputs: inputs, values: values, extent: extent, origin: origin, moments: moments)
    }
    return FilterUse(of: self, values)
  }

  /// One that reads no other frames, with other values and nothing that changes over time.
  private init(of use: FilterUse, _ values: ParameterValues) {
    (filter, inputs, self.values, extent, origin, moments) = (use.filter, use.inputs, values, use.extent, use.origin, use.moments)
    (animated, declarations) = ([:], [:])
  }
}

/// A picture that comes with each frame: of a numbered sequence, of a sound, of a video.
package struct ImageStream: Sendable, Hashable {
  /// The planes of a video.
  package struct Planes: Sendable, Hashable {
    package let form: PlaneForm
    /// The size of the plane of luma, as it is stored.
    package let size: Size
    /// Where the first row and column belong, as in Exif: 1 to 8.
    package let orientation: Int

    package init(_ form: PlaneForm, size: Size, orientation: Int = 1) {
      (self.form, self.size, self.orientation) = (form, size, orientation)
    }
  }

  /// What is called so shows the frame that is rendered.
  package let ownName: String
  /// At which moments it shows, one after the other; empty for the frame that is rendered.
  package let moments: [Moment]
  /// Tells it from the other streams of a graph.
  package var name: String { ownName + moments.map(\.identity).joined() }
  /// What it covers: of a video upright, with square pixels.
  package let size: Size
  package let format: PixelFormat
  package let alpha: AlphaMode
  /// Whether its numbers are proportional to light, as those of OpenEXR files are; otherwise they are sRGB-encoded.
  package let isLight: Bool
  /// What the pictures of a video are made of; nil for pictures of pixels.
  ///
  /// Each plane is a stream of its own.
  package let planes: Planes?

  /// - Parameters:
  ///   - model: a picture of the size and the format that all of them have.
  ///   - alpha: what alpha means in those that have it, where the model has none; straight unless it is said.
  package init(name: String, model: PixelBuffer, alpha: AlphaMode = .straight) {
    let isSaid = model.alpha == .opaque && alpha == .premultiplied
    self.init(name: name, size: model.size, format: model.format, alpha: isSaid ? alpha : model.alpha, isLight: model.isLight)
  }

  /// A video.
  package init(name: String, size: Size, planes: Planes) {
    ownName = name
    moments = []
    self.size = size
    self.planes = planes
    format = planes.form.bits > 8 ? .rgba16 : .rgba8
    alpha = planes.form.hasAlpha ? .straight : .opaque
    isLight = false
  }

  private init(name: String, size: Size, format: PixelFormat, alpha: AlphaMode, isLight: Bool = false) {
    self.isLight = isLight
    (ownName, self.size, self.format, self.alpha) = (name, size, format, alpha)
    (planes, moments) = (nil, [])
  }

  private init(_ stream: ImageStream, moments: [Moment]) {
    (ownName, size, format, alpha, planes) = (stream.ownName, stream.size, stream.format, stream.alpha, stream.planes)
    isLight = stream.isLight
    self.moments = moments
  }

  /// The same at one moment more.
  ///
  /// - Parameter place: how many moments come before it.
  func adding(_ moment: Moment, at place: Int) -> ImageStream {
    var moments = moments
    moments.insert(moment, at: min(place, moments.count))
    return ImageStream(self, moments: moments)
  }

  /// The names of the streams that it consists of, of a video its planes, with those that show the frame that is rendered.
  package var parts: [(name: String, own: String)] {
    planes?.form.planes.map { (name(of: $0), "\(ownName)/\($0.rawValue)") } ?? [(name, ownName)]
  }

  /// What the first stream of it is called that shows the frame that is rendered.
  var firstOwnName: String { parts.first?.own ?? ownName }

  /// The stream of a plane of a video.
  func stream(of plane: PlaneForm.Plane, in planes: Planes) -> ImageStream {
    ImageStream(
      name: name(of: plane), size: planes.form.size(of: plane, in: planes.size), format: planes.form.planeFormat, alpha: .opaque)
  }

  /// What the first stream of it is called: of a video that of its first plane.
  package var firstName: String { planes.flatMap { $0.form.planes.first }.map(name(of:)) ?? name }

  /// What the stream of a plane of a video is called.
  package func name(of plane: PlaneForm.Plane) -> String { "\(name)/\(plane.rawValue)" }

  fileprivate var digestText: String {
    "\(size) \(format) \(alpha)" + (isLight ? " light" : "") + (planes.map { " \($0.size) \($0.orientation) \($0.form.digestText)" } ?? "")
  }
}

extension PlaneForm {
  /// The same for equal forms only.
  package var digestText: String {
    let color =
      "\(color.range) \(color.matrix) \(color.transfer) \(color.primaries) \(color.chromaLocation)"
      + (color.white == 203 ? "" : " \(color.white)")
    return "\(channels) \(bits) \(chromaShift.x) \(chromaShift.y) \(hasAlpha) \(color)"
  }
}

// MARK: operations

extension ImageRecipe {
  /// A filter of Etalon's own over this picture and others; values that it does not allow are refused.
  package func applying(
    _ filter: GraphFilter, _ values: [String: Value], inputs: [String: FilterUse.Input], label: String, origin: UseOrigin = UseOrigin()
  ) throws(DiagnosticsError) -> ImageRecipe {
    try Self.result(
      of: filter, values, inputs: inputs.merging(["inputImage": FilterUse.Input(self)]) { given, _ in given }, label: label, origin: origin)
  }

  /// The result of a filter of Etalon's own; values that it does not allow are refused.
  package static func result(
    of filter: GraphFilter, _ values: [String: Value], inputs: [String: FilterUse.Input] = [:], label: String,
    origin: UseOrigin = UseOrigin()
  ) throws(DiagnosticsError) -> ImageRecipe {
    let names = Set(filter.manifest.parameters.map(\.name))
    precondition(names.isSuperset(of: values.keys), "'\(label)' has no parameters \(Set(values.keys).subtracting(names).sorted())")
    var checked = ParameterValues(defaultsOf: filter.manifest)
    var diagnostics: [Diagnostic] = []
    for parameter in filter.manifest.parameters {
      guard let value = values[parameter.name] else { continue }
      let text = ValueConversion.plainText(value)
      diagnostics += ParameterCheck(parameter).violations(of: value).map {
        Diagnostic($0.id, "\(text) \($0.complaint) of '\(label)'", help: $0.help, notes: $0.notes)
      }
      checked = checked.setting(parameter.name, to: value)
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    return try result(of: FilterUse(filter, inputs: inputs, values: checked, origin: origin), label: label)
  }

  /// The result of a filter; one filter more than may stand one behind the other is refused.
  package static func result(of use: FilterUse, label: String) throws(DiagnosticsError) -> ImageRecipe {
    guard use.depth <= mostDepth else { throw DiagnosticsError(use.origin.placed(tooDeep(), besides: use.filter.manifest.name)) }
    let found = use.momentDiagnostics.map { use.origin.placed($0, besides: "") }
    guard found.isEmpty else { throw DiagnosticsError(found) }
    return ImageRecipe(.filter(use), label: label)
  }

  /// What is wrong with more filters than may stand one behind the other.
  static func tooDeep(_ labels: [Diagnostic.Label] = []) -> Diagnostic {
    Diagnostic(
      "limit.depth", "more than \(mostDepth) filters stand one behind the other", labels: labels,
      help: ["render the filters before this one to a picture, and put the others over that picture"])
  }
}

extension ImageGraph {
  /// The part of the plane that its first output covers; values that change over time count as their defaults.
  ///
  /// Throws what is wrong with sizes, at the place of the expression that gives them.
  package func extent(_ evaluator: any ExpressionEvaluator) throws -> Extent {
    let layout = try GraphLayout(self, evaluator: evaluator)
    return layout.nodes[layout.outputs[0].node].extent
  }
}

// MARK: feedback

extension ImageRecipe {
  /// The same picture with other names for the feedback that it reads; the picture itself where it reads none of it.
  package func renamingFeedback(_ names: [String: String]) -> ImageRecipe {
    var renaming = FeedbackRenaming(names)
    return renaming.image(self)
  }
}

/// Rebuilds recipes, each once.
private struct FeedbackRenaming {
  private let names: [String: String]
  private var known: [ContentHash: ImageRecipe] = [:]

  init(_ names: [String: String]) { self.names = names }

  mutating func image(_ image: ImageRecipe) -> ImageRecipe {
    for part in image.parts(besides: { known[$0.digest] != nil }) { known[part.digest] = rebuilt(part) }
    return known[image.digest] ?? image
  }

  /// A recipe whose pictures are rebuilt.
  private func rebuilt(_ image: ImageRecipe) -> ImageRecipe {
    switch image.operation {
    case .picture, .stream: return image
    case .before(let name): return names[name].map { ImageRecipe(.before($0), label: image.label) } ?? image
    case .filter(let use):
      var inputs: [String: FilterUse.Input] = [:]
      for (name, input) in use.inputs {
        inputs[name] = FilterUse.Input(known[input.image.digest] ?? input.image, address: input.address, interpolation: input.interpolation)
      }
      guard inputs != use.inputs else { return image }
      let renamed = FilterUse(
        use.filter, inputs: inputs, values: use.values, animated: use.animated, declarations: use.declarations, extent: use.extent,
        origin: use.origin, moments: use.moments)
      return ImageRecipe(.filter(renamed), label: image.label)
    }
  }
}
