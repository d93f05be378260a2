internal import EtalonTypes

extension PixelFormat {
  /// What a target holds after a color was stored: levels and halves round either way, and channels that are not there read as 0, 0, 1.
  ///
  /// Stores and reads of images need not keep bits: denormal numbers may become zero, and what is no number may be any.
  func stored(_ channels: [Interval]) -> [Interval] {
    (0..<4).map { channel in
      guard channel < channelCount else { return Interval(channel == 3 ? 1 : 0) }
      return stored(channels[channel])
    }
  }

  private func stored(_ value: Interval) -> Interval {
    switch self {
    case .r32f, .rg32f, .rgba32f: return value.withZero(.single)
    case .r16f, .rg16f, .rgba16f: return value.mayBeNaN ? value : value.limited(to: .half)
    case .r8, .rg8, .rgba8: return value.quantized(255)
    case .r16, .rg16, .rgba16: return value.quantized(65535)
    }
  }

  /// The texels of rows of pixels, four exact channels each.
  func texels(_ picture: PixelBuffer) -> [Float] {
    var texels: [Float] = []
    texels.reserveCapacity(picture.size.pixelCount * 4)
    for pixel in 0..<picture.size.pixelCount {
      for channel in 0..<4 {
        guard channel < channelCount else {
          texels.append(channel == 3 ? 1 : 0)
          continue
        }
        texels.append(number(picture.bytes, at: pixel * bytesPerPixel + channel * bytesPerChannel))
      }
    }
    return texels
  }

  private func number(_ bytes: [UInt8], at start: Int) -> Float {
    let word = (0..<bytesPerChannel).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    switch self {
    case .r8, .rg8, .rgba8: return Float(word) / 255
    case .r16, .rg16, .rgba16: return Float(word) / 65535
    case .r16f, .rg16f, .rgba16f: return Float(Float16(bitPattern: UInt16(word)))
    case .r32f, .rg32f, .rgba32f: return Float(bitPattern: word)
    }
  }
}

extension Interval {
  /// A stored half: numbers that are too large become infinite or the largest.
  fileprivate func limited(to width: FloatWidth) -> Interval {
    var limited = rounded(width)
    if high > width.largest { limited.high = .infinity }
    if low < -width.largest { limited.low = -.infinity }
    return limited
  }

  /// One of the two levels next to a number; what is no number gives any.
  fileprivate func quantized(_ most: Double) -> Interval {
    guard !mayBeNaN else { return Interval(0, 1, like: self).because(.undefined) }
    let clipped = clipped(0, 1)
    let low = (clipped.low * most).rounded(.down) / most, high = (clipped.high * most).rounded(.up) / most
    return Interval(low, high, like: self).read(most)
  }

  /// A level as it is read: nearly a fraction of the largest.
  func read(_ most: Double) -> Interval {
    let ulps = (low == 0 || low == 1) && (high == 0 || high == 1) ? 0.0 : 1.0
    return widened(ulps: ulps, .single).clipped(0, 1)
  }
}
