import EtalonDiagnostics
import EtalonMedia
import Testing

@Suite struct FramePatternTests {
  @Test(arguments: [
    ("out/plasma.####.png", 7, "out/plasma.0007.png"), ("a.%04d.png", 12345, "a.12345.png"), ("a.%d.png", 3, "a.3.png"),
    ("a_@@@.png", 5, "a_005.png"),
    ("a.$F4.png", 42, "a.0042.png"), ("a.$F.png", 42, "a.42.png"), ("####.png", -5, "-005.png"), ("s#1/a.##.png", 1, "s#1/a.01.png"),
    ("100%.png", 1, "100%.png"), ("icon@2x.png", 1, "icon@2x.png"), ("ä.####.png", 1, "ä.0001.png"),
  ]) func formats(text: String, frame: Int, path: String) throws {
    let pattern = try FramePattern(text)
    #expect(pattern.path(frame: frame) == path)
    #expect(pattern.hasNumber == (path != text))
    #expect(pattern.description == text)
    if pattern.hasNumber { #expect(pattern.frame(ofName: pattern.name(frame: frame)) == frame) }
  }

  @Test(arguments: [
    ("a.##.##.png", "pattern.two-numbers"), ("a.%4d.png", "pattern.format"), ("a.%04x.png", "pattern.format"), ("out/", "pattern.no-name"),
    ("", "pattern.no-name"), ("a.%99d.png", "pattern.format"), ("a.%020d.png", "pattern.too-wide"),
  ]) func refuses(text: String, id: String) {
    let error = #expect(throws: DiagnosticsError.self) { try FramePattern(text) }
    #expect(error?.diagnostics.map(\.id) == [id])
  }

  @Test func aBlankBeforeAnOptionOfASequenceIsNamed() throws {
    let error = #expect(throws: RenderError.self) { try NumberedFiles(FramePattern("plate.####.png rate=12 loop=repeat")) }
    #expect(error?.help == ["write a comma before 'rate': 'plate.####.png,rate=12,loop=repeat'"])
  }

  @Test func knowsItsOwnNamesOnly() throws {
    let pattern = try FramePattern("a.####.png")
    for name in ["a.12.png", "a.00012.png", "b.0012.png", "a.0012.jpg", "a.+012.png", "a..png", "a.99999999999.png"] {
      #expect(pattern.frame(ofName: name) == nil, "\(name)")
    }
  }

  @Test func findsFramesAndPatternsOnDisk() throws {
    let folder = try TemporaryFolder()
    for name in ["a.0998.png", "a.1001.png", "a.txt", "b.7.png", "a.10001.png"] { try folder.write([1], to: name) }
    let pattern = try FramePattern(folder.file("a.####.png"))
    #expect(try pattern.framesOnDisk().map(\.frame) == [998, 1001, 10001])
    #expect(try FramePattern(frameAt: folder.file("a.1001.png"))?.description == folder.file("a.####.png"))
    #expect(try FramePattern(frameAt: folder.file("b.7.png"))?.description == folder.file("b.#.png"))
    #expect(try FramePattern(frameAt: folder.file("a.txt")) == nil)
    #expect(try FramePattern("/nowhere/a.##.png").framesOnDisk().isEmpty)
  }
}
