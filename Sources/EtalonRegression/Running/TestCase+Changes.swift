internal import Etalon
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

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
