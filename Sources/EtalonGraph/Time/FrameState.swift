package import EtalonManifest
package import EtalonTypes

/// Everything that the clock uniforms of one frame come from.
package struct FrameState: Sendable, Hashable {
  /// Seconds on the shot's clock.
  package let time: Double
  /// Frames since the shot's first one.
  package let index: Int
  package let rate: FrameRate
  /// From 0 on the first frame of the shot to 1 on its last.
  package let progress: Double
  /// Seconds that the shot takes.
  package let duration: Double
  package let pointer: PointerState?
  /// The mouse and the keys where they are scripted.
  package let events: InputState?
  package let date: CalendarDate
  /// The sounds that play.
  package let sounds: SoundState
  /// Where sounds, videos and sequences are, in seconds from their beginning, by the names of their streams.
  package let playTimes: [String: Double]

  /// The state of a frame of a shot.
  ///
  /// - Parameter time: another time than the frame's own, for a single picture between two frames.
  /// - Parameter range: the first and the last frame of the shot, whichever of its frames are rendered; nil is a shot of this frame alone.
  package init(
    frame: Int, clock: ShotClock, time: Rational? = nil, range: ClosedRange<Int>? = nil, pointer: PointerState?,
    events: InputEvents? = nil, date: CalendarDate, sounds: SoundState = SoundState(), playTimes: [String: Double] = [:]
  ) {
    let reading = ClockReading(frame: frame, clock: clock, time: time, range: range)
    progress = reading.progress
    duration = reading.duration
    self.time = reading.time
    index = reading.index
    rate = clock.rate
    self.pointer = pointer
    self.sounds = sounds
    self.playTimes = playTimes
    self.events = events?.state(onFrame: reading.index)
    self.date = date.advanced(by: reading.time)
  }

  /// The components of a uniform, array elements one after the other.
  package func components(of meaning: Uniform.Meaning, in pass: PassState) -> [Double] {
    if let components = pass.components(of: meaning) { return components }
    return switch meaning {
    case .time: [time]
    case .timeDelta(let first): [index == 0 ? first : rate.frameDuration.double]
    case .frameRate: [rate.framesPerSecond.double]
    case .frameIndex: [Double(index)]
    case .progress: [progress]
    case .duration: [duration]
    case .mouse: events?.mouse ?? pointer?.components(isFirstFrame: index == 0) ?? [0, 0, -0.0, -0.0]
    case .keys: events?.keys ?? [Double](repeating: 0, count: 24)
    case .date(let january): [Double(date.year), Double(date.month - 1 + january), Double(date.day), date.seconds]
    case .sampleRate: [Double(sounds.sampleRate(of: pass))]
    case .inputTimes(let sources):
      sources.map { if case .input(let name) = $0 { pass.streams[name].flatMap { playTimes[$0] } ?? 0 } else { 0 } }
    case .parameterOr(_, let clock): components(of: clock, in: pass)
    case .targetSize, .targetAspect, .textureSizes, .region, .cubeFace, .iteration, .parameter, .list, .fixed:
      preconditionFailure("the pass decides on \(meaning)")
    }
  }
}

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

/// Which streams of a graph are sounds, all of which play from the time 0 of the shot's clock.
package struct SoundState: Sendable, Hashable {
  /// Samples a second, by the name of the stream.
  package let sampleRates: [String: Int]
  /// Samples a second that are made, whatever plays; nil where no sound is made.
  package let madeRate: Int?

  package init(sampleRates: [String: Int] = [:], madeRate: Int? = nil) {
    self.sampleRates = sampleRates
    self.madeRate = madeRate
  }

  /// What ShaderToy's player says without a sound.
  static let usualSampleRate = 44_100
}

extension SoundState {
  /// Samples a second of the first input of a filter that plays a sound.
  func sampleRate(of pass: PassState) -> Int {
    madeRate ?? pass.streams.keys.sorted().lazy.compactMap { sampleRate(of: $0, pass) }.first ?? Self.usualSampleRate
  }

  private func sampleRate(of input: String, _ pass: PassState) -> Int? { pass.streams[input].flatMap { sampleRates[$0] } }
}
