package import EtalonDiagnostics
package import EtalonTypes

/// A ShaderToy with all its passes, whichever way it was stored: what each reads, in the author's order.
package struct ShaderToyProject: Sendable, Hashable {
  /// The passes that a project may have; each at most once.
  package enum PassName: String, Sendable, Hashable, CaseIterable {
    case common, bufferA, bufferB, bufferC, bufferD, cubemapA, image, sound

    /// Whether it fills a picture that other passes may read.
    package var isTarget: Bool {
      switch self {
      case .bufferA, .bufferB, .bufferC, .bufferD, .cubemapA: true
      case .common, .image, .sound: false
      }
    }
  }

  /// What a channel reads.
  package enum Source: Sendable, Hashable {
    /// What a pass wrote, this frame or the last one.
    case target(PassName)
    /// A picture of the site.
    case asset(FilterInput.Asset, TextureShape)
    /// A picture beside the project.
    case file(String, TextureShape)
    /// A picture that the user has to give.
    case user
    case keyboard
    /// A sound that the user has to give, by the name that the site gives to it: `music`.
    case sound(String)
    /// Something that is no picture, by the name that the site gives to it: `webcam`.
    case unsupported(String)
  }

  /// One of the four images that a pass may read.
  package struct Channel: Sendable, Hashable {
    /// 0 to 3.
    package let index: Int
    package let source: Source
    package let sampler: Sampler
    package let isFlipped: Bool
    package let place: SourceRange

    package init(index: Int, source: Source, sampler: Sampler, isFlipped: Bool = false, place: SourceRange) {
      self.index = index
      self.source = source
      self.sampler = sampler
      self.isFlipped = isFlipped
      self.place = place
    }

    /// `iChannel0`.
    package var name: String { ShaderToyUniforms.channels[index] }
  }

  package struct Pass: Sendable, Hashable {
    package let name: PassName
    package let text: SourceText
    /// In the author's order, each index at most once.
    package let channels: [Channel]
    package let place: SourceRange?

    package init(name: PassName, text: SourceText, channels: [Channel] = [], place: SourceRange? = nil) {
      self.name = name
      self.text = text
      self.channels = channels
      self.place = place
    }
  }

  /// What the author called it; nil when nothing says so.
  package let title: String?
  package let about: FilterManifest.About
  /// In the author's order, which is that of the buffers within a frame.
  package let passes: [Pass]
  /// The constants that are parameters, with what a user may set them to.
  package let parameters: [ExposedConstant]
  /// Whether it says what channels read; otherwise they are inputs of the user.
  package let isConnected: Bool
  /// The pass whose inputs have the names of its channels; those of the others have the name of the pass in front.
  package let mainPass: PassName

  package init(
    title: String? = nil, about: FilterManifest.About = .init(), passes: [Pass], parameters: [ExposedConstant] = [],
    isConnected: Bool = true, mainPass: PassName = .image
  ) {
    self.mainPass = mainPass
    self.title = title
    self.about = about
    self.passes = passes
    self.parameters = parameters
    self.isConnected = isConnected
  }

  /// The project of a loose file: one pass, whose channels are inputs of the user.
  package init(looseImage source: SourceText) {
    let tokens = Lexer.tokens(of: source)
    let editor = EditorChannels(tokens)
    let mentioned = Set(tokens.lazy.filter { $0.kind == .identifier }.map(\.text))
    let channels = ShaderToyUniforms.channels.enumerated().compactMap { index, name -> Channel? in
      let connected = editor.channel(name, ShaderToyOptions())
      guard mentioned.contains(name) || connected != nil else { return nil }
      let input = connected?.input
      var what = Source.user
      if case .file(let path, _)? = input?.origin { what = .file(path, .flat) }
      return Channel(
        index: index, source: what, sampler: input?.sampler ?? what.standardSampler, place: input?.place ?? SourceRange(source, 0..<0))
    }
    self.init(passes: [Pass(name: .image, text: source, channels: channels)])
  }

  package subscript(name: PassName) -> Pass? { passes.first { $0.name == name } }

  /// The passes that make pictures, in the order in which they run: the buffers as they stand in the list, the cube, the image.
  package var runningOrder: [Pass] {
    let buffers = passes.filter { $0.name.isTarget && $0.name != .cubemapA }
    return buffers + [self[.cubemapA], self[.image]].compactMap(\.self)
  }
}

/// A constant of a text that its project offers as a parameter.
package struct ExposedConstant: Sendable, Hashable {
  package let name: String
  package let minimum: [Double]?
  package let maximum: [Double]?
  package let step: Double?
  package let label: String?
  package let help: String?
  package let place: SourceRange

  package init(
    name: String, minimum: [Double]? = nil, maximum: [Double]? = nil, step: Double? = nil, label: String? = nil, help: String? = nil,
    place: SourceRange
  ) {
    self.name = name
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.label = label
    self.help = help
    self.place = place
  }
}
