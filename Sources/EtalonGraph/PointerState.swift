/// A scripted mouse: where it was clicked, and whether the button is still held.
///
/// Positions are pixels of the target with the origin at the bottom left, as `iMouse` has them.
package struct PointerState: Sendable, Hashable {
  /// The last position while the button was held, in whole pixels.
  package let x: Double
  package let y: Double
  /// Whether the button is held during the whole shot, pressed on its first frame.
  package let isDown: Bool

  package init(x: Double, y: Double, isDown: Bool) {
    self.x = x.rounded(.down)
    self.y = y.rounded(.down)
    self.isDown = isDown
  }

  /// The same with its position as a proxy has it.
  package func computed(at proxy: ProxyScale) -> PointerState {
    PointerState(x: proxy.position(x), y: proxy.position(y), isDown: isDown)
  }

  /// The four numbers of `iMouse`: the position, then the place of the click with its signs.
  ///
  /// z is positive while the button is held; w only on the frame on which it was pressed.
  package func components(isFirstFrame: Bool) -> [Double] {
    [x, y, isDown ? abs(x) : -abs(x), isDown && isFirstFrame ? abs(y) : -abs(y)]
  }
}
