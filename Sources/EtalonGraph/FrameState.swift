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

  /// The state of a frame of a shot.
  ///
  /// - Parameter time: another time than the frame's own, for a single picture between two frames.
  /// - Parameter range: the first and the last frame of the shot, whichever of its frames are rendered; nil is a shot of this frame alone.
  package init(
    frame: Int, clock: ShotClock, time: Rational? = nil, range: ClosedRange<Int>? = nil, pointer: PointerState?,
    events: InputEvents? = nil, date: CalendarDate, sounds: SoundState = SoundState()
  ) {
    let reading = ClockReading(frame: frame, clock: clock, time: time, range: range)
    progress = reading.progress
    duration = reading.duration
    self.time = reading.time
    index = reading.index
    rate = clock.rate
    self.pointer = pointer
    self.sounds = sounds
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
      sources.map { if case .input(let name) = $0, sounds.plays(name, of: pass) { max(0, time) } else { 0 } }
    case .parameterOr(_, let clock): components(of: clock, in: pass)
    case .targetSize, .targetAspect, .textureSizes, .region, .cubeFace, .iteration, .parameter, .fixed:
      preconditionFailure("the pass decides on \(meaning)")
    }
  }
}
