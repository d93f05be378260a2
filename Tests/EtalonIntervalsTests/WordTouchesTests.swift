import Testing

@testable import EtalonIntervals

/// Who may read and write a word of a buffer without a race.
@Suite struct WordTouchesTests {
  private func lane(_ lane: Int, barriers: Int = 0, workgroup: Int = 0) -> Toucher {
    Toucher(workgroup: workgroup, lane: lane, barriers: barriers)
  }

  @Test func oneOfManyReadersThatWritesRacesWithTheOthers() {
    var touches = WordTouches()
    for reader in 0..<8 { #expect(touches.add(lane(reader), writes: false)) }
    #expect(!touches.add(lane(7), writes: true))
  }

  @Test func workgroupsRaceWhateverTheirBarriers() {
    var touches = WordTouches()
    #expect(touches.add(lane(0), writes: false))
    #expect(touches.add(lane(0, workgroup: 1), writes: false))
    #expect(!touches.add(lane(0, barriers: 1, workgroup: 1), writes: true))
  }

  @Test func barriersOrderTheLanesOfAWorkgroup() {
    var touches = WordTouches()
    for reader in 0..<8 { #expect(touches.add(lane(reader), writes: false)) }
    #expect(touches.add(lane(3, barriers: 1), writes: true))
    #expect(!touches.add(lane(4, barriers: 1), writes: false))
    #expect(touches.add(lane(4, barriers: 2), writes: false))
  }

  @Test func oneLaneAloneHasAnOrder() {
    var touches = WordTouches()
    for writes in [false, true, false, true] { #expect(touches.add(lane(2), writes: writes)) }
  }
}
