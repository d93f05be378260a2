internal import Etalon
internal import EtalonTypes

extension PageMessage {
  /// All that a page needs to know about a subject, apart from its pictures.
  struct State: Encodable, Sendable {
    var title: String
    var subject: String
    var dialect: String
    var device: String
    /// Frames a second.
    var rate: Double
    /// Seconds; nil while the shot has no end.
    var duration: Double?
    var frames: Int?
    /// The number of the first frame.
    var first: Int
    /// Whether each frame depends on the one before.
    var feedback: Bool
    /// As large as a render; nil while nothing could be rendered.
    var size: [Int]?
    var alpha: Bool
    var mouse: Bool
    var keyboard: Bool
    var sound: Sound?
    var parameters: [Parameter]
    var inputs: [Input]
    var files: [File]
    /// Where pages may write.
    var folders: [String]
    /// Those that were saved.
    var presets: [Preset]
    /// The program that opens a text at a line.
    var editor: String?
    /// The time of the first frame, in seconds.
    var start: Double

    /// Values that were saved as a graph document.
    struct Preset: Encodable, Sendable {
      let name: String
      let values: [String: String]
    }

    struct Sound: Encodable, Sendable {
      let rate: Int
      /// Seconds of the whole.
      let duration: Double
      /// What is heard of a video, in seconds of the video, as its options say; nil for a sound, which is heard with the clock of the shot.
      var from: Double?
      var to: Double?
      /// When that begins, in seconds of the shot.
      var start: Double?
      var speed: Double?
      /// `none`, `repeat` or `ping-pong`.
      var loop: String?
    }
  }

  static func state(_ state: State) -> PageMessage { PageMessage("state", state) }
}

extension PageMessage.State {
  /// A value that a page can change.
  struct Parameter: Encodable, Sendable {
    struct Choice: Encodable, Sendable {
      let value: String
      let label: String
    }

    let name: String
    let label: String?
    let help: String?
    let group: String?
    let type: String
    let unit: String?
    let minimum: DescribedValue?
    let maximum: DescribedValue?
    let step: Double?
    /// The most characters of a text.
    let length: Int?
    let `default`: String
    let identity: String?
    let choices: [Choice]?
    /// What it has: what was typed or written, else the default.
    let value: String
    /// Whether it was typed or written.
    let isSet: Bool
    /// Whether a clock gives the value while it is not set.
    let clock: Bool
    let components: Int
    let animated: Bool
    let node: String?
    /// Whether it is a constant of the text, which takes plain values only and is compiled anew for each.
    let constant: Bool
  }

  /// A picture or a sound that is read.
  struct Input: Encodable, Sendable {
    let name: String
    let label: String?
    let kind: String
    let value: String?
    let `default`: String?
    let canChange: Bool
  }

  /// A text that the subject is made of.
  struct File: Encodable, Sendable {
    let name: String
    let path: String
    let text: String
    /// Identifies the bytes on disk that the text was made from; empty for a file that is missing.
    let hash: String
    /// Whether the text is one that a page tries, and not that on disk.
    let tried: Bool
    let writable: Bool
  }
}

extension PageMessage.State.Parameter {
  init(_ parameter: RequestDescription.Parameter) {
    let declaration = parameter.declaration
    let isColor = declaration.kind == ParameterKind.color.rawValue
    self.init(
      name: declaration.name, label: declaration.label, help: declaration.help, group: declaration.group, type: declaration.kind,
      unit: declaration.unit, minimum: declaration.minimum, maximum: declaration.maximum, step: declaration.step,
      length: declaration.length,
      default: parameter.defaultText, identity: declaration.identity?.text(isColor: isColor),
      choices: declaration.choices?.map { Choice(value: "\($0.value)", label: $0.label) }, value: parameter.value ?? parameter.defaultText,
      isSet: parameter.value != nil, clock: declaration.followsClock, components: parameter.componentCount, animated: parameter.isAnimated,
      node: parameter.node, constant: parameter.isConstant)
  }
}
