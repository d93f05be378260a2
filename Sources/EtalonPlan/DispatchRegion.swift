internal import EtalonTypes

/// The push constants that every pixel kernel starts with: which pixels of its target one dispatch covers.
///
/// In GLSL: `layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; };`, with a third member `etalonStart` in kernels that
/// store a region of their picture: the pixel that their target begins with. Workgroups are 256×1×1 invocations that cover
/// 16×16 pixels; workgroup (i, j) starts at `etalonOrigin + 16 * ivec2(i, j)`. Invocations at or beyond `etalonEnd` run, so that quads are whole, but store
/// nothing. An output buffer holds exactly the pixels of the region, the top row first. Origins are even, so that quads stay quads.
package struct DispatchRegion: Sendable, Hashable {
  /// The side of the square of pixels that one workgroup covers.
  package static let tileSide = 16
  /// The bytes of the push constants.
  package static let byteCount = 24

  /// The leftmost column and the lowest row, both even.
  package let originX: Int
  package let originY: Int
  /// One past the rightmost column and one past the highest row.
  package let endX: Int
  package let endY: Int
  /// The column and the row of the picture that the target begins with.
  package let startX: Int
  package let startY: Int

  package init(originX: Int, originY: Int, endX: Int, endY: Int, startX: Int = 0, startY: Int = 0) {
    precondition(originX % 2 == 0 && originY % 2 == 0, "regions start at even coordinates")
    precondition(endX > originX && endY > originY, "an empty region")
    self.originX = originX
    self.originY = originY
    self.endX = endX
    self.endY = endY
    self.startX = startX
    self.startY = startY
  }

  /// The same pixels of the target, as those of a picture of which the target is a region.
  package func moved(into region: PictureRegion?) -> DispatchRegion {
    guard let start = region?.extent else { return self }
    return DispatchRegion(
      originX: originX + start.x, originY: originY + start.y, endX: endX + start.x, endY: endY + start.y, startX: start.x, startY: start.y)
  }

  package var width: Int { endX - originX }
  package var height: Int { endY - originY }

  /// The number of workgroups along x and y.
  package var workgroupCounts: (x: Int, y: Int) {
    ((endX - originX + Self.tileSide - 1) / Self.tileSide, (endY - originY + Self.tileSide - 1) / Self.tileSide)
  }

  /// The six 32-bit integers in their GLSL layout.
  package var words: [Int32] { [originX, originY, endX, endY, startX, startY].map(Int32.init) }
}

/// How a dispatch over pixels is cut into smaller ones, the last of which comes first.
///
/// The pixels of a correct shader do not depend on that; it is done to find incorrect ones.
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
