/// What the mouse and the keys are on one frame.
package struct InputState: Sendable, Hashable {
  /// The four numbers of `iMouse`.
  package let mouse: [Double]
  /// Three rows of 256 bits, 32 to a number: the keys that are held, those that were pressed on this very frame, and those whose every press turns
  /// them on or off.
  package let keys: [Double]
}

/// The mouse and the keys of a player, changed by events and looked at once a frame.
struct InputDevices {
  private var position = (x: 0.0, y: 0.0)
  private var click = (x: 0.0, y: 0.0)
  private var isDown = false
  private var wasPressed = false
  private var held = KeySet()
  private var pressed = KeySet()
  private var toggled = KeySet()

  mutating func apply(_ action: InputEvents.Action) {
    switch action {
    case .mouseDown(let x, let y):
      (position, click) = ((x.rounded(.down), y.rounded(.down)), (x.rounded(.down), y.rounded(.down)))
      isDown = true
      wasPressed = true
    case .mouseMove(let x, let y): if isDown { position = (x.rounded(.down), y.rounded(.down)) }
    case .mouseUp: isDown = false
    case .keyDown(let key):
      held[key] = true
      pressed[key] = true
      toggled[key].toggle()
    case .keyUp(let key):
      held[key] = false
      pressed[key] = false
    }
  }

  /// What a text sees now; what lasts one frame ends with it.
  mutating func look() -> InputState {
    defer {
      wasPressed = false
      pressed = KeySet()
    }
    // The third number is positive while the button is held, the fourth on the frame of the click alone.
    let z = isDown ? click.x.magnitude : -click.x.magnitude
    let w = wasPressed ? click.y.magnitude : -click.y.magnitude
    return InputState(mouse: [position.x, position.y, z, w], keys: held.words + pressed.words + toggled.words)
  }
}

/// Some of the 256 keys.
private struct KeySet {
  private var bits = [UInt32](repeating: 0, count: 8)

  subscript(key: UInt8) -> Bool {
    get { bits[Int(key) / 32] >> (UInt32(key) % 32) & 1 == 1 }
    set {
      let bit = UInt32(1) << (UInt32(key) % 32)
      if newValue { bits[Int(key) / 32] |= bit } else { bits[Int(key) / 32] &= ~bit }
    }
  }

  /// As signed numbers, which uniforms hold.
  var words: [Double] { bits.map { Double(Int32(bitPattern: $0)) } }
}
