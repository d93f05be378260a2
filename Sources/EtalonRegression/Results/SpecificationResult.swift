package import EtalonComparison
internal import EtalonTypes

/// How the pixels of a device that differ from the CPU device lie beside what the Vulkan specification allows.
package struct SpecificationResult: Sendable, Hashable, Codable {
  /// The pixel that is farthest outside, or that differs most where none is.
  package struct Worst: Sendable, Hashable, Codable {
    package let column: Int
    package let rowFromTop: Int
    package let rowFromBottom: Int
    /// `r`, `g`, `b` or `a`.
    package let channel: String
    /// In levels of the comparison, or as numbers where it has none.
    @MeasuredNumber package var actual: Double
    @MeasuredNumber package var reference: Double
    @MeasuredNumber package var low: Double
    @MeasuredNumber package var high: Double

    /// `g is 12, may be 20 to 24`.
    var words: String {
      func text(_ number: Double) -> String { PlainNumber.text(number, digits: 7) }
      return "\(channel) is \(text(actual)), may be \(text(low)) to \(text(high))"
    }
  }

  /// A line that makes pixels undetermined.
  package struct Line: Sendable, Hashable, Codable {
    /// `plasma.glsl:12: a comparison may go either way`.
    package let text: String
    package let pixels: Int
    /// The line with those around it; nil where Etalon wrote it.
    package var source: SourceExcerpt?
  }

  /// How many pixels differ by more than the tolerance bears, and how many of them were judged: the ones that differ most.
  package var differing = 0
  package var judged = 0
  /// Inside of ranges that follow from errors of operations alone: right by the specification.
  package var inside = 0
  /// Outside of everything that the specification allows.
  package var outside = 0
  /// Outside of the bounds of the conformance tests where the specification has none: counted in `outside`, but not certainly a defect of the driver.
  package var outsideWithoutBound: Int?
  /// Inside, but the shader itself is not stable here.
  package var undetermined = 0
  /// Those of which nothing is known.
  package var unknown = 0
  /// Those whose ranges rest on bounds of the conformance tests, where the specification has none.
  package var beyondSpecification = 0
  package var worst: Worst?
  /// The lines where pixels became undetermined or unknown first, those of most pixels first.
  package var lines: [Line] = []

  package init() {}

  /// Outside of what the specification itself allows.
  var outsideForCertain: Int { outside - (outsideWithoutBound ?? 0) }

  /// `12 pixels judged: 10 inside what Vulkan allows, 0 outside, 2 undetermined`.
  package var words: String {
    var text =
      "\(judged < differing ? "\(judged) of " : "")\((judged < differing ? differing : judged).of("pixel")) judged: \(inside) inside what Vulkan allows, \(outside) outside"
    text += ", \(undetermined) undetermined"
    if unknown > 0 { text += ", \(unknown) unknown" }
    if beyondSpecification > 0 { text += "; \(beyondSpecification.of("rests", "rest")) on bounds of the conformance tests" }
    return text
  }

  /// Why it is not known whether all pixels are allowed.
  var wordsOfUnknown: String {
    let left = differing - judged + unknown
    if left == 0, let outsideWithoutBound { return "Vulkan has no bound for what happens in \(outsideWithoutBound.of("pixel"))" }
    let cause = lines.first { $0.text.hasPrefix("not looked at") } ?? lines.first
    return "\(left) of \(differing.of("pixel")) \(left == 1 ? "is" : "are") unknown"
      + (judged < differing ? ", too many to judge" : cause.map { ": \($0.text)" } ?? "")
  }

  /// `column 3, row 9 from the top: g is 12, may be 20 to 24`.
  package var worstWords: String? {
    worst.map { worst in
      "column \(worst.column), row \(worst.rowFromTop) from the top: \(worst.words)"
    }
  }
}

/// How far pixels of a frame that differs move where devices compute as loosely as they may.
package struct StabilityResult: Sendable, Hashable, Codable {
  /// Pixels that have the same color in the picture.
  package struct Band: Sendable, Hashable, Codable {
    /// `by up to 4 levels`.
    package let text: String
    /// `#ff8000`.
    package let color: String
    package let pixels: Int
  }

  /// How often it was rendered in another way.
  package let runs: Int
  package let seed: Int
  package let bands: [Band]
}
