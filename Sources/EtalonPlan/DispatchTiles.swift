/// How a dispatch over pixels is cut into smaller ones, the last of which comes first.
///
/// No pixel of a correct shader hangs on that: it is done to find the others.
package struct DispatchTiles: Sendable, Hashable {
  /// The sides of a piece, both even, so that quads stay quads.
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0 && width % 2 == 0 && height % 2 == 0, "pieces have even sides")
    (self.width, self.height) = (width, height)
  }

  /// Reads `24x12`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 <= 1 << 16 && $0 % 2 == 0 }) else { return nil }
    self.init(width: sides[0], height: sides[1])
  }

  /// How many pieces of rows lie beside each other at most, where each has memory of its own.
  private static let mostColumns = 4

  /// Pieces of the rows of a region, from the left to the right; they are wider than other pieces where there would be many.
  package func columns(of region: DispatchRegion) -> [DispatchRegion] {
    let share = (region.endX - region.originX + Self.mostColumns - 1) / Self.mostColumns
    var width = max(width, (share + 1) / 2 * 2)
    // Where workgroups begin at other places, pixels lie at other places in them.
    if width > self.width, width % DispatchRegion.tileSide == 0 { width += 2 }
    return stride(from: region.originX, to: region.endX, by: width).map { x in
      DispatchRegion(
        originX: x, originY: region.originY, endX: min(x + width, region.endX), endY: region.endY, startX: region.startX,
        startY: region.startY)
    }
  }

  /// The pieces of a region in the order in which they are done; those at the right and at the top may be smaller.
  package func cut(_ region: DispatchRegion) -> [DispatchRegion] {
    let rows = stride(from: region.originY, to: region.endY, by: height).reversed()
    let columns = stride(from: region.originX, to: region.endX, by: width).reversed()
    return rows.flatMap { y in
      columns.map { x in
        DispatchRegion(
          originX: x, originY: y, endX: min(x + width, region.endX), endY: min(y + height, region.endY), startX: region.startX,
          startY: region.startY)
      }
    }
  }
}
