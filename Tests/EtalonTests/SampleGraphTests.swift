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
    #expect(Self.names.count >= 6)
  }

  @Test(arguments: names) func rendersSomethingToLookAt(name: String) throws {
    let path = Self.folder.appending(path: name).path
    try #require(GraphDocument.isGraph(path))
    let plugins = LibraryFolder(path: Self.root.appending(path: "Plugins").path, origin: .builtIn)
    var request = RenderRequest(graph: try GraphDocument.read(path), library: FilterLibrary(LibrarySearch(folders: [plugins])))
    request.size = Size(64, 36)
    request.device = TestDevice.cpu.rawValue
    let shot = TestShot(request)
    let bytes = try shot.picture().bytes
    let colors = Set(stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 3]) })
    #expect(colors.count > 8, "only \(colors.count) colors")
  }
}
