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
