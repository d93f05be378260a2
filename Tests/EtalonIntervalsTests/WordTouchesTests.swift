import Testing

@testable import EtalonIntervals

/// Who may read and write a word of a buffer without a race.
@Suite struct WordTouchesTests {
  /// Whether lanes may do one after the other what they do, where nothing but barriers orders them.
  private func isOrdered(_ steps: [(lane: Int, barriers: Int, workgroup: Int, writes: Bool)]) -> Bool {
    var touches = WordTouches()
    return steps.allSatisfy { step in
      touches.add(Toucher(workgroup: step.workgroup, lane: step.lane, barriers: step.barriers, isAtomic: false), writes: step.writes)
    }
  }

  private let readers = (0..<8).map { (lane: $0, barriers: 0, workgroup: 0, writes: false) }

  @Test func oneOfManyReadersThatWritesRacesWithTheOthers() {
    #expect(isOrdered(readers))
    #expect(!isOrdered(readers + [(7, 0, 0, true)]))
  }

  @Test func workgroupsRaceWhateverTheirBarriers() {
    #expect(isOrdered([(0, 0, 0, false), (0, 0, 1, false)]))
    #expect(!isOrdered([(0, 0, 0, false), (0, 0, 1, false), (0, 1, 1, true)]))
  }

  @Test func barriersOrderTheLanesOfAWorkgroup() {
    #expect(isOrdered(readers + [(3, 1, 0, true), (4, 2, 0, false)]))
    #expect(!isOrdered(readers + [(3, 1, 0, true), (4, 1, 0, false)]))
  }

  @Test func oneLaneAloneHasAnOrder() {
    #expect(isOrdered([(2, 0, 0, false), (2, 0, 0, true), (2, 0, 0, false), (2, 0, 0, true)]))
  }
}
