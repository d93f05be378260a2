internal import EtalonComparison
internal import EtalonTypes

/// Which pixels of a frame that failed are asked about, and whether their answers settle the failure.
///
/// Where only limits of single pixels fail (`channel`, `outliers`, `ceiling`), those beyond the level of `channel` are; where any other does, such as
/// `mean` or `ssim`, every pixel that differs.
struct PixelQuestion {
  struct Pixel {
    /// Its place, counted from the top row on.
    let index: Int
    let difference: Double
  }

  let frame: RenderedFrame
  /// The picture in the form of the reference.
  let actual: PixelBuffer
  let reference: PixelBuffer
  /// What the frame was compared with.
  let tolerance: Tolerance
  /// How far the CPU device may be off the reference: as far as the device, but not exactly where it is not known to have recorded that.
  let toleranceOfCPU: Tolerance
  /// Whether what the specification allows decides about the frame.
  let isDecidedBySpecification: Bool
  /// Whether the case does not ask for that, so that it may take only so much processor time.
  let isUsual: Bool
  /// Whether the CPU device recorded the reference, so that it has to show the same bits as long as nothing changed.
  let isBesideCPU: Bool
  /// The worst first.
  let pixels: [Pixel]
  /// How far color and alpha may be off, in the unit of the comparison.
  let colorLevel: Double
  let alphaLevel: Double
  /// The limits that fail and let every pixel be asked about that differs.
  let wideKeys: [String]
  /// The limits that fail whatever single pixels may be.
  let openKeys: [String]

  private static let pixelKeys: Set = ["channel", "outliers", "ceiling"]

  /// - Parameters:
  ///   - found: what came out of comparing the frame.
  ///   - limits: those that it was compared with, where there are any.
  ///   - asksSpecification: whether these let the specification decide.
  ///   - isBesideCPU: whether the CPU device recorded the reference.
  init(
    _ found: FrameResult, _ frame: RenderedFrame, _ reference: PixelBuffer, _ limits: Tolerance, asksSpecification: Bool = false,
    isBesideCPU: Bool = false
  ) {
    isUsual = found.plain != nil
    let tolerance = isUsual ? .exact : limits
    (isDecidedBySpecification, self.isBesideCPU, self.tolerance) = (isUsual || asksSpecification, isBesideCPU, tolerance)
    toleranceOfCPU = isBesideCPU ? tolerance : limits
    (self.frame, self.reference, actual) = (frame, reference, frame.picture(like: reference))
    let keys = found.comparison?.limits.filter { $0.verdict == .fail }.map(\.key) ?? []
    func isOfPixels(_ key: String) -> Bool { Self.pixelKeys.contains(key.hasPrefix("alpha.") ? String(key.dropFirst(6)) : key) }
    wideKeys = keys.filter { $0 != "nan" && !isOfPixels($0) }
    let isOver = found.flicker?.limit?.verdict == .fail
    openKeys = (keys.contains("nan") || found.differsInFiniteness == true ? ["nan"] : []) + (isOver ? ["flicker"] : [])
    let isWide = !wideKeys.isEmpty
    colorLevel = isWide ? 0 : tolerance.effectiveColor.outlierLevel
    alphaLevel = isWide ? 0 : tolerance.effectiveAlpha.outlierLevel
    let asksColor = isWide || keys.contains { Self.pixelKeys.contains($0) }
    let asksAlpha = isWide || keys.contains { $0.hasPrefix("alpha.") }
    let asksFinite = keys.contains("nan")
    let distances = PixelDistances(actual, reference, tolerance: tolerance)
    let (colorLevel, alphaLevel) = (colorLevel, alphaLevel)
    func isAsked(_ pixel: Int) -> Bool {
      asksColor && distances.isColor(of: pixel, beyond: colorLevel) || asksAlpha && distances.isAlpha(of: pixel, beyond: alphaLevel)
        || asksFinite && distances.largest(pixel).isInfinite
    }
    pixels = (0..<reference.size.pixelCount).filter(isAsked).map { Pixel(index: $0, difference: distances.largest($0)) }
      .sorted { ($1.difference, $0.index) < ($0.difference, $1.index) }
  }

  /// Why nobody can be asked about any pixel.
  var wordsOfNothing: String {
    openKeys.contains("nan") || openKeys.isEmpty
      ? "what fails is no color that a range could hold"
      : "what fails is how much differences change from frame to frame, and no pixel by itself"
  }

  /// What is asked beyond pixels whose limits fail, and what answers cannot settle, where the specification decides.
  var notes: [String] {
    var notes: [String] = []
    let word = isUsual ? "the specification" : "'within: vulkan'"
    if let key = wideKeys.first { notes.append("\(word): '\(key)' fails, so every pixel that differs is asked about") }
    if openKeys.contains("nan") { notes.append("\(word) bears nothing that is NaN or infinite on one side only") }
    if openKeys.contains("flicker") { notes.append("\(word) bears nothing that 'flicker' does not: it asks about single frames") }
    return notes
  }
}
