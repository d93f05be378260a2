import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Fonts as FreeType reads them.
@Suite struct FontOutlinesTests {
  /// DejaVu fonts, which `Scripts/environment` installs.
  private static func path(_ name: String = "DejaVuSans") -> String { "/usr/share/fonts/truetype/dejavu/\(name).ttf" }

  @Test func readsAFont() throws {
    let font = try FontOutlines(contentsOf: Self.path())
    #expect(font.name == "DejaVu Sans")
    #expect(font.codeCount > 5000 && font.glyphCount > 5000)
    // Of 2048 units: 'hhea' says 1901 and -483, 'hmtx' 1401 for 'A' and 651 for the space.
    #expect(font.lines == (1901.0 / 2048, -483.0 / 2048))
    let letter = try #require(font.glyph(of: 0x41)), space = try #require(font.glyph(of: 0x20))
    #expect(font.advance(of: letter) == 1401.0 / 2048)
    #expect(font.advance(of: space) == 651.0 / 2048)
    // The outside of an A has eight corners, its counter three.
    let parts = font.segments(of: letter)
    #expect(parts == (11, 0))
    #expect(font.segments(of: space) == (0, 0))
    #expect(font.box(of: letter).map { $0 * 2048 } == [16, 0, 1384, 1493])
    #expect(font.box(of: space) == [0, 0, 0, 0])
    #expect(font.glyph(of: 0x416) != nil && font.glyph(of: 0x3A9) != nil)
    #expect(font.glyph(of: 0x4E00) == nil && font.glyph(of: 0x10FFFF) == nil && font.glyph(of: 0) == nil)
  }

  @Test func theNameHasTheStyle() throws {
    #expect(try FontOutlines(contentsOf: Self.path("DejaVuSansMono-Bold")).name == "DejaVu Sans Mono Bold")
  }

  @Test func aPictureIsNoFont() throws {
    let font = try FontOutlines(contentsOf: Self.path())
    #expect(FontOutlines(font.picture) == font)
    #expect(FontOutlines(FontOutlines.none) == nil)
    let picture = PixelBuffer(size: Size(4, 4), format: .rgba16, alpha: .straight, bytes: [UInt8](repeating: 1, count: 128))
    #expect(FontOutlines(picture) == nil)
  }

  // MARK: errors

  private func error(_ bytes: [UInt8]) throws -> RenderError? {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: "font.ttf")
    return #expect(throws: RenderError.self) { try FontOutlines(contentsOf: folder.file("font.ttf")) }
  }

  @Test func otherFilesAreNoFonts() throws {
    let text = try error(Array("Not a font at all.".utf8))
    #expect(text?.diagnostic.message.contains("font.ttf' is not a font") == true)
    #expect(try error([]) != nil)
    #expect(throws: RenderError.self) { try FontOutlines(contentsOf: "/no/such.ttf") }
  }

  @Test func aFontThatEndsTooEarlyIsDamaged() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.path())))
    for count in [16, 400, 5000, bytes.count / 2] {
      #expect(try error(Array(bytes.prefix(count)))?.diagnostic.message.contains("is a damaged font") == true, "\(count) bytes")
    }
  }

  /// Flipped bits make an error or another font, and neither a crash nor a texture without bounds.
  @Test func damagedFontsDoNoHarm() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.path("DejaVuSansMono-Bold"))))
    let folder = try TemporaryFolder()
    var state: UInt64 = 7
    func dice(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    var readable = 0
    for round in 0..<24 {
      var damaged = bytes
      // The tables of numbers stand at the beginning; the outlines behind them.
      for _ in 0..<(1 << (round % 6)) { damaged[dice(round % 2 == 0 ? 4096 : bytes.count)] ^= UInt8(1 << dice(8)) }
      try folder.write(damaged, to: "damaged.ttf")
      do {
        let font = try FontOutlines(contentsOf: folder.file("damaged.ttf"))
        #expect(font.picture.bytes.count <= 1 << 27)
        readable += 1
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(readable < 24)
  }
}
