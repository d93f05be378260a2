import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Testing

@testable import EtalonFarm

/// Where shots are cut, and why there.
@Suite struct JobCutTests {
  private func outline(_ frames: ClosedRange<Int>, _ memory: StateMemory = .none, stateShare: Double = 0) -> ShotOutline {
    outline(Array(frames), memory, stateShare: stateShare)
  }

  private func outline(_ frames: [Int], _ memory: StateMemory, stateShare: Double = 0) -> ShotOutline {
    ShotOutline(
      frames: frames, shot: (frames.min() ?? 0)...(frames.max() ?? 0), clock: ShotClock(first: 0, start: .zero, rate: 24),
      size: Size(16, 16),
      isLive: false, name: "trail", files: [], memory: memory, stateShare: stateShare, dependsOnRange: false, outputNames: ["main"])
  }

  @Test func framesWithoutMemoryAreCutAnywhere() throws {
    let cut = try JobCut(.auto, of: outline(0...9), .init(workers: 1))
    #expect(cut.method == .frames)
    #expect(cut.chunks == ["0-1", "2-4", "5-6", "7-9"])
    #expect(cut.chunkSize == 3)
    #expect(cut.checkpoints.isEmpty)
    #expect(cut.reason == "frames do not depend on each other")
  }

  /// The blocks are those of `--shard k/N`.
  @Test(arguments: [1, 2, 3, 7, 10, 64]) func chunksHoldEveryFrameOnce(size: Int) throws {
    let cut = try JobCut(.auto, of: outline(100...163), .init(chunk: size))
    #expect(cut.chunks.count == (64 + size - 1) / size)
    #expect(cut.chunkSize <= size)
    let frames = try cut.chunks.flatMap { try #require(range($0)) }
    #expect(frames == Array(100...163))
  }

  private func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-").compactMap { Int($0) }
    return ends.first.flatMap { first in ends.last.map { first...$0 } }
  }

  @Test func aShortMemoryIsCutAnywhereToo() throws {
    let cut = try JobCut(.auto, of: outline(0...9, .frames(2)), .init())
    #expect(cut.method == .frames)
    #expect(cut.reason == "a frame depends on the 2 before it, which each chunk renders first")
  }

  @Test func anEndlessMemoryIsBroughtForwardOnceWhereThatIsCheap() throws {
    let cut = try JobCut(.auto, of: outline(0...11, .endless, stateShare: 0.2), .init(chunk: 4))
    #expect(cut.method == .checkpoints)
    #expect(cut.checkpoints == [4, 8])
    let whole = try JobCut(.auto, of: outline(0...11, .endless, stateShare: 0.8), .init(chunk: 4))
    #expect(whole.method == .whole)
    #expect(whole.chunks == ["0-11"])
    #expect(whole.reason.contains("more than half of the work"))
  }

  @Test func checkpointsStandBeforeTheLowestFrameOfEachChunk() throws {
    let cut = try JobCut(.checkpoints, of: outline([9, 8, 7, 6, 5, 4], .endless), .init(chunk: 2))
    #expect(cut.chunks == ["9,8", "7,6", "5,4"])
    #expect(cut.checkpoints == [4, 6, 8])
  }

  @Test func theAuthorMaySayHowLongTheMemoryIs() throws {
    let cut = try JobCut(.warmUp(48), of: outline(0...99, .endless), .init(chunk: 50))
    #expect(cut.method == .warmUp)
    #expect(cut.warmUp == 48)
    #expect(cut.chunks.count == 2)
  }

  @Test func cutsThatWouldGiveOtherFramesAreRefused() {
    let wrong: [(JobCut.Wish, StateMemory)] = [
      (.frames, .endless), (.checkpoints, .none), (.warmUp(3), .none), (.checkpoints, .frames(2)),
    ]
    for (wish, memory) in wrong {
      let error = #expect(throws: RenderError.self) { try JobCut(wish, of: outline(0...9, memory), .init()) }
      #expect(error?.code == .usage)
      #expect(error?.help.first?.hasPrefix("type '--cut ") == true)
    }
  }

  @Test func moreChunksThanSchedulersTakeAreRefused() throws {
    let error = #expect(throws: RenderError.self) { try JobCut(.auto, of: outline(0...4999), .init(chunk: 1)) }
    #expect(error?.help == ["type '--chunk 5' or more"])
    #expect(try JobCut(.auto, of: outline(0...4999), .init(workers: 1000)).chunks.count == 1000)
  }

  @Test func wishesAreRead() {
    #expect(JobCut.Wish("warm-up=48") == .warmUp(48))
    #expect(JobCut.Wish("whole") == .whole)
    for text in ["warm-up", "warm-up=0", "warm-up=-1", "anywhere", ""] { #expect(JobCut.Wish(text) == nil) }
  }

  @Test func memoryAndTimeAreRead() {
    #expect(JobSettings.memory("4G") == 4096)
    #expect(JobSettings.memory("512M") == 512)
    for text in ["4", "G", "0G", "4g", "-1G", "4GB"] { #expect(JobSettings.memory(text) == nil) }
    #expect(JobSettings.seconds("02:00:00") == 7200)
    #expect(JobSettings.seconds("1-00:00:01") == 86401)
    for text in ["2", "02:00", "00:00:00", "02:60:00"] { #expect(JobSettings.seconds(text) == nil) }
  }
}
