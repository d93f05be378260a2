import Etalon
import EtalonDiagnostics
import EtalonRegression
import EtalonTypes
import Foundation
import Testing

/// What a survey looks at.
@Suite struct SurveyTargetTests {
  private func names(_ words: [String]) throws -> [String] {
    let library = FilterLibrary(LibrarySearch(folders: []))
    return try SurveyTargets(words, in: library, only: nil).targets.map(\.name)
  }

  /// Lines that are no ShaderToy are surveyed, so that they become defects with a reason; empty ones are not.
  @Test func damagedLinesAreTargets() throws {
    let folder = try TestFolder()
    try folder.write("some.jsonl", "{ \"renderpass\": [] }\n\n{ \"Shader\":\nrubbish\n")
    try folder.write("damaged.jsonl", "{ \"Shader\":\n")
    let some = folder.path + "/some.jsonl", damaged = folder.path + "/damaged.jsonl"
    #expect(try names([some]) == ["\(some):1", "\(some):3", "\(some):4"])
    #expect(try names([damaged]) == ["\(damaged):1"])
    // In a folder there may be lines of other programs.
    #expect(try names([folder.path]) == ["\(some):1", "\(some):3", "\(some):4"])
  }
}
