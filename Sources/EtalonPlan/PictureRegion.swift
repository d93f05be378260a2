package import EtalonTypes

/// The part of a picture that is computed and stored because it is read; the whole picture is one, too.
///
/// ```swift
/// let region = PictureRegion(columns: 101..<165, rows: 40..<104, of: Size(8192, 8192))
/// // (100, 40) 66x64
/// ```
/// It starts at even coordinates, and ends at even ones or at the edge of the picture, so that quads of 2×2 pixels are in it as wholes.
///
/// **Concurrency**: an immutable value.
package struct PictureRegion: Sendable, Hashable {
  /// Where it lies, from the lower left corner of the picture.
  package let extent: Extent
  /// The size of the picture.
  package let whole: Size

  /// The whole of a picture.
  package init(_ whole: Size) {
    extent = Extent(whole)
    self.whole = whole
  }

  /// What a kernel goes on with beyond its picture, too: any rectangle that starts at even coordinates.
  package init(_ extent: Extent, beyond whole: Size) {
    precondition(extent.x % 2 == 0 && extent.y % 2 == 0, "regions start at even coordinates")
    self.extent = extent
    self.whole = whole
  }

  /// The smallest region that has some pixels in it: those within the picture, and otherwise the nearest ones at its edge.
  package init(columns: Range<Int>, rows: Range<Int>, of whole: Size) {
    let (x, width) = Self.side(columns, of: whole.width)
    let (y, height) = Self.side(rows, of: whole.height)
    extent = Extent(x: x, y: y, size: Size(width, height))
    self.whole = whole
  }

  private static func side(_ range: Range<Int>, of length: Int) -> (start: Int, length: Int) {
    let low = min(max(range.lowerBound, 0), length - 1) & ~1
    let high = min(max(range.upperBound, low + 1), length)
    return (low, min((high + 1) & ~1, length) - low)
  }

  package var size: Size { extent.size }
  package var columns: Range<Int> { extent.x..<extent.x + size.width }
  package var rows: Range<Int> { extent.y..<extent.y + size.height }
  package var isWhole: Bool { extent == Extent(whole) }

  /// The smallest region that contains both.
  package func union(_ other: PictureRegion) -> PictureRegion {
    PictureRegion(
      columns: min(columns.lowerBound, other.columns.lowerBound)..<max(columns.upperBound, other.columns.upperBound),
      rows: min(rows.lowerBound, other.rows.lowerBound)..<max(rows.upperBound, other.rows.upperBound), of: whole)
  }
}

extension PictureRegion: CustomStringConvertible {
  /// `(100, 40) of 8192x8192`.
  package var description: String { "(\(extent.x), \(extent.y)) of \(whole)" }
}
