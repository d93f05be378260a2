import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Testing

@Suite struct SequenceCheckTests {
  private func frame(_ seed: UInt64, _ size: Size = Size(16, 9), _ format: PixelFormat = .rgba8) throws -> [UInt8] {
    try TestPicture.encoded(TestPicture.noise(size, format, isOpaque: true, seed: seed))
  }

  @Test func findsWhatIsWrong() throws {
    let folder = try TemporaryFolder()
    for number in [1, 2, 3, 7, 8, 9, 10] {
      try folder.write(frame(UInt64(number)), to: "a.000\(number).png".replacing("00010", with: "0010"))
    }
    try folder.write(frame(2), to: "a.0003.png")
    try folder.write(frame(8, Size(17, 9)), to: "a.0008.png")
    try folder.write(frame(9, Size(16, 9), .rgba16), to: "a.0009.png")
    try folder.write(Array(frame(10).dropLast(20)), to: "a.0010.png")
    for path in ["a.####.png", "a.0001.png", ""] {
      let results = try SequenceCheck().check(folder.file(path))
      let result = try #require(results.first)
      #expect(result.frames == [1, 2, 3, 7, 8, 9, 10])
      #expect(result.size == Size(16, 9))
      guard result.defects.count == 5, case .unreadable(frame: 10, _) = result.defects[4] else {
        Issue.record("\(result.defects)")
        continue
      }
      #expect(
        result.defects.prefix(4) == [
          .duplicate(frame: 3, of: 2), .gap(4...6), .oddSize(frame: 8, size: Size(17, 9), usual: Size(16, 9)),
          .oddFormat(frame: 9, format: .rgba16, alpha: .opaque, usual: .rgba8, usualAlpha: .opaque),
        ])
    }
  }

  @Test func everySecondFrameIsNoGap() throws {
    let folder = try TemporaryFolder()
    for number in [1, 3, 5, 9] { try folder.write(frame(UInt64(number)), to: "a.\(number).png") }
    let result = try #require(try SequenceCheck().check(folder.file("a.#.png")).first)
    #expect(result.step == 2)
    #expect(result.defects == [.gap(7...7)])
  }

  @Test func saysThatThereIsNothing() throws {
    let folder = try TemporaryFolder()
    for path in ["a.##.png", "", "a.png"] {
      let error = #expect(throws: RenderError.self) { try SequenceCheck().check(folder.file(path)) }
      #expect(error?.code == .missingInput)
    }
  }
}
