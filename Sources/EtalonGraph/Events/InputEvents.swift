package import EtalonDiagnostics
internal import EtalonTypes

/// What the mouse and the keys do during a shot, written down, so that a render can be repeated.
///
/// ```
/// 0.5, mouse, down, 320, 180     seconds, or a frame number such as 12f
/// 0.75, mouse, move, 400, 200    pixels of the result from the bottom left
/// 1, mouse, up
/// 30f, key, tap, space           down on this frame, up on the next; also 'down' and 'up'
/// ```
/// An event happens on the first frame that starts at its time or after it; events of one frame happen in the order of the lines. Blank lines and
/// lines that begin with `#` say nothing.
package struct InputEvents: Sendable, Hashable, CustomStringConvertible {
  /// One thing that happens.
  package enum Action: Sendable, Hashable {
    case mouseDown(x: Double, y: Double)
    case mouseMove(x: Double, y: Double)
    case mouseUp
    /// The number that JavaScript gives to a key.
    case keyDown(UInt8)
    case keyUp(UInt8)
  }

  struct Event: Hashable {
    /// Counted from the shot's first frame.
    let frame: Int
    let action: Action
  }

  /// In the order in which they happen.
  let events: [Event]

  /// Reads the text of an events file; everything that is wrong with it is reported together.
  package init(_ source: SourceText, clock: ShotClock) throws(DiagnosticsError) {
    var reader = EventReader(source, clock)
    reader.read()
    guard reader.diagnostics.isEmpty else { throw DiagnosticsError(reader.diagnostics) }
    // Sorting keeps the order of the lines within a frame.
    events = reader.events.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }

  private init(_ events: [Event]) { self.events = events }

  /// The same with positions as a proxy has them.
  package func computed(at proxy: ProxyScale) -> InputEvents {
    InputEvents(
      events.map { event in
        switch event.action {
        case .mouseDown(let x, let y): Event(frame: event.frame, action: .mouseDown(x: proxy.position(x), y: proxy.position(y)))
        case .mouseMove(let x, let y): Event(frame: event.frame, action: .mouseMove(x: proxy.position(x), y: proxy.position(y)))
        case .mouseUp, .keyDown, .keyUp: event
        }
      })
  }

  /// One event a line; equal texts mean equal pictures.
  package var description: String { events.map { "\($0.frame) \($0.action)\n" }.joined() }

  /// What the mouse and the keys are on a frame, counted from the shot's first one.
  package func state(onFrame frame: Int) -> InputState {
    var devices = InputDevices()
    var next = 0
    while next < events.count, events[next].frame < frame {
      let current = events[next].frame
      while next < events.count, events[next].frame == current {
        devices.apply(events[next].action)
        next += 1
      }
      _ = devices.look()
    }
    while next < events.count, events[next].frame == frame {
      devices.apply(events[next].action)
      next += 1
    }
    return devices.look()
  }
}
