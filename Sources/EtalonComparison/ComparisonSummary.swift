internal import EtalonTypes
internal import Foundation

extension PictureComparison {
  /// What was found, as lines for a person: the verdict first, then every limit, then what and where.
  public var summary: String { ([headline] + details).joined(separator: "\n") + "\n" }

  /// The verdict and what led to it, on one line.
  public var headline: String {
    if verdict == .sizeMismatch {
      return "fail: the sizes differ: \(actual.width)x\(actual.height), the reference is \(reference.width)x\(reference.height)"
    }
    guard verdict != .pass else { return isEqual ? "pass: the pictures are equal" : "pass: within the tolerance" }
    let broken = limits.filter { $0.verdict == verdict }.map { "\($0.key) \($0.describedValue), \($0.describedLimit(verdict))" }
    return "\(verdict.rawValue): \(broken.joined(separator: "; "))"
  }

  /// Whether no pixel differs.
  public var isEqual: Bool {
    verdict != .sizeMismatch && color?.differing == 0 && alpha?.differing == 0 && !hidesNaN && !(shift?.differs ?? false)
  }

  /// Whether numbers of one picture that are none were left out.
  private var hidesNaN: Bool {
    nonFinite.map { $0.differingPixels == 0 && ($0.actualNaN, $0.actualInfinite) != ($0.referenceNaN, $0.referenceInfinite) } ?? false
  }

  private var details: [String] {
    guard let color, let alpha else { return [] }
    var lines = nonFinite.map { $0.lines } ?? []
    lines += color.lines("color", unit, pixels: actual.width * actual.height)
    lines += alpha.lines("alpha", unit, pixels: actual.width * actual.height)
    lines += metricLines
    let known = limits.map { "  limit  \($0.verdict.rawValue)  \($0.key) \($0.describedValue), \($0.describedLimit($0.verdict))" }
    return isEqual ? [] : lines + known
  }

  private var metricLines: [String] {
    var lines: [String] = []
    // Rounded down: what is not equal does not read as 1.
    if let ssim { lines.append("  ssim   \(PlainNumber.text((ssim * 1e6).rounded(.down) / 1e6, digits: 6))") }
    if let ssimGaussian {
      lines.append("  ssim   \(PlainNumber.text((ssimGaussian * 1e6).rounded(.down) / 1e6, digits: 6)) in Gaussian windows")
    }
    if let flip {
      let exposures = flip.exposures.map {
        "; \(Words.count($0.count, "exposure")) from \(PlainNumber.text($0.start)) to \(PlainNumber.text($0.stop))"
      }
      lines.append(
        "  flip   mean \(PlainNumber.text(flip.mean)), median \(PlainNumber.text(flip.median)), 95 % within "
          + "\(PlainNumber.text(flip.percentile95)), 99 % within \(PlainNumber.text(flip.percentile99)), largest \(PlainNumber.text(flip.largest))"
          + (exposures ?? "")
      )
    }
    if let oklab {
      let window = oklab.window.map { ", \($0.pixels) of them in \($0.size)x\($0.size) pixels at \($0.topLeft)" } ?? ""
      lines.append(
        "  oklab  mean \(PlainNumber.text(oklab.mean)), largest \(PlainNumber.text(oklab.largest)), \(Words.pixels(oklab.pixels)) beyond "
          + "\(PlainNumber.text(oklab.distance))\(window)")
    }
    if let noise {
      lines.append(
        "  noise  probability \(PlainNumber.text(noise.probability)): means of windows are up to \(PlainNumber.text(noise.largest)) "
          + "standard errors apart, most in \(noise.width)x\(noise.height) pixels at \(noise.place)")
    }
    if let shift {
      lines.append("  shift  \(shift.outliers - shift.unexplained) of \(Words.count(shift.outliers, "outlier")) match a neighbor")
    }
    return lines
  }
}

extension ChannelComparison {
  fileprivate func lines(_ name: String, _ unit: DifferenceUnit, pixels: Int) -> [String] {
    guard differing > 0 else { return ["  \(name)  equal"] }
    let share = PlainNumber.text(Double(differing) / Double(pixels) * 100)
    var lines = ["  \(name)  \(Words.pixels(differing)) of \(pixels) differ (\(share) %): \(census.text)"]
    if let worst { lines.append("         \(worst.text(unit))") }
    lines.append("         \(means(unit))")
    if outliers > 0 { lines += clusterLines(unit) }
    if let window, window.pixels > 0 {
      lines.append(
        "         fullest window of \(window.size)x\(window.size): \(Words.count(window.pixels, "outlier")) at \(window.topLeft)")
    }
    return lines
  }

  private func means(_ unit: DifferenceUnit) -> String {
    let psnr = psnr.isInfinite ? "" : ", psnr \(PlainNumber.text(psnr)) dB"
    let others = [("relative", relative), ("ulp", ulp), ("emd", emd)].compactMap { name, value in
      value.map { ", \(name) \(PlainNumber.text($0))" }
    }
    return "mean \(PlainNumber.text(mean)), rmse \(PlainNumber.text(rmse)) \(Words.unit(unit))\(psnr)" + others.joined()
  }

  private func clusterLines(_ unit: DifferenceUnit) -> [String] {
    let beyond = outlierLevel > 0 ? " beyond \(Words.quantity(PlainNumber.text(outlierLevel), Words.unit(unit)))" : ""
    let head =
      "         \(Words.count(outliers, "outlier"))\(beyond) in \(Words.count(clusterCount, "group"))"
      + ", \(census.isolated) alone, \(census.onEdges) on edges of the reference"
    return [head] + clusters.prefix(4).map { "         \(Words.pixels($0.pixels)) in \($0.width)x\($0.height) at \($0.topLeft)" }
  }
}

extension DifferenceCensus {
  fileprivate var text: String {
    let classes = [
      (upTo1, "by at most 1 level"), (upTo4, "by up to 4"), (upTo16, "by up to 16"), (upTo64, "by up to 64"), (above64, "by more than 64"),
      (nonFinite, "not finite in one picture"),
    ]
    return classes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

extension PixelDifference {
  fileprivate func text(_ unit: DifferenceUnit) -> String {
    func numbers(_ values: [MeasuredNumber]) -> String { values.map { PlainNumber.text($0.wrappedValue) }.joined(separator: " ") }
    return "largest \(Words.quantity(PlainNumber.text(difference), Words.unit(unit))) in \(channel) at \(place): \(numbers(actual)), "
      + "the reference has \(numbers(reference))"
  }
}

extension NonFiniteCensus {
  fileprivate var lines: [String] {
    guard !isEmpty else { return [] }
    var text =
      "  nan    the actual picture has \(actualNaN) NaN and \(actualInfinite) infinite numbers, the reference "
      + "\(referenceNaN) and \(referenceInfinite)"
    if let first { text += "; \(Words.pixels(differingPixels)) in one only, the first at \(first)" }
    return [text]
  }
}

/// Words that follow numbers.
enum Words {
  static func count(_ number: Int, _ noun: String) -> String { number.of(noun) }
  static func pixels(_ number: Int) -> String { count(number, "pixel") }
  /// A number with what it counts; one level is no levels.
  static func quantity(_ number: String, _ unit: String) -> String {
    guard !unit.isEmpty else { return number }
    return "\(number) \(number == "1" && unit.hasSuffix("s") ? String(unit.dropLast()) : unit)"
  }
  static func unit(_ unit: DifferenceUnit) -> String { unit == .levels ? "levels" : "(absolute)" }
}

/// Numbers as people read them.
package enum PlainNumber {
  /// Up to some significant digits and all that are whole, without trailing zeros: `3`, `0.25`, `0.0001234`, `3.403e+38`, `inf`.
  package static func text(_ value: Double, digits: Int = 4) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    if value == value.rounded(), abs(value) < 1e15 { return String(format: "%.0f", value == 0 ? 0 : value) }
    let magnitude = Int(log10(abs(value)).rounded(.down))
    if magnitude < -6 || magnitude > 15 { return String(format: "%.\(digits - 1)e", value) }
    var text = String(format: "%.\(max(1, digits - 1 - magnitude))f", value)
    while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") { text.removeLast() }
    return text
  }
}

extension PlainNumber {
  /// The decimal logarithm.
  static func logarithm(_ value: Double) -> Double { log10(value) }

  /// A power of ten.
  static func power(of10 exponent: Int) -> Double { pow(10, Double(exponent)) }

  /// A power of two.
  static func power(of2 exponent: Int) -> Double { exp2(Double(exponent)) }
}
