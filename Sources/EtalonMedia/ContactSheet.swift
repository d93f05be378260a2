package import EtalonTypes

/// Several pictures in one, in rows, each with a line of text below it.
///
/// ```
/// ContactSheet(columns: 4, thumbnailWidth: 320).compose([.init(frame, label: "frame 12")])
/// ```
package struct ContactSheet: Sendable {
  /// One picture of the sheet.
  package struct Entry: Sendable {
    /// The picture, `rgba8` or `rgba16`.
    package let picture: PixelBuffer
    /// What stands below it; characters beyond ASCII become a box.
    package let label: String

    /// Makes an entry.
    package init(_ picture: PixelBuffer, label: String) {
      self.picture = picture
      self.label = label
    }
  }

  private static let margin = 8
  private static let background: [UInt8] = [24, 24, 26, 255]
  private static let ink: [UInt8] = [222, 222, 222, 255]
  /// The most pixels of a side; thumbnails shrink rather than go beyond.
  private static let largestSide = 16384
  /// Thumbnails at least this wide have labels of twice the size, where they fit.
  private static let wideEnoughForLargeText = 160
  private let columns: Int?
  private let thumbnailWidth: Int

  /// Makes a layout; without a number of columns the sheet comes out about as wide as a screen.
  package init(columns: Int? = nil, thumbnailWidth: Int = 320) {
    precondition((columns ?? 1) >= 1 && thumbnailWidth >= 16, "a sheet of \(columns ?? 0) columns of \(thumbnailWidth) pixels")
    self.columns = columns
    self.thumbnailWidth = thumbnailWidth
  }

  /// Draws the sheet, opaque `rgba8`; pictures with alpha are shown over the background.
  ///
  /// At least one entry.
  package func compose(_ entries: [Entry]) -> PixelBuffer {
    precondition(!entries.isEmpty, "a contact sheet of nothing")
    let layout = layout(for: entries)
    var canvas = Canvas(layout.sheet, background: Self.background)
    for (index, entry) in entries.enumerated() {
      let thumbnail = Thumbnail.scale(entry.picture, toFit: layout.thumbnail)
      let left = Self.margin + index % layout.columns * (layout.thumbnail.width + Self.margin)
      let top = Self.margin + index / layout.columns * (layout.thumbnail.height + Self.labelHeight(layout.magnification) + Self.margin)
      let inset = (layout.thumbnail.width - thumbnail.size.width) / 2
      canvas.draw(thumbnail, x: left + inset, y: top)
      canvas.write(
        entry.label, x: left, y: top + layout.thumbnail.height + 4, width: layout.thumbnail.width, magnification: layout.magnification,
        color: Self.ink)
    }
    return canvas.picture
  }

  private struct Layout {
    var columns: Int
    var thumbnail: Size
    var sheet: Size
    /// How many pixels of the sheet a pixel of the font covers, on each side.
    var magnification: Int
  }

  private static func labelHeight(_ magnification: Int) -> Int { BitmapFont.lineHeight * magnification + 6 }

  private func layout(for entries: [Entry]) -> Layout {
    let columns = min(columns ?? Self.columnCount(entries.count), entries.count)
    let rows = (entries.count + columns - 1) / columns
    let aspect = entries.map { Double($0.picture.size.height) / Double($0.picture.size.width) }.max() ?? 1
    let textWidth = (entries.map { $0.label.unicodeScalars.count }.max() ?? 0) * BitmapFont.advance
    let pictureWidth = min(thumbnailWidth, entries.map { $0.picture.size.width }.max() ?? 1)
    // Small pictures get small places, but ones that their labels fit in.
    let widest = max(1, min(thumbnailWidth, max(pictureWidth, textWidth), Self.largestSide / columns - Self.margin))
    let magnification = widest >= Self.wideEnoughForLargeText && textWidth * 2 <= widest ? 2 : 1
    let highest = Self.largestSide / rows - Self.labelHeight(magnification) - Self.margin
    let height = max(1, min((Double(min(widest, pictureWidth)) * min(aspect, 4)).rounded(), Double(highest)))
    let thumbnail = Size(widest, Int(height))
    let sheet = Size(
      Self.margin + columns * (thumbnail.width + Self.margin),
      Self.margin + rows * (thumbnail.height + Self.labelHeight(magnification) + Self.margin))
    return Layout(columns: columns, thumbnail: thumbnail, sheet: sheet, magnification: magnification)
  }

  /// Somewhat wider than high, as screens are.
  private static func columnCount(_ count: Int) -> Int { max(1, Int((Double(count) * 1.3).squareRoot().rounded(.up))) }
}

/// Makes pictures smaller by averaging all pixels that fall into one.
package enum Thumbnail {
  /// An `rgba8` picture with the proportions of the given one that fits into `bounds`; small pictures are not enlarged.
  package static func scale(_ picture: PixelBuffer, toFit bounds: Size) -> PixelBuffer {
    precondition(picture.format == .rgba8 || picture.format == .rgba16, "thumbnail of \(picture.format)")
    let factor = min(1, Double(bounds.width) / Double(picture.size.width), Double(bounds.height) / Double(picture.size.height))
    let width = max(1, min(bounds.width, Int((Double(picture.size.width) * factor).rounded())))
    let height = max(1, min(bounds.height, Int((Double(picture.size.height) * factor).rounded())))
    let size = Size(width, height)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * 4)
    let columns = spans(from: picture.size.width, to: width)
    for rows in spans(from: picture.size.height, to: height) {
      for column in columns { append(average(picture, column, rows), to: &bytes) }
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: picture.alpha == .opaque ? .opaque : .straight, bytes: bytes)
  }

  /// Which source pixels each target pixel is made of; every span has at least one.
  private static func spans(from source: Int, to target: Int) -> [Range<Int>] {
    (0..<target).map { index in
      let start = index * source / target
      return start..<max(start + 1, (index + 1) * source / target)
    }
  }

  /// The mean color and alpha from 0 to 1; colors count by their alpha, so that invisible ones do not shine through.
  private static func average(_ picture: PixelBuffer, _ columns: Range<Int>, _ rows: Range<Int>) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for row in rows {
      for column in columns { sum += weighted(pixel(picture, column, row), picture.alpha) }
    }
    let alpha = sum.w
    let color = alpha > 0 ? sum / alpha : .zero
    return SIMD4(color.x, color.y, color.z, alpha / Float(rows.count * columns.count))
  }

  private static func weighted(_ pixel: SIMD4<Float>, _ alpha: AlphaMode) -> SIMD4<Float> {
    switch alpha {
    case .opaque: SIMD4(pixel.x, pixel.y, pixel.z, 1)
    case .straight: SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w)
    case .premultiplied: pixel
    }
  }

  private static func pixel(_ picture: PixelBuffer, _ column: Int, _ row: Int) -> SIMD4<Float> {
    let bytes = picture.bytes
    if picture.format == .rgba8 {
      let place = (row * picture.size.width + column) * 4
      return SIMD4(Float(bytes[place]), Float(bytes[place + 1]), Float(bytes[place + 2]), Float(bytes[place + 3])) / 255
    }
    let place = (row * picture.size.width + column) * 8
    // The high bytes are enough for a picture of 8 bits; 255 of 255 stays 1.
    return SIMD4(Float(bytes[place + 1]), Float(bytes[place + 3]), Float(bytes[place + 5]), Float(bytes[place + 7])) / 255
  }

  private static func append(_ color: SIMD4<Float>, to bytes: inout [UInt8]) {
    let scaled = (color * 255).rounded(.toNearestOrEven).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
    for channel in 0..<4 { bytes.append(UInt8(scaled[channel])) }
  }
}

// MARK: Test cards

/// The picture that stands in for one that is missing, and that does not look like a real one.
///
/// Red grows to the right and green to the top; a grid shows squares, a brighter frame the edges, and the name of the input says which way is up.
package enum TestCard {
  private static let squares = 8

  /// A card of a size with a name on it.
  package static func picture(named name: String, size: Size) -> PixelBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * 4)
    for y in 0..<size.height {
      for x in 0..<size.width { bytes += pixel(x, y, size) }
    }
    var canvas = Canvas(size, background: [0, 0, 0, 255])
    canvas.draw(PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes), x: 0, y: 0)
    let magnification = max(1, size.width / (BitmapFont.advance * max(12, name.unicodeScalars.count + 2)))
    let line = BitmapFont.lineHeight * magnification
    for (index, text) in ["TEST CARD", name].enumerated() where (index + 2) * line < size.height {
      canvas.write(
        text, x: line / 2, y: line / 2 + index * line, width: size.width - line, magnification: magnification, color: [255, 255, 255, 255])
    }
    return canvas.picture
  }

  private static func pixel(_ x: Int, _ y: Int, _ size: Size) -> [UInt8] {
    let isEdge = x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1
    if isEdge { return [255, 255, 255, 255] }
    let isOdd = (x * squares / size.width + y * squares / size.height) % 2 == 1
    let red = 40 + 180 * x / max(1, size.width - 1)
    let green = 40 + 180 * (size.height - 1 - y) / max(1, size.height - 1)
    let blue = isOdd ? 120 : 60
    return [UInt8(red), UInt8(green), UInt8(blue), 255]
  }
}
