internal import EtalonComparison
internal import EtalonTypes

/// The pixels of a picture that are no numbers or infinite, counted apart.
struct NotFinitePixels: Sendable, Hashable {
  /// Pixels with a NaN in any channel.
  private(set) var nan = 0
  /// Pixels with an infinity and no NaN.
  private(set) var infinite = 0
  /// The first of them, counted from the top row on.
  private(set) var first: Int?

  var count: Int { nan + infinite }

  /// - Parameter floats: four floats a pixel.
  init(_ floats: PixelBuffer) {
    precondition(floats.format == .rgba32f, "a picture of \(floats.format)")
    unsafe floats.bytes.withUnsafeBytes { raw in
      let values = unsafe raw.bindMemory(to: Float.self)
      for pixel in 0..<values.count / 4 {
        var hasNaN = false, hasInfinity = false
        for channel in 0..<4 {
          let value = unsafe values[pixel * 4 + channel]
          hasNaN = hasNaN || value.isNaN
          hasInfinity = hasInfinity || value.isInfinite
        }
        guard hasNaN || hasInfinity else { continue }
        if first == nil { first = pixel }
        if hasNaN { nan += 1 } else { infinite += 1 }
      }
    }
  }

  /// `4 pixels are NaN and 2 infinite`.
  var words: String {
    func pixels(_ count: Int) -> String { count.of("pixel is", "pixels are") }
    if nan == 0 { return "\(pixels(infinite)) infinite" }
    return "\(pixels(nan)) NaN" + (infinite > 0 ? " and \(infinite) infinite" : "")
  }

  /// The same with where the first one is.
  func words(in size: Size) -> String {
    guard let first else { return words }
    let row = first / size.width
    return "\(words), the first at column \(first % size.width), row \(row) from the top (\(size.height - 1 - row) from the bottom)"
  }

  /// What is wrong with a picture that has them; nil where it has none, or the case allows them.
  ///
  /// Of a picture without a single number no comparison says anything, whatever it bears.
  func mistake(in size: Size, _ testCase: TestCase) -> String? {
    guard count > 0 else { return nil }
    guard testCase.mayBeNotFinite else { return "\(words(in: size)); \(testCase.advice(allowing: "not-finite"))" }
    return count == size.pixelCount ? "no pixel is a number, so nothing is compared" : nil
  }
}

extension FrameResult {
  /// Compares what levels cannot hold: NaN must meet NaN, and an infinity the same one, unless the tolerance says otherwise.
  ///
  /// - Parameters:
  ///   - actual: four floats a pixel.
  ///   - reference: the same of what it is compared with.
  mutating func judgeFiniteness(_ actual: PixelBuffer, _ reference: PixelBuffer, _ policy: NonFinitePolicy?) {
    guard actual.size == reference.size, NotFinitePixels(actual).count + NotFinitePixels(reference).count > 0 else { return }
    var tolerance = Tolerance(channel: Limit(fail: Double(Float.greatestFiniteMagnitude)))
    tolerance.nan = policy
    guard let words = comparePictures(actual, reference, tolerance: tolerance).nonFinite?.words else { return }
    let earlier = verdict == .failed ? reason.replacing("\(moment): ", with: "") : ""
    differsInFiniteness = true
    (verdict, reason) = (.failed, "\(moment): \(words)" + (earlier.isEmpty ? "" : "; \(earlier)"))
  }
}

extension NonFiniteCensus {
  /// Where one picture is not finite and the other is, or otherwise; nil where both agree.
  var words: String? {
    guard differingPixels > 0 else { return nil }
    let place = first.map { ", the first at column \($0.x), row \($0.yFromTop) from the top (\($0.yFromBottom) from the bottom)" } ?? ""
    let pixels = differingPixels.of("pixel differs", "pixels differ")
    return "\(pixels) in what is NaN or infinite\(place): "
      + "\(actualNaN.of("channel is", "channels are")) NaN and \(actualInfinite) infinite, \(referenceNaN) and \(referenceInfinite) were"
  }
}
