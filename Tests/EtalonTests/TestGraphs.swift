import EtalonCompiler
import EtalonExpressions
import EtalonGraph
import EtalonManifest
import EtalonPlan
import EtalonTypes
import Foundation

@testable import Etalon

/// Graphs of the filters that Etalon ships over a small picture.
struct TestGraphs {
  private let kernels = KernelStore(compiler: ShaderCompiler(cache: nil), deadline: nil)
  private let library = FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: Self.plugins, origin: .builtIn)]))
  private static let plugins = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Plugins").standardized.path
  let size = Size(48, 32)

  /// A picture whose pixels all differ, some of them transparent.
  var photo: ImageRecipe {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width { bytes += [x * 5, y * 8, x * y % 256, 255 - (x + y) % 3 * 60].map { UInt8($0) } }
    }
    return ImageRecipe(.picture(PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)), label: "photo")
  }

  /// A filter that Etalon ships over other pictures.
  func use(_ name: String, _ inputs: [String: ImageRecipe], _ values: [String: String] = [:]) throws -> ImageRecipe {
    let reading = try FilterFile.read(try library.location(of: name))
    let use = FilterUse(
      GraphFilter(reading.manifest), inputs: inputs.mapValues { FilterUse.Input($0) },
      values: try ParameterValues(values, of: reading.manifest))
    return ImageRecipe(.filter(use), label: name)
  }

  /// Filters one after the other.
  func chain(_ names: [String]) throws -> ImageGraph {
    let image = try names.reduce(photo) { try use($1, ["inputImage": $0]) }
    return ImageGraph(outputs: [.init(image: image, format: .rgba32f, alpha: .premultiplied)], format: .rgba32f)
  }

  /// A circle of the picture in blocks, the rest as it is.
  func mask() throws -> ImageGraph {
    let image = try use(
      "blend-with-mask",
      [
        "inputImage": use("pixellate", ["inputImage": photo]), "backgroundImage": photo, "maskImage": use("radial-gradient", [:]),
      ])
    return ImageGraph(outputs: [.init(image: image, format: .rgba32f, alpha: .premultiplied)], format: .rgba32f)
  }

  func plan(_ graph: ImageGraph, fuses: Bool) throws -> GraphPlan {
    var graph = graph
    graph.fuses = fuses
    return try GraphPlan(graph, source: kernels, evaluator: GLSLExpressionEvaluator(cache: nil))
  }

  /// The components of the first output on the first frame, from the top left on.
  func floats(_ graph: ImageGraph, fuses: Bool, on device: TestDevice) throws -> [Float] {
    let plan = try plan(graph, fuses: fuses)
    let backend = try DeviceSelection(device.rawValue, timeout: nil).backend
    let execution = try backend.prepare(plan.plan, imports: plan.imports, framesInFlight: 1)
    let state = FrameState(frame: 0, clock: ShotClock(), pointer: nil, date: .fixed)
    let pending = try execution.submit(plan.values(frame: 0, state: state))
    defer { pending.release() }
    try pending.wait()
    var bytes: [UInt8] = []
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return stride(from: 0, to: bytes.count, by: 4).map { place in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) })
    }
  }
}
