package import EtalonGraph
package import EtalonTypes

/// Something that is true of the pictures of a filter whatever they show, so that no stored picture is needed to test it.
package struct Invariant: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// With these values the filter changes nothing: the result is its main input.
    case identity
    /// A frame does not depend on which others were rendered before it.
    case purity
    /// At twice the size it shows the same.
    case resolution
    /// After a period everything is as it was.
    case periodicity
    /// A part that is rendered alone is equal to the part of the whole.
    case crop
    /// Filters that are joined into one kernel give what they give one after the other.
    case fusion
    /// A transition begins with its first picture and ends with its second.
    case ends
    /// Setting every parameter to what it is by itself changes nothing.
    case defaults
    /// It does not matter how passes are cut into pieces, nor in which order these are done.
    case tiles
    /// Kernels that are optimized give what they give as they were written.
    case optimization
    /// The device shows what Etalon's own executor shows.
    case cpu

    /// Whether both pictures are rendered alike, so that their numbers can be compared as they are.
    var comparesNumbers: Bool { [.purity, .crop, .fusion, .defaults].contains(self) }

    /// Whether pictures of the size of the case are compared.
    var hasWholePictures: Bool { self != .crop && self != .resolution }
  }

  package let kind: Kind
  /// Nil for those that nobody wrote.
  package let written: GraphText.Word?
  /// Seconds until everything is as it was; of `periodicity` only.
  package var period: Rational?
  /// Nil is what suits the kind.
  package var tolerances: ToleranceRules?

  package init(_ kind: Kind, written: GraphText.Word? = nil) { (self.kind, self.written) = (kind, written) }
}
