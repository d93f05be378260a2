import EtalonComparison
import EtalonTypes
import Testing

/// Where outliers lie together.
@Suite struct ClusterTests {
  /// Compares a black picture with one in which the marked places are white, and returns what was found.
  private func found(_ rows: [String], tolerance: Tolerance = .exact) throws -> ChannelComparison {
    let size = Size(rows[0].count, rows.count)
    let cells = rows.map { Array($0) }
    let actual = TestPictures.rgba8(size) { x, y in cells[y][x] == "#" ? [255, 255, 255, 255] : [0, 0, 0, 255] }
    let reference = TestPictures.rgba8(size) { _, _ in [0, 0, 0, 255] }
    return try #require(comparePictures(actual, reference, tolerance: tolerance).color)
  }

  @Test func cornersConnect() throws {
    let color = try found(["#.....", ".#....", "..#...", "......", "....##"])
    #expect(color.clusterCount == 2 && color.clusters.map(\.pixels) == [3, 2] && color.census.isolated == 0)
    #expect(color.clusters[0].width == 3 && color.clusters[0].height == 3)
    #expect(color.clusters[1].topLeft.x == 4 && color.clusters[1].topLeft.yFromTop == 4 && color.clusters[1].topLeft.yFromBottom == 0)
  }

  @Test func branchesJoin() throws {
    #expect(try found(["#.#.#", "#.#.#", "#####"]).clusterCount == 1)
    #expect(try found(["#####", "#.#.#", "#.#.#"]).clusterCount == 1)
    #expect(try found(["..#..", ".#.#.", "#...#", ".#.#.", "..#.."]).clusters.map(\.pixels) == [8])
    #expect(try found(["##.##", ".....", "##.##"]).clusterCount == 4)
  }

  @Test(arguments: [1, 7, 8, 9, 63, 64, 65, 127, 128, 130]) func rowsOfAnyWidthAreFoundWhole(width: Int) throws {
    let whole = try found([String(repeating: "#", count: width), String(repeating: ".", count: width)])
    #expect(whole.clusters.map(\.pixels) == [width] && whole.clusters[0].width == width)
    guard width > 2 else { return }
    let ends = try found(["#" + String(repeating: ".", count: width - 2) + "#"])
    #expect(ends.clusterCount == 2 && ends.census.isolated == 2 && ends.clusters[1].topLeft.x == width - 1)
  }

  @Test func sixteenAreListedLargestFirst() throws {
    let rows = (0..<41).map { y in String((0..<41).map { x in y % 2 == 0 && x <= y ? "#" : "." }) }
    let color = try found(rows)
    #expect(color.clusterCount == 21 && color.clusters.count == 16 && color.census.isolated == 1)
    #expect(color.clusters.map(\.pixels) == (0..<16).map { 41 - 2 * $0 })
  }

  @Test func aCheckerboardIsOneGroup() throws {
    let rows = (0..<30).map { y in String((0..<30).map { x in (x + y) % 2 == 0 ? "#" : "." }) }
    #expect(try found(rows).clusters.map(\.pixels) == [450])
  }

  @Test func edgesAreThoseOfTheReference() throws {
    let reference = TestPictures.rgba8 { x, _ in x < 32 ? [0, 0, 0, 255] : [255, 255, 255, 255] }
    let actual = reference.adding([(31, 10, 0, 5), (32, 20, 0, -5), (10, 30, 0, 5)])
    let census = try #require(comparePictures(actual, reference).color?.census)
    #expect(census.onEdges == 2 && census.isolated == 3)
  }
}
