import EtalonDiagnostics
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

  @Test func tracksOfValuesThatAreKept() throws {
    try FileManager.default.createDirectory(at: folder.url.appending(path: "kept"), withIntermediateDirectories: true)
    try write("parts/stops.csv", "frame,stops\n0,-1\n10,-1\n")
    let values = ["'@stops.csv:stops'", "{ track: stops.csv, column: stops }"]
    for (number, value) in values.enumerated() {
      try write(
        "parts/dark\(number).yaml",
        """
        etalon: 1
        nodes: { dark: { filter: exposure, inputs: { inputImage: ../flat.png }, values: { stops: \(value) } } }
        outputs: dark
        """)
      var typed = RenderRequest(filter: .file(TestShot.repository.appending(path: "Plugins/color/exposure/exposure.glsl").path))
      typed.inputs = [.init(input: "inputImage", path: folder.file("flat.png"))]
      let text = value.replacing("'", with: "").replacing("stops.csv", with: folder.file("parts/stops.csv"))
      typed.settings = [.init(name: "stops", value: text)]
      for request in [try request("parts/dark\(number).yaml"), typed] {
        let text = try PresetDocument(request, in: folder.file("kept")).text
        #expect(text.contains("../parts/stops.csv"), "\(text)")
        try write("kept/dark.yaml", text)
        #expect(try (180...190).contains(middle(self.request("kept/dark.yaml"))[0]))
      }
    }
  }

  /// They are known before anything is loaded, so that results cannot take their place.
  @Test func areKnownBeforeAnythingIsLoaded() throws {
    try write("whole.yaml", "etalon: 1\ninclude: parts/nodes.yaml\noutputs: inverted\n")
    try write("parts/nodes.yaml", "etalon: 1\nnodes: { inverted: { filter: invert, values: { inputImage: dark.png } } }\n")
    #expect(try request("whole.yaml").namedPictures.map(\.path) == [folder.file("parts/dark.png")])
  }

  /// A parameter's default starts at the document that has it, a setting of a node where it is typed.
  @Test func ofParametersOfADocument() throws {
    try write("parts/stops.csv", "frame,stops\n0,-1\n10,-1\n")
    try write("whole.yaml", "etalon: 1\ninclude: parts/nodes.yaml\noutputs: dark\n")
    try write(
      "parts/nodes.yaml",
      """
      etalon: 1
      nodes: { dark: { filter: exposure, inputs: { inputImage: ../flat.png } } }
      parameters: { light: { sets: dark.stops, default: '@stops.csv:stops' } }
      """)
    #expect(try (180...190).contains(middle(request("whole.yaml"))[0]))
    var typed = try request("whole.yaml")
    typed.settings = [.init(name: "dark.stops", value: "@stops.csv:stops")]
    #expect(throws: (any Error).self) { try middle(typed) }
    typed.settings = [.init(name: "dark.stops", value: "@\(folder.file("parts/stops.csv")):stops")]
    #expect(try (180...190).contains(middle(typed)[0]))
  }

  @Test(arguments: ["[swap.cube]", "{ 0: swap.cube }", "''"]) func valuesThatAreNoNamesAreRefused(value: String) throws {
    try write(
      "odd.yaml",
      "etalon: 1\nnodes: { a: { filter: color-table, inputs: { inputImage: flat.png }, values: { lut: \(value) } } }\noutputs: a\n")
    let error = #expect(throws: DiagnosticsError.self) { try middle(request("odd.yaml")) }
    #expect(error?.diagnostics.first?.message == "'lut' is a color table, and its value is not the name of a file", "\(error as Any)")
  }

  /// A text that begins as a track does is a text.
  @Test func textsNameNoFiles() throws {
    try FileManager.default.createDirectory(at: folder.url.appending(path: "kept"), withIntermediateDirectories: true)
    var typed = RenderRequest(filter: .file(TestShot.repository.appending(path: "Plugins/generate/text/text.glsl").path))
    typed.settings = [.init(name: "text", value: "@home: one")]
    #expect(try PresetDocument(typed, in: folder.file("kept")).text.contains(#""text": "@home: one""#))
    try write("parts/signed.yaml", "etalon: 1\nnodes: { a: { filter: text, values: { text: '@home: one' } } }\noutputs: a\n")
    #expect(try PresetDocument(request("parts/signed.yaml"), in: folder.file("kept")).text.contains(#""text": "@home: one""#))
  }
}
