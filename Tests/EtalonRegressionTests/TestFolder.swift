import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTypes
import Foundation

/// A folder with filters and cases that a test makes, and that is gone with it.
final class TestFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "etalon-cases-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws { try TextFile.write(text, to: "\(path)/\(name)") }

  /// A generator that gives an expression of `uv` for its color, with a parameter `level`.
  func writeFilter(_ name: String, _ expression: String) throws {
    let header = #"{ "ETALON": 1, "INPUTS": [{ "NAME": "level", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1 }] }"#
    let text = "/*\(header)*/\nvec4 imageKernel(vec2 position) { vec2 uv = position / RENDERSIZE; return \(expression); }\n"
    try write("\(name)/\(name).glsl", text)
  }

  /// A filter that gives an expression of the input's `color`.
  func writeColorFilter(_ name: String, _ expression: String) throws {
    let header = #"{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }"#
    try write("\(name)/\(name).glsl", "/*\(header)*/\nvec4 colorKernel(vec4 color) { return \(expression); }\n")
  }

  /// A picture of squares.
  func writePicture(_ name: String, size: Size = Size(16, 12), light: UInt8 = 200) throws {
    let bytes = (0..<size.pixelCount).flatMap { pixel -> [UInt8] in
      let isLight = (pixel % size.width / 4 + pixel / size.width / 4) % 2 == 0
      return [isLight ? light : 40, UInt8(pixel % size.width * 10), UInt8(pixel / size.width * 10), 255]
    }
    let place = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    let file = try AtomicFile(place.path, replacing: .anything)
    try PNGEncoder().encode(PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes), to: file)
    try file.commit()
  }

  /// The files below a folder.
  func files(_ name: String) -> [String] {
    let root = "\(path)/\(name)", below = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return below.map { "\(root)/\($0)" }.filter { !URL(filePath: $0).hasDirectoryPath }
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  // MARK: running

  var place: ResultsPlace { ResultsPlace(json: "\(path)/out/results.json") }

  func selection(_ words: String...) throws -> TestSelection {
    TestSelection(words.map { $0.isEmpty ? path : "\(path)/\($0)" }, in: FilterLibrary(try LibrarySearch(named: [path], environment: [:])))
  }

  /// Runs everything in this process.
  func run(device: String = "cpu", record: RecordMode = .never, today: String = "2026-05-01") throws -> TestResults {
    place.clear()
    var settings = CaseRun.Settings(device: device, folder: place.folder, pictures: place.pictures, today: today)
    settings.keepsAll = record == .all
    let library = FilterLibrary(try LibrarySearch(named: [path], environment: [:]))
    let run = try CaseRun(settings, library: library)
    var results = TestResults(device: run.device, command: [], started: "2026-05-01T12:00:00Z")
    let selection = try selection("")
    results.cases = selection.cases.map { run.settled(run.run($0), $0) }
    try Recorder(record, folder: place.folder).record(&results)
    try results.write(to: place.path)
    return results
  }

  func approve(_ names: [String] = []) throws -> [Approval.Copy] {
    let library = FilterLibrary(try LibrarySearch(named: [path], environment: [:]))
    return try Approval(TestResults(contentsOf: place.path), place: place, library: library).approve(names)
  }
}

extension TestResults {
  /// The verdicts of the cases by their names.
  var verdicts: [String: Verdict] { Dictionary(cases.map { ($0.name, $0.verdict) }) { first, _ in first } }
}
