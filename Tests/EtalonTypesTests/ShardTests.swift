import Testing

@testable import EtalonTypes

@Suite struct ShardTests {
  @Test(arguments: [(0, 3), (1, 1), (10, 3), (7, 8), (1000, 7)])
  func blocksFollowEachOtherAndAreNearlyEqual(total: Int, count: Int) throws {
    let blocks = try (1...count).map { try #require(Shard($0, of: count)).block(of: total) }
    #expect(blocks.flatMap { Array($0) } == Array(0..<total))
    #expect(blocks.map(\.count).max().map { $0 - (blocks.map(\.count).min() ?? 0) <= 1 } ?? false)
  }

  @Test func readsItsText() {
    #expect(Shard("2/8") == Shard(2, of: 8))
    #expect(Shard("2/8")?.description == "2/8")
    for text in ["", "2", "0/8", "9/8", "2/0", "/8", "2/", "-1/8", "+1/8", " 2/8", "2/8/3", "1/99999999999999999999"] {
      #expect(Shard(text) == nil, "\(text)")
    }
  }
}
