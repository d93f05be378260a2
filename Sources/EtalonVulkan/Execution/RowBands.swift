internal import EtalonPlan
internal import EtalonTypes

/// A picture cut into bands of whole rows, the top band first: each is one dispatch, and one buffer of every output.
struct RowBands: Sendable, Hashable {
  /// Dispatches are cut so that none keeps a device busy for too long.
  static let maxPixelCount = 1 << 24

  /// The bands from the top of the picture down; each starts at an even row, so that quads stay quads.
  let regions: [DispatchRegion]

  /// Cuts a picture so that no band has more than so many bytes, 2²⁴ pixels, or an even number of rows; a band has at least two rows.
  init(of size: Size, bytesPerPixel: Int, maxByteCount: Int, maxRowCount: Int = .max) {
    let maxPixels = min(Self.maxPixelCount, maxByteCount / bytesPerPixel)
    let rows = min(max(2, maxPixels / size.width & ~1), maxRowCount)
    regions = stride(from: 0, to: size.height, by: rows).reversed().map { row in
      DispatchRegion(originX: 0, originY: row, endX: size.width, endY: min(row + rows, size.height))
    }
  }
}
