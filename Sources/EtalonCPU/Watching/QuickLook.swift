internal import EtalonPlan
internal import EtalonTypes

/// The workgroups of a picture that are looked at when there is little time: every second one at the edges, the corners, the middle, and of the rest
/// every fourth in both directions.
enum QuickLook {
  /// Every so many workgroups one is looked at, along x and along y.
  private static let step = 4

  /// The numbers of the workgroups.
  static func workgroups(of size: Size) -> [UInt32] {
    let side = DispatchRegion.tileSide
    let columns = (size.width + side - 1) / side, rows = (size.height + side - 1) / side
    let middle = (x: Set(middle(size.width).map { $0 / side }), y: Set(middle(size.height).map { $0 / side }))
    var chosen: [UInt32] = []
    for y in 0..<rows {
      for x in 0..<columns {
        let isAtSide = x == 0 || x == columns - 1, isAtEnd = y == 0 || y == rows - 1
        let isAtEdge = isAtSide && isAtEnd || (isAtSide || isAtEnd) && (x + y).isMultiple(of: 2)
        let isInGrid = x % step == step / 2 && y % step == step / 2
        guard isAtEdge || isInGrid || middle.x.contains(x) && middle.y.contains(y) else { continue }
        chosen.append(UInt32(y * columns + x))
      }
    }
    return chosen
  }

  /// The one or two pixels in the middle of a side: what a shader centers divides by zero there.
  private static func middle(_ length: Int) -> [Int] { [max(length / 2 - 1, 0), length / 2] }
}
