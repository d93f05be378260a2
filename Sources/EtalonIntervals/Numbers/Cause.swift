/// Why devices may disagree about a number by more than the errors that each operation may make.
///
/// **Concurrency**: an immutable value.
package struct Cause: Sendable, Hashable {
  package enum Reason: UInt8, Sendable, Hashable, CaseIterable {
    case comparison, wholeNumber, conversion, index, undefined, texel, bits, order, wave

    /// What there is to say about it: `a comparison may go either way`.
    package var words: String {
      switch self {
      case .comparison: "a comparison may go either way"
      case .wholeNumber: "a number may be rounded to either of two whole numbers"
      case .conversion: "a conversion to an integer may go either way"
      case .index: "an index may name either of two elements"
      case .undefined: "an operation may have no defined result"
      case .texel: "a position may lie in either of two texels"
      case .bits: "the bits of a number are not certain"
      case .wave: "a sine of a number so large has no bound"
      case .order: "the order of invocations is not defined"
      }
    }
  }

  package let reason: Reason
  /// The number of the place among those of the program that is run; -1 until it is known.
  package var site: Int32 = -1

  init(_ reason: Reason) { self.reason = reason }
}
