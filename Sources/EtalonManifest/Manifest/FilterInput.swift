package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonTypes

/// An image that a filter reads.
package struct FilterInput: Sendable, Hashable {
  /// Where its picture comes from when the user gives none.
  package enum Origin: Sendable, Hashable {
    /// None: the user has to give a picture.
    case user
    /// A file beside the filter, relative to its folder.
    case file(path: String, place: SourceRange?)
    /// A picture that belongs to a player's site, looked up in a folder of the user.
    case asset(Asset)
    /// The keys that are held, as a picture of 256×3 pixels.
    case keyboard
    /// Nothing: the text reads opaque black.
    case nothing
    /// A file of the user that is no picture; without one, a table that changes no color, or no font.
    case data(DataKind)
  }

  /// What a file holds that is no picture, and that texts read by functions of its own.
  package enum DataKind: String, Sendable, Hashable, CaseIterable {
    case table, font

    /// What messages call it.
    package var words: String { self == .table ? "a color table" : "a font" }

    /// A name that such a file may have.
    package var example: String { self == .table ? "grade.cube" : "NotoSans.ttf" }

    /// What files there are.
    package var files: String {
      self == .table
        ? "a '.cube' file or a PNG picture made from a Hald CLUT"
        : "a TrueType, OpenType or Type 1 file: '.ttf', '.otf', '.ttc', '.woff', '.woff2' or '.pfb'"
    }
  }

  /// A picture that a site offers to its shaders.
  package struct Asset: Sendable, Hashable {
    /// What the site calls it, such as a path.
    package let id: String
    /// The name of the file in a folder of assets.
    package let fileName: String
    /// The name that people know it by.
    package let title: String?
    package let size: Size?

    package init(id: String, fileName: String, title: String? = nil, size: Size? = nil) {
      self.id = id
      self.fileName = fileName
      self.title = title
      self.size = size
    }
  }

  /// A video, a song, a camera or a microphone that a player's site connects, in whose place a user gives a file.
  package struct SiteMedia: Sendable, Hashable {
    /// As the site calls it: `video`, `webcam`, `music`, `musicstream`, `mic`.
    package let kind: String
    /// The path or the address on the site; empty where nothing says it.
    package let path: String

    package init(kind: String, path: String = "") {
      self.kind = kind
      self.path = path
    }

    /// The name of the file in a folder of assets: that of the site, or the kind.
    package var fileName: String { path.split(separator: "/").last.map(String.init) ?? kind }
  }

  /// What the numbers of a picture mean to the text that reads them.
  package enum ColorSpace: String, Sendable, Hashable, CaseIterable {
    /// Whatever the graph computes with: sRGB-encoded unless it says otherwise.
    case working
    /// sRGB-encoded, as files have them.
    case encoded
    /// Proportional to light.
    case linear
    /// No colours at all, so that nothing converts them.
    case data
  }

  /// `iChannel0`, `bufferA.iChannel1`, `inputImage`.
  package let name: String
  package let label: String?
  /// What it is for, for people.
  package var help: String?
  package let origin: Origin
  package let shape: TextureShape
  /// The files of the other five faces of a cube; empty where their names follow from that of the first, or one file holds all.
  package private(set) var faces: [String] = []
  /// How the image is read unless the user says otherwise.
  package internal(set) var sampler: Sampler
  /// Whether the picture appears upside down to the text.
  package internal(set) var isFlipped: Bool
  package internal(set) var space: ColorSpace
  /// What the fourth channel says about the others when the text reads it.
  package let alpha: AlphaMode
  /// What it shows of a sound; nil for an input that shows pictures.
  package let sound: SoundPicture?
  /// What the site of a player connects, where the user has to give a file; nil for other inputs.
  package let media: SiteMedia?
  /// The frames that the text reads of it beside the one that shows; nil for that alone.
  package var frames: FrameWindow?
  /// Where it is declared; nil for one that the text only mentions.
  package let place: SourceRange?
  /// Whether anything that runs reads it; otherwise it needs no picture.
  package internal(set) var isRead = true
  /// Whether it is read only at positions in pixels, so that a picture of another size than the result is cut off instead of scaled.
  package internal(set) var isReadInPixels = false

  package init(
    name: String, label: String? = nil, origin: Origin = .user, shape: TextureShape = .flat, sampler: Sampler, isFlipped: Bool = false,
    space: ColorSpace = .encoded, alpha: AlphaMode = .straight, sound: SoundPicture? = nil, media: SiteMedia? = nil,
    place: SourceRange? = nil
  ) {
    self.name = name
    self.label = label
    self.origin = origin
    self.shape = shape
    self.sampler = sampler
    self.isFlipped = isFlipped
    self.space = space
    self.alpha = alpha
    self.sound = sound
    self.media = media
    self.place = place
  }

  /// What its file holds where that is no picture; nil for every other input.
  package var data: DataKind? { if case .data(let kind) = origin { kind } else { nil } }

  /// The same input with files for the other faces of its cube.
  package func withFaces(_ files: [String]) -> FilterInput {
    var input = self
    input.faces = files
    return input
  }

  /// The same input with numbers of a space.
  package func reading(_ space: ColorSpace) -> FilterInput {
    var input = self
    input.space = space
    return input
  }

  /// The same input, read as the user says.
  package func changed(by change: SamplerChange?) -> FilterInput {
    guard let change else { return self }
    var input = self
    input.sampler = change.applied(to: sampler)
    input.isFlipped = change.isFlipped ?? isFlipped
    return input
  }
}

// MARK: - sounds

/// What an image input shows of a sound.
package enum SoundPicture: Sendable, Hashable {
  /// 512×2 pixels as ShaderToy has them: in the lower row frequencies, in the upper one samples.
  case player
  /// This many samples, the latest at the right; a row for each channel, the first at the bottom; silence is 0.5.
  case waveform(sampleCount: Int)
  /// This many bands from 0 to half the sample rate; a row for each channel, the first at the bottom.
  case spectrum(bandCount: Int)

  /// How many samples or bands an ISF file shows that does not say it.
  package static let standardCount = 512
  /// The most samples or bands.
  package static let mostCount = 16384
}

extension SoundPicture: CustomStringConvertible {
  /// `a waveform of 64 samples`.
  package var description: String {
    switch self {
    case .player: "frequencies and a waveform"
    case .waveform(let count): "a waveform of \(count) samples"
    case .spectrum(let count): "\(count) frequencies"
    }
  }
}

// MARK: - parameters

/// A value that a filter expects from outside, with what it may be.
package struct FilterParameter: Sendable, Hashable {
  /// One of the values that a choice may have.
  package struct Choice: Sendable, Hashable {
    package let value: Int
    package let label: String

    package init(value: Int, label: String) {
      self.value = value
      self.label = label
    }
  }

  /// What the numbers measure.
  package enum Unit: String, Sendable, Hashable, CaseIterable {
    /// Pixels of the graph's nominal size.
    case pixels = "px"
    case degrees = "deg"
    case seconds = "s"
    /// Fractions of the picture's sides.
    case normalized
  }

  /// The name as the author wrote it.
  package let name: String
  package let kind: ParameterKind
  package internal(set) var defaultValue: Value
  /// Inclusive bounds, component by component; nil where there are none.
  package var minimum: Value?
  package var maximum: Value?
  /// Whether a clock gives the value while the user sets none; the default is then the value at which the clock starts.
  package var followsClock = false
  /// The value with which the filter changes nothing.
  package var identity: Value?
  /// Values are the minimum (or 0) plus a multiple of it.
  package var step: Double?
  package var unit: Unit?
  package var label: String?
  package var help: String?
  package var group: String?
  /// For a choice, in the order in which they are offered; empty otherwise.
  package var choices: [Choice] = []
  /// What its numbers are, where its values are lists of them.
  package var list: ListShape?
  /// Where it is declared; nil for one that the text only mentions.
  package var place: SourceRange?

  /// Whether expressions may mention it: they have no lists and no matrices.
  package var isInExpressions: Bool { list == nil && !kind.valueType.isMatrix }

  package init(name: String, kind: ParameterKind, defaultValue: Value, place: SourceRange? = nil) {
    precondition(defaultValue.type == kind.valueType, "a \(defaultValue.type) as the default of a \(kind)")
    self.name = name
    self.kind = kind
    self.defaultValue = defaultValue
    self.place = place
  }
}
