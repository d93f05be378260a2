import EtalonPlugins
import Foundation
import Testing

@testable import Etalon

@Suite struct BuiltInFilterTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Plugins")

  @Test func theBuildHasEveryCategory() throws {
    let built = try FileManager.default.contentsOfDirectory(atPath: #require(BuiltInFilters.folder))
    let written = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter {
      !$0.hasSuffix(".swift") && !$0.hasPrefix(".") && $0 != "tests"  // The pictures that cases share are not shipped.
    }
    #expect(built.sorted() == written.sorted(), "a category is missing among the resources of EtalonPlugins in Package.swift")
  }

  @Test func nothingButFiltersIsFound() throws {
    let scan = LibraryScan(Self.sources.path)
    #expect(scan.diagnostics == [])
    #expect(scan.candidates.allSatisfy { $0.categories.count == 1 }, "filters lie in Plugins/<category>/<filter>/")
    #expect(Set(scan.candidates.map(\.name)).count == scan.candidates.count)
  }

  /// A folder can be copied as it is, so that what two filters share lies in both: always the same.
  @Test func sharedFilesAreTheSameEverywhere() throws {
    let names = FileManager.default.enumerator(atPath: Self.sources.path)?.compactMap { $0 as? String } ?? []
    let shared = names.filter { name in
      !name.contains("tests/") && [".inc", ".png", ".txt", ".cube"].contains { name.hasSuffix($0) }
    }
    #expect(shared.count >= 6)
    for files in Dictionary(grouping: shared, by: { URL(filePath: $0).lastPathComponent }).values {
      let texts = try Set(files.map { try Data(contentsOf: Self.sources.appending(path: $0)) })
      #expect(texts.count == 1, "\(files.sorted())")
    }
  }
}
