package import EtalonManifest
package import EtalonTypes

/// Everything that the clock uniforms of one frame come from.
package struct FrameState: Sendable, Hashable {
  /// Seconds on the shot's clock.
  package let time: Double
  /// Frames since the shot's first one.
  package let index: Int
  package let rate: FrameRate
  package let pointer: PointerState?
  package let date: CalendarDate

  /// The state of a frame of a shot.
  ///
  /// - Parameter time: another time than the frame's own, for a single picture between two frames.
  package init(frame: Int, clock: ShotClock, time: Rational? = nil, pointer: PointerState?, date: CalendarDate) {
    let time = (time ?? clock.time(ofFrame: frame)).double
    self.time = time
    index = frame - clock.first
    rate = clock.rate
    self.pointer = pointer
    self.date = date.advanced(by: time)
  }

  /// Seconds since the frame before: 1/60 on the first frame, as ShaderToy's player has it.
  private var timeDelta: Double { index == 0 ? 1.0 / 60 : rate.frameDuration.double }

  /// The components of a uniform in a pass, array elements one after the other.
  package func components(of meaning: Uniform.Meaning, targetSize: Size, inputs: [Size?]) -> [Double] {
    switch meaning {
    case .targetSize: [Double(targetSize.width), Double(targetSize.height), 1]
    case .time: [time]
    case .timeDelta: [timeDelta]
    case .frameRate: [rate.framesPerSecond.double]
    case .frameIndex: [Double(index)]
    case .mouse: pointer?.components(isFirstFrame: index == 0) ?? [0, 0, -0.0, -0.0]
    case .date: [Double(date.year), Double(date.month - 1), Double(date.day), date.seconds]
    case .sampleRate: [44_100]
    case .inputTimes: [Double](repeating: 0, count: inputs.count)
    case .fixed(let components): components
    case .inputSizes: inputs.flatMap { $0.map { [Double($0.width), Double($0.height), 1] } ?? [0, 0, 0] }
    }
  }
}
