internal import Etalon
package import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
package import EtalonTypes

/// One thing that has to stay true of the pictures of a filter or a graph, as it is written in a file of cases.
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
  package var tolerances = CaseToleranceRules()
  package var invariants: [Invariant] = []
  package var expectation: Expectation?
  /// Whether a picture of one single color is fine.
  package var mayBeFlat = false
  /// Whether pixels may be infinite or no numbers.
  package var mayBeNotFinite = false

  /// Whether it is a file without cases.
  package var isPlain: Bool { if case .plain = subject { true } else { false } }
}

// MARK: - the same case with other values or moments

extension TestCase {
  /// The same shot at other moments.
  func with(moments: [Moment]) -> TestCase {
    var copy = self
    copy.momentsOfShot = momentsOfShot ?? self.moments
    copy.moments = moments
    return copy
  }

  /// The same with further values, which replace those that are there.
  func setting(_ values: [String: String]) -> TestCase {
    let place = self.place ?? SourceRange(SourceText(path: path, text: ""), 0..<0)
    let settings = values.sorted { $0.key < $1.key }.map { name, value in
      GraphText.Setting(name: GraphText.Word(name, at: place), value: LocatedNode(.scalar(value), at: place))
    }
    return TestCase(self, subject: subject.adding(settings))
  }

  private init(_ other: TestCase, subject: Subject) {
    self.init(id: other.id, name: other.name, path: other.path, place: other.place, subjectName: other.subjectName, subject: subject)
    (moments, size, clock, pointer, eventsFile) = (other.moments, other.size, other.clock, other.pointer, other.eventsFile)
    (duration, momentsOfShot) = (other.duration, other.momentsOfShot)
    (bits, alpha, mayBeFlat, mayBeNotFinite) = (other.bits, other.alpha, other.mayBeFlat, other.mayBeNotFinite)
  }

  /// The file of an image input.
  func picture(of input: String) -> String? { inputs.first { $0.name?.text == input }?.path }

  /// The file of the input that the filter is applied to.
  var mainPicture: String? {
    inputs.first { $0.name == nil }?.path ?? picture(of: "inputImage") ?? (inputs.count == 1 ? inputs[0].path : nil)
  }

  private var inputs: [GraphText.Input] {
    switch subject {
    case .node(let node): node.inputs
    case .document(_, let inputs, _): inputs
    case .plain: []
    }
  }
}

extension GraphText.Input {
  /// Nil for what is no file.
  fileprivate var path: String? { if case .file(let word, _) = origin { word.text } else { nil } }
}

extension TestCase.Subject {
  fileprivate func adding(_ settings: [GraphText.Setting]) -> Self {
    let names = Set(settings.map(\.name.text))
    switch self {
    case .node(var node):
      node.settings = node.settings.filter { !names.contains($0.name.text) } + settings
      return .node(node)
    case .document(let word, let inputs, let earlier):
      return .document(word, inputs: inputs, settings: earlier.filter { !names.contains($0.name.text) } + settings)
    case .plain: return self
    }
  }
}

extension TestCase.Moment {
  /// Seconds of the clock.
  func time(_ clock: ShotClock) -> Rational {
    switch self {
    case .first: clock.start
    case .frame(let frame): clock.time(ofFrame: frame)
    case .time(let time): time
    }
  }
}
