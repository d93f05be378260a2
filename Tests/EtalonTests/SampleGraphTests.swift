import EtalonGraph
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// The graph documents that show how graphs are written.
@Suite struct SampleGraphTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
  private static let folder = root.appending(path: "samples/graphs")
  private static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }.sorted()) ?? []

  @Test func thereAreSamples() {
    #expect(Self.names.count >= 7)
  }

  private func request(_ name: String) throws -> RenderRequest {
    let path = Self.folder.appending(path: name).path
    try #require(GraphDocument.isGraph(path))
    let plugins = LibraryFolder(path: Self.root.appending(path: "Plugins").path, origin: .builtIn)
    var request = RenderRequest(graph: try GraphDocument.read(path), library: FilterLibrary(LibrarySearch(folders: [plugins])))
    request.size = Size(64, 36)
    request.device = TestDevice.cpu.rawValue
    return request
  }

  @Test(arguments: names) func rendersSomethingToLookAt(name: String) throws {
    let bytes = try TestShot(request(name)).picture().bytes
    let colors = Set(stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 3]) })
    #expect(colors.count > 8, "only \(colors.count) colors")
  }

  /// Three parts of a shot with feedback over a sequence, in another order, are the whole; with checkpoints, the third goes on from the second.
  @Test func bouncesInThreeParts() throws {
    let folder = try TemporaryFolder()
    func shot(_ frames: ClosedRange<Int>, _ checkpoints: CheckpointFolder?) throws -> Shot {
      var request = try request("bounces.yaml")
      request.clock = ShotClock(first: 1, rate: FrameRate(Rational(12)) ?? .sixty)
      request.frames = .range(try #require(FrameRange(frames)))
      request.checkpoints = checkpoints
      return try TestShot(request).prepared()
    }
    let whole = try shot(1...24, nil).pictures()
    #expect(Set(whole).count == 24)
    for checkpoints in [nil, CheckpointFolder(path: folder.file("checkpoints"))] {
      for (part, warmUp) in [(17...24, 16), (1...8, 0), (9...16, checkpoints == nil ? 8 : 0)] {
        let shot = try shot(part, checkpoints)
        #expect(shot.warmUp(for: shot.frames) == warmUp)
        #expect(try shot.pictures() == Array(whole[part.lowerBound - 1..<part.upperBound]), "frames \(part)")
      }
    }
  }
}
