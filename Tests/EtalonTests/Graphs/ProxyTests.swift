import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Graphs that are rendered smaller: they look like the whole, and everything that was said keeps its meaning.
@Suite struct ProxyTests {
  private let folder: TemporaryFolder
  private let ramp: String

  init() throws {
    folder = try TemporaryFolder()
    ramp = try folder.picture("ramp.png", Size(32, 16)) { x, y in [x / 2 * 16, y / 2 * 32, 100].map { UInt8($0) } }
  }

  private func shot(_ stages: [String], scale: Rational = Rational(1, 2), on device: TestDevice = .cpu) throws -> TestShot {
    let library = FilterLibrary(try LibrarySearch(named: [TestScene.plugins], environment: [:]))
    var request = RenderRequest(
      graph: try StageParser().graph(stages.map { $0.replacing("RAMP", with: ramp) }), library: library)
    request.device = device.rawValue
    request.proxy = ProxyScale(scale)
    return TestShot(request)
  }

  private func picture(_ stages: String..., on device: TestDevice = .cpu) throws -> TestPicture {
    try shot(stages, on: device).picture()
  }

  /// The mean of four equal pixels is one of them.
  @Test(arguments: TestDevice.allCases) func picturesAreSmaller(device: TestDevice) throws {
    let half = try picture("RAMP", "orient 1", on: device)
    #expect(half.size == Size(16, 8))
    #expect(half.firstDifference { x, y in [x * 16, y * 32, 100, 255] } == nil)
  }

  /// Pixels are measured in those of the whole.
  @Test(arguments: TestDevice.allCases) func pixelsMeanTheWhole(device: TestDevice) throws {
    let blocks = try picture("RAMP", "pixellate scale=8", on: device)
    #expect(try blocks == shot(["RAMP", "resize 1/2 filter=area", "pixellate scale=4"], scale: 1, on: device).picture())
    let crop = try picture("RAMP", "crop 8,4,16x8", on: device)
    #expect(crop.size == Size(8, 4))
    #expect(crop.firstDifference { x, y in [(x + 4) * 16, (y + 2) * 32, 100, 255] } == nil)
    let blur = try picture("RAMP", "gaussian-blur sigma=6", on: device)
    #expect(try blur == shot(["RAMP", "resize 1/2 filter=area", "gaussian-blur sigma=3"], scale: 1, on: device).picture())
  }

  /// Expressions see the size of the whole, on every frame, and ranges count before anything is made smaller.
  @Test func changingValues() throws {
    var proxy = try shot(["RAMP", "pixellate scale=(width/8 + 40*time)"])
    proxy.request.clock = ShotClock(rate: 10)
    proxy.request.frames = .range(try #require(FrameRange(0...4)))
    #expect(try proxy.pictures() == (0...4).map { try picture("RAMP", "pixellate scale=\(4 + 4 * $0)") })
    #expect(throws: DiagnosticsError.self) { try picture("RAMP", "pixellate scale=0.5") }
    #expect(try picture("RAMP", "pixellate scale=1").size == Size(16, 8))
  }

  @Test func generatorsAndSizes() throws {
    var shot = try shot(["linear-gradient"])
    #expect(try shot.prepared().size == Size(640, 360))
    shot.request.size = Size(100, 51)
    #expect(try shot.prepared().size == Size(50, 26))
  }

  @Test func recordsWhatItIs() throws {
    let proxy = try shot(["RAMP", "mono"]).prepared()
    let whole = try shot(["RAMP", "mono"], scale: 1).prepared()
    #expect(try proxy.provenance(of: 0).scale == Rational(1, 2))
    #expect(try whole.provenance(of: 0).scale == 1)
    #expect(proxy.recipe != whole.recipe)
  }
}
