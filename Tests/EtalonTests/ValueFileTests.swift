import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Files that values name lie beside the document in which the values stand.
@Suite struct ValueFileTests {
  private let folder: TemporaryFolder

  /// A picture, and below `parts` a table that swaps black and white, and a document that uses it.
  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.picture("flat.png", Size(8, 8)) { _, _ in [255, 255, 255] }
    try write("parts/swap.cube", "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n")
    try write(
      "parts/graded.yaml",
      """
      etalon: 1
      nodes: { graded: { filter: color-table, inputs: { inputImage: ../flat.png }, values: { lut: swap.cube } } }
      outputs: graded
      """)
  }

  private func write(_ name: String, _ text: String) throws {
    let file = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func request(_ document: String) throws -> RenderRequest {
    var request = RenderRequest(graph: try GraphDocument.read(folder.file(document), library: .builtIn), library: .builtIn)
    request.device = "cpu"
    return request
  }

  private func middle(_ request: RenderRequest) throws -> [Int] { try TestShot(request).picture().pixel(4, 4) }

  @Test func ofADocument() throws { #expect(try middle(request("parts/graded.yaml")) == [0, 0, 0, 255]) }

  @Test func ofADocumentThatIsIncluded() throws {
    try write("whole.yaml", "etalon: 1\ninclude: parts/nodes.yaml\noutputs: graded\n")
    try write(
      "parts/nodes.yaml",
      "etalon: 1\nnodes: { graded: { filter: color-table, inputs: { inputImage: ../flat.png }, values: { lut: swap.cube } } }\n")
    #expect(try middle(request("whole.yaml")) == [0, 0, 0, 255])
  }

  @Test func ofATrackInADocumentThatIsIncluded() throws {
    try write("whole.yaml", "etalon: 1\ninclude: parts/nodes.yaml\noutputs: dark\n")
    try write("parts/stops.csv", "frame,stops\n0,-1\n10,-1\n")
    try write(
      "parts/nodes.yaml",
      "etalon: 1\nnodes: { dark: { filter: exposure, inputs: { inputImage: ../flat.png }, values: { stops: '@stops.csv:stops' } } }\n")
    let drawn = try middle(request("whole.yaml"))
    #expect((180...190).contains(drawn[0]), "half of the light of 255: \(drawn)")
  }

  /// A document that keeps values names their files from where it lies itself.
  @Test func ofValuesThatAreKept() throws {
    try FileManager.default.createDirectory(at: folder.url.appending(path: "kept"), withIntermediateDirectories: true)
    var single = RenderRequest(filter: .file(TestShot.repository.appending(path: "Plugins/color/color-table/color-table.glsl").path))
    single.inputs = [.init(input: "inputImage", path: folder.file("flat.png"))]
    single.settings = [.init(name: "lut", value: folder.file("parts/swap.cube"))]
    for (name, request) in [("single", single), ("graph", try request("parts/graded.yaml"))] {
      let text = try PresetDocument(request, in: folder.file("kept")).text
      #expect(text.contains("../parts/swap.cube"), "\(text)")
      try write("kept/\(name).yaml", text)
      #expect(try middle(self.request("kept/\(name).yaml")) == [0, 0, 0, 255])
    }
  }
}
