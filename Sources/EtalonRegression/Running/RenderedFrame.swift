internal import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
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
  /// The warnings of the shot.
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

  /// The levels that are written into files: NaN becomes 0, the rest is clamped, and halves round to even.
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

extension RenderedFrame {
  /// Why two renders of the same are not equal.
  ///
  /// - Parameter isByChance: whether it differs, too, when nothing is done in another way.
  func words(differingFrom other: RenderedFrame, isByChance: Bool) -> String {
    let count = comparePictures(floats, other.floats, tolerance: .exact).color?.differing
    let pixels = count.map { $0.of("pixel") } ?? "their sizes"
    let cause =
      isByChance
      ? "chance, or on something outside (both were done in the same way)"
      : "workgroups or on their order (the second was done in other pieces, from the last to the first)"
    return "two renders of the same differ in \(pixels), which hang on \(cause)"
  }
}

// MARK: - NaN and infinities

/// The pixels of a picture that are NaN or infinite, counted apart.
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
  /// A picture without a single finite number cannot be compared, whatever the tolerance allows.
  func reason(in size: Size, _ testCase: TestCase) -> String? {
    guard count > 0 else { return nil }
    guard testCase.mayBeNotFinite else {
      return "\(words(in: size)); type '\(testCase.sanitizing)' to find the line; \(testCase.advice(allowing: "not-finite"))"
    }
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

// MARK: - parts of pictures

extension RenderRequest.Subject {
  /// The same graph with only a rectangle of its first output.
  func cropped(to part: Extent) -> Self {
    adding("crop", [("left", part.x), ("bottom", part.y), ("width", part.size.width), ("height", part.size.height)])
  }

  private func adding(_ operation: String, _ values: [(String, Int)]) -> Self {
    guard case .graph(var text, let library) = self, let output = text.outputs.first else { return self }
    let place = output.name.place
    func word(_ text: String) -> GraphText.Word { GraphText.Word(text, at: place) }
    let settings = values.map { GraphText.Setting(name: word($0.0), value: LocatedNode(.scalar("\($0.1)"), at: place)) }
    let name = word("part-of-\(output.name.text)")
    text.nodes.append(
      GraphText.Node(name: name, filter: word(operation), inputs: [.init(name: nil, origin: output.origin)], settings: settings))
    text.outputs = [GraphText.Output(name: output.name, origin: .node(name))]
    return .graph(text, library)
  }
}

extension RenderedFrame {
  /// The same moment with another picture.
  func showing(_ picture: PixelBuffer) -> RenderedFrame { RenderedFrame(moment, number: number, picture, provenance) }
}

extension PixelBuffer {
  /// A rectangle of the picture.
  func part(_ part: Extent) -> PixelBuffer {
    let pixel = format.bytesPerPixel
    let top = size.height - part.y - part.size.height
    let width = part.size.width * pixel
    var rows: [UInt8] = []
    for row in top..<top + part.size.height {
      let start = row * bytesPerRow + part.x * pixel
      rows += bytes[start..<start + width]
    }
    return PixelBuffer(size: part.size, format: format, alpha: alpha, bytes: rows)
  }

  /// A picture of floats with half as many pixels a side: the means of four.
  func halved(to half: Size) -> PixelBuffer {
    var values = [Float](repeating: 0, count: half.pixelCount * 4)
    unsafe bytes.withUnsafeBytes { raw in
      let source = unsafe raw.bindMemory(to: Float.self)
      for y in 0..<half.height {
        for x in 0..<half.width {
          for channel in 0..<4 {
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map { dx, dy in
              let column = min(2 * x + dx, size.width - 1), row = min(2 * y + dy, size.height - 1)
              return unsafe source[(row * size.width + column) * 4 + channel]
            }
            values[(y * half.width + x) * 4 + channel] = corners.reduce(0, +) / 4
          }
        }
      }
    }
    return PixelBuffer(size: half, format: .rgba32f, alpha: alpha, bytes: unsafe values.withUnsafeBytes { unsafe Array($0) })
  }
}
