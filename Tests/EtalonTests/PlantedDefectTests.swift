import Testing

/// Defects of every kind that are planted in real shaders: each is found on its line, and nothing else is.
@Suite struct PlantedDefectTests {
  @Test func thereAreFourOfEveryKind() {
    let counts = Dictionary(grouping: PlantedDefect.all, by: \.kind).mapValues(\.count)
    #expect(counts.count >= 15 && counts.values.allSatisfy { $0 >= 4 })
    #expect(Set(PlantedDefect.kinds).count == PlantedDefect.kinds.count)
  }

  @Test(arguments: PlantedDefect.kinds) func isFoundOnItsLineAndNowhereElse(kind: String) throws {
    for defect in PlantedDefect.all where defect.kind == kind {
      let (found, expected) = try defect.findings()
      #expect(found == [expected], "\(defect.testDescription)")
    }
  }
}
