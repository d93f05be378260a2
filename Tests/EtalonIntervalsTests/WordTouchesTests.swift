import Testing

@testable import EtalonIntervals

/// Who may read and write a word of a buffer without a race.
@Suite struct WordTouchesTests {
  /// Whether lanes may do one after the other what they do, where nothing but barriers orders them.
  ///
  /// - Parameter areAtomic: whether all but the last step are atomic.
  private func isOrdered(_ steps: [(lane: Int, barriers: Int, workgroup: Int, writes: Bool)], areAtomic: Bool = false) -> Bool {
    var touches = WordTouches()
    return steps.enumerated().allSatisfy { place, step in
      let isAtomic = areAtomic && place < steps.count - 1
      return touches.add(
        Toucher(workgroup: step.workgroup, lane: step.lane, barriers: step.barriers, isAtomic: isAtomic), writes: step.writes)
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

  /// All lanes but the last access are atomic: a plain one beside them races, whichever lane came last.
  @Test func plainAccessesRaceWithAtomicOnes() {
    let atomics = (0..<8).map { (lane: $0, barriers: 0, workgroup: 0, writes: true) }
    #expect(!isOrdered(atomics + [(7, 0, 0, false)], areAtomic: true))
    #expect(isOrdered(atomics + [(7, 1, 0, false)], areAtomic: true))
  }

  @Test func oneLaneAloneHasAnOrder() {
    #expect(isOrdered([(2, 0, 0, false), (2, 0, 0, true), (2, 0, 0, false), (2, 0, 0, true)]))
  }
}
