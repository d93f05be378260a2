import EtalonMedia
import EtalonTypes
import Testing

@Suite struct ContactSheetTests {
  private func plain(_ size: Size, _ color: [UInt8], _ alpha: AlphaMode = .opaque) -> PixelBuffer {
    PixelBuffer(size: size, format: .rgba8, alpha: alpha, bytes: (0..<size.pixelCount).flatMap { _ in color })
  }

  private func pixel(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
    Array(picture.bytes[((y * picture.size.width + x) * 4)...].prefix(4))
  }

  @Test func laysPicturesOut() {
    let entries = [[200, 0, 0, 255], [0, 200, 0, 255], [0, 0, 200, 255]].map { plain(Size(128, 64), $0) }.map {
      ContactSheet.Entry($0, label: "")
    }
    let sheet = ContactSheet(columns: 2, thumbnailWidth: 64).compose(entries)
    #expect(sheet.size == Size(8 + 2 * 72, 8 + 2 * (32 + 16 + 8)))
    #expect(pixel(sheet, 40, 24) == [200, 0, 0, 255])
    #expect(pixel(sheet, 112, 24) == [0, 200, 0, 255])
    #expect(pixel(sheet, 40, 80) == [0, 0, 200, 255])
    #expect(pixel(sheet, 112, 80) == [24, 24, 26, 255])
  }

  @Test func averagesColorsByTheirAlpha() {
    var bytes: [UInt8] = []
    for pixel in 0..<64 { bytes += pixel % 2 == 0 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
    let picture = PixelBuffer(size: Size(32, 2), format: .rgba8, alpha: .straight, bytes: bytes)
    let sheet = ContactSheet(columns: 1, thumbnailWidth: 16).compose([.init(picture, label: "")])
    // Red that covers 128 of 255, over the background; the green of invisible pixels does not count.
    #expect(pixel(sheet, 8, 8) == [140, 12, 13, 255])
  }

  @Test func writesLabels() {
    let entry = ContactSheet.Entry(plain(Size(64, 64), [0, 0, 0, 255]), label: "I1ä")
    let sheet = ContactSheet(columns: 1, thumbnailWidth: 64).compose([entry])
    var rows: [String] = []
    for y in 76..<84 { rows.append(String((8..<26).map { pixel(sheet, $0, y)[0] == 222 ? "#" : "." })) }
    #expect(
      rows == [
        ".###....#...#####.", "..#....##...#...#.", "..#.....#...#...#.", "..#.....#...#...#.", "..#.....#...#...#.", "..#.....#...#...#.",
        ".###...###..#####.", "..................",
      ])
  }
}
