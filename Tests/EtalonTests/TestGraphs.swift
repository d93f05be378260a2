import EtalonCompiler
import EtalonGraph
import EtalonManifest
import EtalonPlan
import EtalonTypes
import Foundation
import Synchronization

@testable import Etalon

/// Graphs of the filters that Etalon ships over a small picture.
struct TestGraphs: Sendable {
  let kernels: KernelStore
  let plans: PlanStore
  private let filters = KnownFilters()
  private let library = FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: Self.plugins, origin: .builtIn)]))
  let evaluator = GLSLExpressionEvaluator(cache: nil)
  private static let plugins = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Plugins").standardized.path
  let size: Size

  init(size: Size = Size(48, 32)) {
    self.size = size
    kernels = KernelStore(compiler: ShaderCompiler(cache: nil))
    plans = PlanStore(kernels, evaluator, limit: 32)
  }

  /// A picture whose pixels all differ, some of them transparent.
  var photo: ImageRecipe {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width { bytes += [x * 5, y * 8, x * y % 256, 255 - (x + y) % 3 * 60].map { UInt8($0) } }
    }
    return ImageRecipe(.picture(PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)), label: "photo")
  }

  /// A filter that Etalon ships.
  func filter(_ name: String) throws -> GraphFilter {
    try filters.filter(name) { GraphFilter(try FilterFile.read(try library.location(of: name)).manifest) }
  }

  /// A filter that Etalon ships over other pictures.
  ///
  /// - Parameter animated: GLSL by the name of the parameter.
  func use(
    _ name: String, _ inputs: [String: ImageRecipe], _ values: [String: String] = [:], animated: [String: String] = [:]
  ) throws -> ImageRecipe {
    let filter = try filter(name)
    let use = FilterUse(
      filter, inputs: inputs.mapValues { FilterUse.Input($0) }, values: try ParameterValues(values, of: filter.manifest),
      animated: animated.mapValues { .expression(AnimatedExpression($0)) })
    return ImageRecipe(.filter(use), label: name)
  }

  /// A shader of the tests, a `.glsl` file unless its name says otherwise, over a picture where it reads one.
  func shader(
    _ name: String, _ image: ImageRecipe? = nil, address: Sampler.AddressMode? = nil, _ values: [String: String] = [:]
  ) throws -> ImageRecipe {
    let file = name.contains(".") ? name : "\(name).glsl"
    let filter = GraphFilter(try FilterFile.read(TestShot.folder.appending(path: file).path).manifest)
    let use = FilterUse(
      filter, inputs: image.map { ["inputImage": .init($0, address: address)] } ?? [:],
      values: try ParameterValues(values, of: filter.manifest))
    return ImageRecipe(.filter(use), label: name)
  }

  /// A rectangle of a picture.
  func crop(_ image: ImageRecipe, _ extent: Extent) throws -> ImageRecipe {
    let rectangle = [
      ("left", extent.x), ("bottom", extent.y), ("width", extent.size.width), ("height", extent.size.height),
    ].map { ($0, Value(.int, [Double($1)])) }
    return try image.applying(
      ImageOperation.crop.filter, Dictionary(uniqueKeysWithValues: rectangle), inputs: [:], label: "crop")
  }

  /// A picture with more or fewer pixels.
  ///
  /// - Parameter animated: whether the size is GLSL over clocks and the size of the graph.
  func resize(_ image: ImageRecipe, _ size: String, animated: Bool = false) throws -> ImageRecipe {
    let filter = ImageOperation.resize.filter
    let use = FilterUse(
      filter, inputs: ["inputImage": .init(image)], values: try ParameterValues(animated ? [:] : ["size": size], of: filter.manifest),
      animated: animated ? ["size": .expression(AnimatedExpression(size))] : [:])
    return ImageRecipe(.filter(use), label: "resize")
  }

  /// A picture as the only output, without rounding anywhere.
  func graph(_ image: ImageRecipe, feedback: [String: ImageRecipe] = [:]) -> ImageGraph {
    ImageGraph(outputs: [.init(image: image, format: .rgba32f, alpha: .premultiplied)], feedback: feedback, format: .rgba32f)
  }

  /// Filters one after the other.
  func chain(_ names: [String]) throws -> ImageGraph {
    let image = try names.reduce(photo) { try use($1, ["inputImage": $0]) }
    return graph(image)
  }

  /// A circle of the picture in blocks, the rest as it is.
  func mask() throws -> ImageGraph {
    let image = try use(
      "blend-with-mask",
      [
        "inputImage": use("pixellate", ["inputImage": photo]), "backgroundImage": photo, "maskImage": use("radial-gradient", [:]),
      ])
    return graph(image)
  }

  func plan(
    _ graph: ImageGraph, values: [ContentHash: ParameterValues] = [:], fuses: Bool = true, hoists: Bool = true, crops: Bool = true
  ) throws -> GraphPlan {
    var graph = graph
    graph.options = PlanOptions(fuses: fuses, hoists: hoists, crops: crops)
    return try GraphPlan(graph, values: values, source: kernels, evaluator: evaluator)
  }

  /// The components of the first output on the first frame, from the top left on.
  func floats(_ graph: ImageGraph, fuses: Bool = true, crops: Bool = true, on device: TestDevice) throws -> [Float] {
    let plan = try plan(graph, fuses: fuses, crops: crops)
    let backend = try DeviceSelection(device.rawValue, timeout: nil).backend
    let execution = try backend.prepare(plan, framesInFlight: 1)
    let state = FrameState(frame: 0, clock: ShotClock(), pointer: nil, date: .fixed)
    let pending = try execution.submit(plan.values(frame: 0, state: state))
    defer { pending.release() }
    try pending.wait()
    var bytes: [UInt8] = []
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return bytes.floats
  }
}

/// Filters that were read, each once.
private final class KnownFilters: Sendable {
  private let known = Mutex<[String: GraphFilter]>([:])

  func filter(_ name: String, read: () throws -> GraphFilter) throws -> GraphFilter {
    if let filter = known.withLock({ $0[name] }) { return filter }
    let filter = try read()
    known.withLock { $0[name] = filter }
    return filter
  }
}
