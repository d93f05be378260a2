import Etalon
import EtalonRegression
import Testing

/// The case that comes with a new filter can be recorded and passes.
@Suite struct NewFilterTests {
  @Test(arguments: FilterTemplate.allCases) func theCaseOfANewFilterRuns(template: FilterTemplate) throws {
    let folder = try TestFolder()
    _ = try NewFilter(template, named: "glow", in: folder.path).write()
    #expect(try folder.run().verdicts == ["default": .missingReference])
    #expect(try folder.run(record: .missing).recorded.count == 1)
    #expect(try folder.run().verdicts == ["default": .passed])
  }
}
