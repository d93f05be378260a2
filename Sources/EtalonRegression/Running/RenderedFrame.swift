internal import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// A picture of a case: the numbers that the shader gave, and where they come from.
struct RenderedFrame: Sendable {
  let moment: TestCase.Moment
  /// What stands for it in names of files.
  let number: Int
  /// Four floats a pixel.
  let floats: PixelBuffer
  let provenance: FrameProvenance
  /// The pixels that are infinite or no numbers.
  let notFinite: NotFinitePixels
  /// What is worth saying about the shot.
  var warnings: [Diagnostic] = []
  /// What its pixels depend on.
  var origins = FrameOrigins()

  init(_ moment: TestCase.Moment, number: Int, _ floats: PixelBuffer, _ provenance: FrameProvenance) {
    (self.moment, self.number, self.floats, self.provenance) = (moment, number, floats, provenance)
    notFinite = NotFinitePixels(floats)
  }

  /// The levels that a file would have.
  func levels(bits: Int) -> PixelBuffer { floats.levels(bits: bits) }

  /// The picture in the form of a reference: its levels, or its numbers as they are.
  func picture(like reference: PixelBuffer) -> PixelBuffer {
    switch reference.format {
    case .rgba32f: floats
    case .rgba16: levels(bits: 16)
    default: levels(bits: 8)
    }
  }

}

extension TestCase.Moment {
  /// `frame 12`, `0.5 s`.
  var text: String {
    switch self {
    case .frame(let frame): "frame \(frame)"
    case .first: "the first frame"
    case .time(let time): "\(time) s"
    }
  }
}

extension PixelBuffer {
  /// Visits all channels of a picture of floats.
  private func forEachChannel(_ body: (_ channel: Int, _ value: Float) -> Void) {
    precondition(format == .rgba32f, "a picture of \(format)")
    unsafe bytes.withUnsafeBytes { raw in
      let values = unsafe raw.bindMemory(to: Float.self)
      for channel in 0..<values.count { unsafe body(channel, values[channel]) }
    }
  }

  /// What is written into files: what is no number becomes 0, the rest is clamped, and halves round to even.
  func levels(bits: Int) -> PixelBuffer {
    let isDeep = bits == 16
    let largest: Float = isDeep ? 65535 : 255
    var levels: [UInt8] = []
    levels.reserveCapacity(size.pixelCount * (isDeep ? 8 : 4))
    forEachChannel { _, value in
      let level = value.isNaN ? 0 : UInt16((min(max(value, 0), 1) * largest).rounded(.toNearestOrEven))
      levels.append(UInt8(truncatingIfNeeded: level))
      if isDeep { levels.append(UInt8(level >> 8)) }
    }
    return PixelBuffer(size: size, format: isDeep ? .rgba16 : .rgba8, alpha: alpha, bytes: levels)
  }
}
