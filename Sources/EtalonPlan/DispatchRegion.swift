/// The push constants that every pixel kernel starts with: which pixels of its target one dispatch covers.
///
/// In GLSL: `layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; };`. Workgroups are 256×1×1 invocations that cover
/// 16×16 pixels; workgroup (i, j) starts at `etalonOrigin + 16 * ivec2(i, j)`. Invocations at or beyond `etalonEnd` run, so that quads are whole, but store
/// nothing. An output buffer holds exactly the pixels of the region, the top row first. Origins are even, so that quads stay quads.
package struct DispatchRegion: Sendable, Hashable {
  /// The side of the square of pixels that one workgroup covers.
  package static let tileSide = 16
  /// The bytes of the push constants.
  package static let byteCount = 16

  /// The leftmost column and the lowest row, both even.
  package let originX: Int
  package let originY: Int
  /// One past the rightmost column and one past the highest row.
  package let endX: Int
  package let endY: Int

  package init(originX: Int, originY: Int, endX: Int, endY: Int) {
    precondition(originX % 2 == 0 && originY % 2 == 0, "regions start at even coordinates")
    precondition(endX > originX && endY > originY, "an empty region")
    self.originX = originX
    self.originY = originY
    self.endX = endX
    self.endY = endY
  }

  /// The number of workgroups along x and y.
  package var workgroupCounts: (x: Int, y: Int) {
    ((endX - originX + Self.tileSide - 1) / Self.tileSide, (endY - originY + Self.tileSide - 1) / Self.tileSide)
  }

  /// The four 32-bit integers in their GLSL layout.
  package var words: [Int32] { [originX, originY, endX, endY].map(Int32.init) }
}
