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
