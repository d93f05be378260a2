package import EtalonGraph
package import EtalonManifest
package import EtalonTypes

/// One thing that has to stay true of the pictures of a filter or a graph, as somebody wrote it in a file of cases.
///
/// **Concurrency**: an immutable value.
package struct TestCase: Sendable, Hashable {
  /// What is rendered.
  package enum Subject: Sendable, Hashable {
    /// A filter with its inputs and values, as a graph has it.
    case node(GraphText.Node)
    /// A graph document, with files for the inputs that it leaves open and values for its parameters.
    case document(GraphText.Word, inputs: [GraphText.Input], settings: [GraphText.Setting])
    /// A file without cases, rendered as it comes: with test cards, and with the values that it has by itself.
    case plain(path: String)
  }

  /// Which picture of the subject is looked at.
  package enum Moment: Sendable, Hashable {
    /// The first frame of the shot, whatever its number is.
    case first
    case frame(Int)
    /// Seconds of the shot's clock.
    case time(Rational)
  }

  /// What can be typed to run this case alone: `tests/soft.yaml`, or `tests/soft.yaml:wide` where the file has several.
  package let id: String
  /// What the case is called in its file, and its references where nothing else is said.
  package let name: String
  /// The file of cases; for a filter without cases the filter's own.
  package let path: String
  /// Where the case begins in the file; nil for a filter without cases.
  package let place: SourceRange?
  /// What people call the thing that is rendered.
  package let subjectName: String
  package let subject: Subject
  package var moments: [Moment] = [.first]
  package var size: Size?
  /// Nil is what a graph document says, else the usual clock.
  package var clock: ShotClock?
  /// How long the shot is that the moments are a part of, as it is written; nil is what a graph document says, else the moments are the shot.
  package var duration: GraphText.Word?
  /// The moments of the shot, where these are only some of them.
  var momentsOfShot: [Moment]?
  package var pointer: PointerState?
  package var eventsFile: String?
  /// Bits a channel in which pictures are compared and stored: 8 or 16.
  package var bits = 8
  package var alpha: AlphaMode?
  /// On which devices it counts; elsewhere it is skipped.
  package var condition = DeviceCondition.always
  package var reference = ReferenceRule.none
  package var tolerances = ToleranceRules()
  package var invariants: [Invariant] = []
  package var expectation: Expectation?
  /// Whether a picture of one single color is fine.
  package var mayBeFlat = false
  /// Whether pixels may be infinite or no numbers.
  package var mayBeNotFinite = false

  /// Whether it is a file without cases.
  package var isPlain: Bool { if case .plain = subject { true } else { false } }
}
