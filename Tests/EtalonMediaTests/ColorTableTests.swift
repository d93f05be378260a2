import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Color tables in `.cube` files and Hald pictures.
@Suite struct ColorTableTests {
  private func table(_ text: String) throws -> ColorTable {
    let folder = try TemporaryFolder()
    try folder.write(Array(text.utf8), to: "grade.cube")
    return try ColorTable(contentsOf: folder.file("grade.cube"))
  }

  /// The diagnostics of a text, each as `line:column id`, then its message, its label and its help.
  private func errors(_ text: String) throws -> [String] {
    do {
      _ = try table(text)
      return []
    } catch let error as DiagnosticsError {
      return error.diagnostics.map { found in
        let label = found.labels[0]
        let (line, column) = label.source.position(at: label.range.lowerBound)
        return "\(line):\(column) \(found.id): \(found.message) (\(label.message)); \(found.help.joined(separator: "; "))"
      }
    }
  }

  private static let corners = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"

  @Test func readsACube() throws {
    let table = try table(
      "\u{FEFF}# made by hand\r\nTITLE \"Warm and soft\"\r\n\r\n  LUT_3D_SIZE\t2\nDOMAIN_MIN -0.5 0 0\nDOMAIN_MAX 1 2 4e0\n# colors\n"
        + Self.corners.replacing("1 1 1", with: "+1.5 .25 -1e-3"))
    #expect(table.form == .cube && table.side == 2)
    #expect(table.low == [-0.5, 0, 0] && table.high == [1, 2, 4])
    #expect(table.entries.prefix(6) == [0, 0, 0, 1, 0, 0])
    #expect(table.entries.suffix(3) == [1.5, 0.25, -0.001])
  }

  @Test func readsACurveWithARange() throws {
    let table = try table("LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE 0 2\n0 0 0\n0.5 0.6 0.7\n1 1 1")
    #expect(table.form == .curves && table.side == 3)
    #expect(table.low == [0, 0, 0] && table.high == [2, 2, 2])
    #expect(table.entries == [0, 0, 0, 0.5, 0.6, 0.7, 1, 1, 1])
  }

  @Test(arguments: [
    ("", "the file is empty"), ("TITLE \"a\"\n", "1:1 table.no-size"), (corners, "1:1 table.no-size"),
    ("LUT_3D_SIZE 1\n", "1:13 table.size: a table cannot have 1 colors a side (not from 2 to 256)"),
    ("LUT_3D_SIZE 257\n0 0 0\n", "1:13 table.size: a table cannot have 257 colors a side (not from 2 to 256)"),
    ("LUT_1D_SIZE 65537\n", "1:13 table.size: a table cannot have 65537 colors a side (not from 2 to 65536)"),
    ("LUT_3D_SIZE 2097152\n0 0 0\n", "1:13 table.size: a table cannot have 2097152 colors a side (not from 2 to 256)"),
    ("LUT_1D_SIZE \(Int.max)\n0 0 0\n", "1:13 table.size: a table cannot have \(Int.max) colors a side (not from 2 to 65536)"),
    ("lut_1d_size 2\n", "1:1 table.unknown-word: 'lut_1d_size' is no word of a color table (not known); write 'LUT_1D_SIZE'"),
    ("LUT_1D_SIZE 2\n0 0 0 # black\n1 1 1\n", "2:7 table.comment: a comment stands behind a color"),
    ("LUT_1D_SIZE 2\n0 0 0\n", "3:1 table.too-few: the table has 1 colors, and its size says 2 (a color is missing)"),
    ("LUT_3D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\n" + corners, "2:1 table.range: 'LUT_1D_INPUT_RANGE' is the range of another kind of table"),
    ("LUT_1D_SIZE 2\nDOMAIN_MIN -3e38 0 0\nDOMAIN_MAX 3e38 1 1\n0 0 0\n1 1 1\n", "3:1 table.domain: the domain of red is too wide"),
    ("LUT_3D_SIZE two\n", "1:13 table.size: 'LUT_3D_SIZE' is followed by one whole number (no whole number)"),
    ("LUT_3D_SIZE 2\nLUT_1D_SIZE 4\n", "2:1 table.size-twice"), ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", "2:1 table.repeated"),
    ("LUT_3D_SIZE 2\n" + corners + "0 0 0\n1 1 1\n", "10:1 table.too-many: the table has 10 colors, and its size says 2×2×2 = 8"),
    ("LUT_3D_SIZE 2\n0 0 0\n1 1 1\n", "4:1 table.too-few: the table has 2 colors, and its size says 2×2×2 = 8 (6 colors are missing)"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 one 1\n", "3:3 table.number: 'one' is no number (no number)"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 nan 1\n", "3:3 table.number: 'nan' is no number (not finite)"),
    ("LUT_1D_SIZE 2\nnan 0 0\n1 1 1\n", "2:1 table.number: 'nan' is no number (not finite)"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1 1e39\n", "3:5 table.number: '1e39' is too large for a color (too large)"),
    ("LUT_1D_SIZE 2\n0 0 0\n0,5 1 1\n", "3:1 table.number: '0,5' is no number (no number); write '0.5', with a point"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1\n", "3:1 table.color: a color has three numbers, red, green and blue, and here are 2 (2 of 3)"),
    ("LUT_1D_SIZE 2\n0 0 0 0\n1 1 1\n", "2:1 table.color"),
    (
      "LUT_1D_SISE 2\n0 0 0\n1 1 1\n",
      "1:1 table.unknown-word: 'LUT_1D_SISE' is no word of a color table (not known); did you mean 'LUT_1D_SIZE'?"
    ),
    ("LUT_1D_SIZE 2\nDOMAIN_MAX 1 1\n0 0 0\n1 1 1\n", "2:1 table.domain: 'DOMAIN_MAX' is followed by 3 numbers, not by 2"),
    ("LUT_1D_SIZE 2\nDOMAIN_MIN 0 1 0\n0 0 0\n1 1 1\n", "2:1 table.domain: the domain of green is empty: it goes from 1.0 to 1.0"),
    ("LUT_1D_SIZE 2\n0 0 0\nTITLE \"late\"\n1 1 1\n", ""),
    ("LUT_1D_SIZE 2\n0 0 0\nDOMAIN_MIN 0 0 0\n1 1 1\n", "3:1 table.late-word"),
  ]) func explainsDamage(text: String, start: String) throws {
    guard !text.isEmpty else {
      let error = #expect(throws: RenderError.self) { try table(text) }
      #expect(error?.diagnostic.notes.contains { $0.contains(start) } ?? false || "\(error.map { "\($0)" } ?? "")".contains(start))
      return
    }
    let found = try errors(text)
    if start.isEmpty { #expect(found == []) } else { #expect(found.first?.hasPrefix(start) ?? false, "\(found)") }
  }

  @Test func tellsSeveralErrorsTogetherAndNotAll() throws {
    #expect(try errors("LUT_1D_SIZE 3\n0 0 x\n0 y 0\nz 0 0\n").map { $0.prefix(3) } == ["2:5", "3:3"] + ["4:1"])
    let many = "LUT_1D_SIZE 100\n" + String(repeating: "0 0 q\n", count: 100)
    #expect(try errors(many).count == 20)
  }

  @Test func anythingElseIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write([1, 2, 3, 4, 5, 6, 7, 8, 9], to: "a.cube")
    #expect(throws: RenderError.self) { try ColorTable(contentsOf: folder.file("a.cube")) }
    #expect(throws: RenderError.self) { try ColorTable(contentsOf: folder.file("none.cube")) }
  }

  // MARK: Hald pictures

  /// The identity of a level, with a step from level to level that 8 bits hold.
  private func hald(_ level: Int, alpha: UInt8 = 255) -> PixelBuffer {
    let side = level * level
    var bytes: [UInt8] = []
    for index in 0..<side * side * side {
      for step in [index % side, index / side % side, index / side / side] { bytes.append(UInt8(step * 255 / (side - 1))) }
      bytes.append(alpha)
    }
    let width = level * level * level
    return PixelBuffer(size: Size(width, width), format: .rgba8, alpha: alpha == 255 ? .opaque : .straight, bytes: bytes)
  }

  @Test func readsAHaldPicture() throws {
    let folder = try TemporaryFolder()
    try folder.write(TestPicture.encoded(hald(2)), to: "hald.png")
    let table = try ColorTable(contentsOf: folder.file("hald.png"))
    #expect(table.form == .cube && table.side == 4)
    let (third, entries): (Float, [Float]) = (85.0 / 255, Array(table.entries))
    #expect(Array(entries.prefix(6)) == [0, 0, 0, third, 0, 0])
    #expect(Array(entries[12..<15]) == [0, third, 0])
    #expect(Array(entries.suffix(3)) == [1, 1, 1])
  }

  @Test(arguments: [Size(8, 7), Size(9, 9), Size(1, 1), Size(512, 511)]) func refusesOtherSizes(size: Size) throws {
    let picture = TestPicture.noise(size, .rgba8, isOpaque: true)
    let error = #expect(throws: RenderError.self) { try ColorTable(hald: picture, name: "a.png") }
    #expect(error?.message == "'a.png' is not a Hald CLUT")
  }

  @Test func refusesTransparentPixels() throws {
    #expect(throws: RenderError.self) { try ColorTable(hald: hald(2, alpha: 254), name: "a.png") }
  }

  // MARK: the texture

  @Test(arguments: [2, 17]) func textureHasOneTexelAfterTheOtherFromTheBottom(side: Int) throws {
    let rows = (0..<side * side * side).map { "\($0) \($0 + 1) \($0 + 2)" }.joined(separator: "\n")
    let picture = try table("LUT_3D_SIZE \(side)\nDOMAIN_MIN -1 -2 -3\nDOMAIN_MAX 4 5 6\n\(rows)\n").picture
    #expect(picture.format == .rgba32f)
    func texel(_ index: Int) -> [Float] {
      let row = picture.size.height - 1 - index / picture.size.width
      let start = 16 * (row * picture.size.width + index % picture.size.width)
      return (0..<3).map { Float(bitPattern: picture.bytes.word(at: start + 4 * $0)) }
    }
    #expect(texel(0) == [Float(side), 3, 0])
    #expect(texel(1) == [-1, -2, -3] && texel(2) == [4, 5, 6])
    for entry in [0, 1, side * side * side - 1] { #expect(texel(3 + entry) == [Float(entry), Float(entry + 1), Float(entry + 2)]) }
  }
}
