import EtalonCPU
import EtalonGraph
import EtalonPlan
import EtalonTypes

@testable import Etalon

/// A graph that is planned once and rendered in parts, each by a shot of its own, as runs of the command would.
struct GraphShots {
  /// Shared, because kernels that several graphs have are compiled once.
  private static let backend = CPUBackend(.init(threadCount: 1))

  private let graph: ImageGraph
  private let animation: ShotAnimation
  private let request: RenderRequest
  private let sources: [String: any PictureSource]

  /// - Parameter frames: how many frames there are, from 0 on.
  init(_ graph: ImageGraph, of graphs: TestGraphs, frames: Int, isPlain: Bool = false, crops: Bool = true) throws {
    var graph = graph
    if isPlain { graph.options = PlanOptions(fuses: false, hoists: false) }
    graph.options.crops = crops
    self.graph = graph
    request = Self.request(Array(0..<frames))
    animation = try ShotAnimation(graph, of: request, plans: graphs.plans)
    sources = [MovingPictures.name: MovingPictures(size: graphs.size)]
  }

  var plan: Plan { animation.first.plan.plan.plan }

  private static func request(_ frames: [Int]) -> RenderRequest {
    var request = RenderRequest(filter: .standardInput)
    request.clock = ShotClock(rate: FrameRate(Rational(12)) ?? .sixty)
    if let range = FrameRange(frames) { request.frames = .range(range) }
    return request
  }

  /// The bytes of some frames, rendered in their order by one shot.
  func bytes(_ frames: [Int], _ checkpoints: CheckpointFolder? = nil) throws -> [Int: [UInt8]] {
    let shot = try shot(frames, checkpoints)
    defer { shot.keepState() }
    var bytes: [Int: [UInt8]] = [:]
    for frame in frames {
      guard let pending = try shot.submit(frame) else { continue }
      defer { pending.release() }
      try pending.wait()
      bytes[frame] = PixelBuffer(copying: PendingRows(pending, shot.output)).bytes
    }
    return bytes
  }

  /// The bytes of frames that are rendered in parts, one after the other.
  func bytes(inParts parts: [[Int]], _ checkpoints: CheckpointFolder? = nil) throws -> [Int: [UInt8]] {
    var bytes: [Int: [UInt8]] = [:]
    for part in parts { bytes.merge(try self.bytes(part, checkpoints)) { _, new in new } }
    return bytes
  }

  private func shot(_ frames: [Int], _ folder: CheckpointFolder?) throws -> Shot {
    var request = Self.request(frames)
    request.checkpoints = folder
    let subject = ShotSubject(name: "graph", values: [:], warnings: [], files: [])
    return try Shot(
      request, BuiltGraph(image: graph, sources: sources, subject: subject), animation, events: nil, on: Self.backend,
      pool: PlanPool(limit: 0))
  }
}

/// A picture whose bright corner wanders from frame to frame.
struct MovingPictures: ModelSource {
  static let name = "plate"
  let size: Size

  var model: PixelBuffer { picture(0) }

  private func picture(_ shift: Int) -> PixelBuffer {
    let bytes = (0..<size.pixelCount).flatMap { place in
      let (x, y) = ((place + 3 * shift) % size.width, place / size.width)
      return [UInt8(x * 255 / size.width), UInt8(y * 255 / size.height), UInt8(shift * 40 % 256), UInt8(x + y > 6 ? 255 : 90)]
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)
  }

  private func shift(at time: Rational) -> Int { (time * Rational(12)).floor }

  func check(_ time: Rational, ofFrame frame: Int) {}
  func picture(at time: Rational) -> FramePicture { FramePicture(picture(shift(at: time))) }
  func digest(at time: Rational) -> String { "\(shift(at: time))" }
  func files(at times: [Rational]) -> [String] { [] }
  func opened(for request: RenderRequest) -> any PictureSource { self }
}
