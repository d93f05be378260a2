internal import EtalonGLSL
package import EtalonGraph
package import EtalonManifest
internal import EtalonTypes
internal import Foundation

/// Everything that a filter says about itself, in the words of its author, as data for text and JSON.
///
/// As JSON it has these keys, and absent ones are unknown: `{"version": 1, "name", "path", "kind", "dialect", "title", "description", "credit", "license",
/// "categories": [], "aliases": [], "inputs": [], "parameters": [], "constants": [], "constraints": [], "targets": [], "buffers": [], "passes": [], "outputs": [],
/// "alpha"}`.
/// Values are numbers, truth values, or arrays of numbers.
package struct FilterDescription: Sendable, Encodable {
  package let version = 1
  package let name: String
  /// The file, or the folder of a ShaderToy project.
  package let path: String
  /// generator, filter, composite or transition; sound for a text that makes a sound and no picture.
  package let kind: String
  package let dialect: String
  /// What people call it; nil where that is the name.
  package let title: String?
  package let description: String?
  package let credit: String?
  package let license: String?
  package let categories: [String]
  /// Other names by which it is found; nil for none.
  package let aliases: [String]?
  package let inputs: [Input]
  package let parameters: [Parameter]
  package let constants: [Constant]
  /// GLSL expressions that must be true of the parameters together.
  package let constraints: [String]
  package let targets: [Target]
  package let buffers: [Buffer]
  package let passes: [Pass]
  /// What `-o NAME=file` can name, the result first.
  package let outputs: [String]
  /// What the alpha of the result means: opaque, straight or premultiplied.
  package let alpha: String

  /// An image that the filter reads.
  package struct Input: Sendable, Encodable {
    package let name: String
    package let label: String?
    package let help: String?
    /// `flat` for a picture, `cube`, `volume`.
    package let shape: String
    package let interpolation: String
    package let address: String
    package let isFlipped: Bool
    /// Where its picture comes from when the user gives none: `user` (nowhere), `file`, `asset`, `keyboard`, `nothing` (black),
    /// `table` (a color table that changes nothing) or `font` (none).
    package let origin: String
    /// The path of a file, or what a site calls an asset.
    package let source: String?
    /// The name that people know an asset by.
    package let title: String?
    /// The first and the last frame that the filter reads of it, counted from the one that shows, as `[-2, 2]`; nil for that one alone.
    package let frames: [Int]?
    /// What is read beyond the first and the last frame: `hold`, `mirror` or `transparent`; nil where no other frames are read.
    package let ends: String?
  }

  /// A value that the filter expects.
  package struct Parameter: Sendable, Encodable {
    /// One of the values that a choice may have.
    package struct Choice: Sendable, Encodable {
      package let value: Int
      package let label: String
    }

    package let name: String
    package let label: String?
    package let help: String?
    package let group: String?
    /// What it means to people: `color`, `point`, `choice`, or the name of a GLSL type.
    package let kind: String
    /// The GLSL type, or `curve`, `matrix` or `text`.
    package let type: String
    package let `default`: DescribedValue
    /// Whether a clock gives the value while it is not set.
    package let followsClock: Bool
    package let minimum: DescribedValue?
    package let maximum: DescribedValue?
    package let identity: DescribedValue?
    package let step: Double?
    package let unit: String?
    /// The fewest and the most rows and columns of a matrix.
    package let rows: [Int]?
    package let columns: [Int]?
    /// The most characters of a text, the ranges of those that it may have, which are nil for all, and the input for a font that draws others.
    package let length: Int?
    package let characters: [String]?
    package let font: String?
    package let choices: [Choice]?
  }

  /// A constant of the text that a user may give another value.
  package struct Constant: Sendable, Encodable {
    package let name: String
    package let type: String
    package let value: DescribedValue
  }

  /// A picture between passes.
  package struct Target: Sendable, Encodable {
    package let name: String
    package let format: String
    package let shape: String
    package let extent: String
    package let isPersistent: Bool
  }

  /// An array that compute kernels share.
  package struct Buffer: Sendable, Encodable {
    package let name: String
    package let type: String
    /// A GLSL expression.
    package let count: String
    package let isPersistent: Bool
  }

  /// One step of the filter.
  package struct Pass: Sendable, Encodable {
    package let name: String
    /// The targets that it writes.
    package let writes: [String]
    package let writesResult: Bool
    /// The arrays that it reads or writes.
    package let buffers: [String]
    /// The inputs and targets that it reads.
    package let reads: [String]
    package let iterations: Int
  }
}

// MARK: from manifests

extension FilterDescription {
  /// The kind of a text that makes a sound and no picture.
  package static let soundKind = "sound"

  /// Describes what was read from a path.
  ///
  /// - Parameter kind: what it is, where it makes no picture.
  package init(_ manifest: FilterManifest, path: String, kind: String? = nil) {
    self.init(manifest, path: path, kind: kind, dialect: manifest.dialect.rawValue, description: manifest.about.description)
  }

  /// Describes an image operation, which is no filter of a library but a stage and a node like one.
  package init(_ operation: ImageOperation) {
    self.init(
      operation.filter.manifest, path: "as a stage: '\(operation.form)'", name: operation.rawValue, dialect: "image operation",
      description: operation.summary)
  }

  private init(
    _ manifest: FilterManifest, path: String, name: String? = nil, kind: String? = nil, dialect: String, description: String?
  ) {
    self.init(
      name: name ?? manifest.name, path: path, kind: kind ?? manifest.kind.rawValue, dialect: dialect,
      title: manifest.about.title, description: description, credit: manifest.about.credit, license: manifest.about.license,
      categories: manifest.about.categories, aliases: manifest.about.aliases.isEmpty ? nil : manifest.about.aliases,
      inputs: manifest.inputs.map(Input.init), parameters: manifest.parameters.map { Parameter($0) },
      constants: manifest.constants.map { Constant(name: $0.name, type: $0.value.type.rawValue, value: DescribedValue($0.value)) },
      constraints: manifest.constraints.map(\.text), targets: manifest.targets.map(Target.init), buffers: manifest.buffers.map(Buffer.init),
      passes: manifest.passes.map(Pass.init), outputs: [manifest.mainOutput] + manifest.furtherOutputs, alpha: manifest.alpha.rawValue)
  }
}

extension FilterDescription.Input {
  fileprivate init(_ input: FilterInput) {
    let (origin, source) = input.isRead ? Self.origin(of: input) : ("unread", nil)
    self.init(
      name: input.name, label: input.label, help: input.help, shape: input.shape.rawValue,
      interpolation: input.sampler.interpolation.rawValue,
      address: input.sampler.address.rawValue, isFlipped: input.isFlipped, origin: origin, source: source,
      title: Self.title(input.origin), frames: input.frames.map { [$0.offsets.lowerBound, $0.offsets.upperBound] },
      ends: input.frames?.ends.rawValue)
  }

  private static func title(_ origin: FilterInput.Origin) -> String? {
    if case .asset(let asset) = origin { asset.title } else { nil }
  }

  private static func origin(of input: FilterInput) -> (String, String?) {
    // A sound that the text brings is there.
    if case .file(let path, _) = input.origin { return ("file", path) }
    return input.sound.map { ("sound", "\($0)" as String?) } ?? origin(input.origin)
  }

  private static func origin(_ origin: FilterInput.Origin) -> (String, String?) {
    switch origin {
    case .user: ("user", nil)
    case .file(let path, _): ("file", path)
    case .asset(let asset): ("asset", asset.id)
    case .keyboard: ("keyboard", nil)
    case .nothing: ("nothing", nil)
    case .data(let kind): (kind.rawValue, nil)
    }
  }
}

extension FilterDescription.Parameter {
  /// - Parameter name: what it is called from outside, where that is something else.
  init(_ parameter: FilterParameter, named name: String? = nil) {
    self.init(
      name: name ?? parameter.name, label: parameter.label, help: parameter.help, group: parameter.group, kind: parameter.kind.rawValue,
      type: parameter.list == nil ? parameter.kind.valueType.rawValue : parameter.kind.rawValue,
      default: DescribedValue(parameter.defaultValue, as: parameter.list), followsClock: parameter.followsClock,
      minimum: parameter.minimum.map { DescribedValue($0) }, maximum: parameter.maximum.map { DescribedValue($0) },
      identity: parameter.identity.map { DescribedValue($0, as: parameter.list) }, step: parameter.step, unit: parameter.unit?.rawValue,
      rows: Self.sides(parameter.list)?.rows, columns: Self.sides(parameter.list)?.columns,
      length: Self.rules(parameter.list)?.longest, characters: Self.characters(parameter.list),
      font: Self.rules(parameter.list)?.font,
      choices: parameter.choices.isEmpty ? nil : parameter.choices.map { Choice(value: $0.value, label: $0.label) })
  }
}

extension FilterDescription.Parameter {
  private static func rules(_ list: ListShape?) -> CharacterRules? { if case .text(let rules)? = list { rules } else { nil } }

  private static func characters(_ list: ListShape?) -> [String]? {
    guard let allowed = rules(list)?.allowed, !allowed.isEmpty else { return nil }
    return allowed.map(CharacterRules.text)
  }

  /// The fewest and the most rows and columns of a matrix.
  private static func sides(_ list: ListShape?) -> (rows: [Int], columns: [Int])? {
    guard case .matrix(let rows, let columns)? = list else { return nil }
    return ([rows.lowerBound, rows.upperBound], [columns.lowerBound, columns.upperBound])
  }
}

extension FilterDescription.Target {
  fileprivate init(_ target: FilterTarget) {
    self.init(
      name: target.name, format: target.format.rawValue, shape: target.shape.rawValue, extent: Self.text(target.extent),
      isPersistent: target.isPersistent)
  }

  private static func text(_ extent: FilterTarget.Extent) -> String {
    switch extent {
    case .output: "as the result"
    case .pixels(let size): "\(size)"
    case .scaled(let factor): "\(factor) of the result"
    case .expressions(let width, let height): "(\(width?.text ?? "width")) x (\(height?.text ?? "height"))"
    }
  }
}

extension FilterDescription.Buffer {
  fileprivate init(_ buffer: FilterBuffer) {
    self.init(name: buffer.name, type: buffer.type.rawValue, count: buffer.count.text, isPersistent: buffer.isPersistent)
  }
}

extension FilterDescription.Pass {
  fileprivate init(_ pass: PassSource) {
    let sources = pass.textures.map { texture in
      switch texture.source {
      case .input(let name), .target(let name): name
      }
    }
    let isPixelPass = pass.coverage == .pixels
    self.init(
      name: pass.name, writes: [pass.target].compactMap(\.self) + pass.stores.compactMap(\.target),
      writesResult: isPixelPass ? pass.target == nil : pass.stores.contains { $0.target == nil }, buffers: pass.buffers.map(\.buffer),
      reads: sources, iterations: pass.iterations)
  }
}

// MARK: values

/// A value of a description: a number, a truth value, several numbers, or rows of numbers.
package struct DescribedValue: Sendable, Encodable {
  private let value: Value
  private let list: ListShape?

  init(_ value: Value, as list: ListShape? = nil) { (self.value, self.list) = (value, list) }

  /// As a person types it, with at most six digits a number; a color that bytes can hold is `#rrggbb`, with its alpha unless that is 1.
  package func text(isColor: Bool) -> String {
    if isColor, let color { return color }
    if let list { return list.text(value) }
    return value.type == .bool ? ValueConversion.plainText(value) : value.components.map(Self.shortText).joined(separator: ",")
  }

  /// The text that gives exactly this value when it is typed.
  package var exactText: String {
    if let list { return list.text(value) }
    return value.type == .bool ? ValueConversion.plainText(value) : value.components.map { "\($0)" }.joined(separator: ",")
  }

  /// A number with at most six digits.
  package static func shortText(_ number: Double) -> String {
    let text = ValueConversion.plainText(Value(.float, [number]))
    guard text.count > 8, number != 0, number.isFinite else { return text }
    let scale = Foundation.pow(10, 5 - Foundation.floor(Foundation.log10(number.magnitude)))
    return ValueConversion.plainText(Value(.float, [(number * scale).rounded() / scale]))
  }

  private var color: String? {
    let bytes = value.components.map { ($0 * 255).rounded() }
    guard bytes.count == 4, zip(bytes, value.components).allSatisfy({ (0...255).contains($0) && ($0 / 255 - $1).magnitude < 1e-9 }) else {
      return nil
    }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String(Int($0), radix: 16) }
    return "#" + (bytes[3] == 255 ? digits.prefix(3) : digits[...]).joined()
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text = value.text {
      try container.encode(text)
    } else if list != nil {
      try container.encode(value.rows)
    } else if value.type == .bool {
      try container.encode(value.components[0] != 0)
    } else if value.components.count == 1 {
      try container.encode(value.components[0])
    } else {
      try container.encode(value.components)
    }
  }
}
