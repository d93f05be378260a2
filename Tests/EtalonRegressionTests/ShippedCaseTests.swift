import Etalon
import EtalonRegression
import Foundation
import Testing

/// The cases of the filters that Etalon ships, and of the samples.
@Suite struct ShippedCaseTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path

  private static func selection(_ folder: String) throws -> TestSelection {
    TestSelection(["\(root)/\(folder)"], in: FilterLibrary(try LibrarySearch(named: ["\(root)/\(folder)"], environment: [:])))
  }

  private static func cases(_ folder: String) -> [TestCase] { (try? selection(folder).cases) ?? [] }

  @Test(arguments: ["Plugins", "samples"]) func everyFilterHasCases(folder: String) throws {
    let selection = try Self.selection(folder)
    #expect(selection.diagnostics == [])
    #expect(selection.cases.count > 15)
    #expect(selection.cases.filter(\.isPlain).map(\.path) == [])
  }

  @Test(arguments: cases("Plugins") + cases("samples")) func looksAsApproved(testCase: TestCase) throws {
    let place = ResultsPlace(
      json: FileManager.default.temporaryDirectory.appending(path: "etalon-shipped-\(UUID().uuidString)/r.json").path)
    defer { try? FileManager.default.removeItem(atPath: place.folder) }
    let settings = CaseRun.Settings(device: "cpu", folder: place.folder, pictures: place.pictures, today: "2026-01-01")
    let library = FilterLibrary(try LibrarySearch(named: ["\(Self.root)/samples"], environment: [:]))
    let result = try CaseRun(settings, library: library).run(testCase)
    #expect(result.verdict == .passed, "\(result.reason)")
    for picture in result.frames.flatMap(\.pictures.values).sorted() {
      Attachment.record([UInt8](try Data(contentsOf: URL(filePath: place.path(of: picture)))), named: picture.replacing("/", with: "-"))
    }
  }
}
