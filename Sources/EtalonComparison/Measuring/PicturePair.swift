internal import CComparison
import EtalonTypes

/// Two pictures of one size as the inner loops take them.
struct PicturePair {
  let actual: PixelBuffer
  let reference: PixelBuffer
  private let tolerance: Tolerance
  private let measuresSteps: Bool

  init(_ actual: PixelBuffer, _ reference: PixelBuffer, tolerance: Tolerance = .exact, measuresSteps: Bool = false) {
    precondition(actual.size == reference.size, "\(actual.size) against \(reference.size)")
    self.actual = actual
    self.reference = reference
    self.tolerance = tolerance
    self.measuresSteps = measuresSteps
  }

  var size: Size { actual.size }

  /// What differences are counted in: levels unless a channel is a float.
  static func unit(_ actual: PixelBuffer, _ reference: PixelBuffer) -> DifferenceUnit {
    actual.format.isFloat || reference.format.isFloat ? .absolute : .levels
  }

  /// The pair while the body runs.
  func withPair<Result>(_ body: (UnsafePointer<comparison_pair>) -> Result) -> Result {
    unsafe actual.bytes.withUnsafeBytes { left in
      unsafe reference.bytes.withUnsafeBytes { right in
        var pair = unsafe pair(left, right)
        return unsafe body(&pair)
      }
    }
  }

  private func pair(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> comparison_pair {
    let isFloat = Self.unit(actual, reference) == .absolute
    let is8Bit = actual.format.bytesPerChannel == 1 && reference.format.bytesPerChannel == 1
    let modes = [actual.alpha, reference.alpha]
    let mixes = modes.contains(.premultiplied) && modes.contains(.straight)
    return unsafe comparison_pair(
      actual: picture(actual, left, premultiplies: mixes && actual.alpha == .straight),
      reference: picture(reference, right, premultiplies: mixes && reference.alpha == .straight), width: size.width, height: size.height,
      white: isFloat ? 1 : is8Bit ? 255 : 65535, unit: isFloat || is8Bit ? 1 : 257, nonfinite: nonFinite, denormals: denormals,
      ignores_hidden_color: tolerance.ignoreColorUnderZeroAlpha ?? false, measures_steps: measuresSteps)
  }

  private func picture(_ picture: PixelBuffer, _ bytes: UnsafeRawBufferPointer, premultiplies: Bool) -> comparison_picture {
    unsafe comparison_picture(
      pixels: bytes.baseAddress, kind: Self.kind(picture.format), channels: UInt32(picture.format.channelCount),
      is_opaque: picture.alpha == .opaque, premultiplies: premultiplies)
  }

  private static func kind(_ format: PixelFormat) -> comparison_kind {
    switch (format.isFloat, format.bytesPerChannel) {
    case (false, 1): COMPARISON_UNORM8
    case (false, _): COMPARISON_UNORM16
    case (true, 2): COMPARISON_HALF
    case (true, _): COMPARISON_FLOAT
    }
  }

  private var nonFinite: comparison_nonfinite {
    switch tolerance.nan ?? .strict {
    case .strict: COMPARISON_STRICT
    case .equal: COMPARISON_EQUAL
    case .ignore: COMPARISON_IGNORE
    }
  }

  private var denormals: comparison_denormals {
    switch tolerance.denormals ?? .preserve {
    case .preserve: COMPARISON_PRESERVE
    case .flush: COMPARISON_FLUSH
    case .any: COMPARISON_ANY
    }
  }
}
