package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
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
    /// A picture, a cube or a volume that the user has to give.
    case user(TextureShape = .flat)
    case keyboard
    /// A video or the picture of a camera, in whose place the user gives one.
    case video(FilterInput.SiteMedia)
    /// A sound that the user has to give.
    case sound(FilterInput.SiteMedia)
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
      let connected = editor.channel(name, FilterReader.Options())
      guard mentioned.contains(name) || connected != nil else { return nil }
      let input = connected?.input
      var what = Source.user(input?.shape ?? .flat)
      if case .file(let path, _)? = input?.origin { what = .file(path, input?.shape ?? .flat) }
      return Channel(
        index: index, source: what, sampler: input?.sampler ?? what.standardSampler, place: input?.place ?? SourceRange(source, 0..<0))
    }
    self.init(passes: [Pass(name: .image, text: source, channels: channels)])
  }

  /// The same with texts that are put in front of every pass.
  func after(_ common: [SourceText]) -> ShaderToyProject {
    ShaderToyProject(
      title: title, about: about, passes: common.map { Pass(name: .common, text: $0) } + passes, parameters: parameters,
      isConnected: isConnected, mainPass: mainPass)
  }

  package subscript(name: PassName) -> Pass? { passes.first { $0.name == name } }

  /// The passes that make pictures, in the order in which they run: the buffers as they stand in the list, the cube, the image.
  package var runningOrder: [Pass] {
    let buffers = passes.filter { $0.name.isTarget && $0.name != .cubemapA }
    return buffers + [self[.cubemapA], self[.image]].compactMap(\.self)
  }
}

// MARK: - pictures of the site

/// The pictures and volumes that the site offers to its shaders: facts about files that the user has to provide.
package enum ShaderToyAssets {
  /// One picture of the site.
  package struct Entry: Sendable, Hashable {
    /// The name of its file without the extension.
    package let stem: String
    package let fileExtension: String
    /// What the site's editor calls it.
    package let title: String
    /// The size of the picture, or of one face of a cube or slice of a volume; volumes have as many slices as rows.
    package let size: Size
    package let shape: TextureShape
    /// Whether the player keeps only red: the text then sees 0 for green and blue.
    package let isRedOnly: Bool

    /// The path on the site.
    package var id: String { "/media/a/\(stem).\(fileExtension)" }

    package var asset: FilterInput.Asset {
      FilterInput.Asset(id: id, fileName: "\(stem).\(fileExtension)", title: title, size: size)
    }
  }

  /// The entry whose file a path names, whatever its folder; nil for a picture that the site does not offer to all.
  package static func entry(path: String) -> Entry? {
    let fileName = path.split(separator: "/").last ?? ""
    return all.first { fileName.hasPrefix($0.stem) && fileName.dropFirst($0.stem.count).hasPrefix(".") }
  }

  /// The entry with a title, in any case.
  package static func entry(title: String) -> Entry? { all.first { $0.title.lowercased() == title.lowercased() } }

  /// In the order of the site's editor.
  package static let all: [Entry] = [
    flat("Abstract 1", "52d2a8f514c4fd2d9866587f4d7b2a5bfa1a11a0e772077d7682deb8b3b517e5.jpg", 1024, 1024),
    flat("Abstract 2", "bd6464771e47eed832c5eb2cd85cdc0bfc697786b903bfd30f890f9d4fc36657.jpg", 512, 512),
    flat("Abstract 3", "8979352a182bde7c3c651ba2b2f4e0615de819585cc37b7175bcefbca15a6683.jpg", 1024, 1024),
    flat("Bayer", "85a6d68622b36995ccb98a89bbb119edf167c914660e4450d313de049320005c.png", 8, 8, isRedOnly: true),
    flat("Blue Noise", "cb49c003b454385aa9975733aff4571c62182ccdda480aaba9a8d250014f00ec.png", 1024, 1024),
    flat("Font 1", "08b42b43ae9d3c0605da11d0eac86618ea888e62cdd9518ee8b9097488b31560.png", 1024, 1024),
    flat("Gray Noise Medium", "0c7bf5fe9462d5bffbd11126e82908e39be3ce56220d900f633d58fb432e56f5.png", 256, 256, isRedOnly: true),
    flat("Gray Noise Small", "0a40562379b63dfb89227e6d172f39fdce9022cba76623f1054a2c83d6c0ba5d.png", 64, 64, isRedOnly: true),
    flat("Lichen", "fb918796edc3d2221218db0811e240e72e340350008338b0c07a52bd353666a6.jpg", 1024, 1024),
    flat("London", "8de3a3924cb95bd0e95a443fff0326c869f9d4979cd1d5b6e94e2a01f5be53e9.jpg", 512, 512),
    flat("Nyancat", "cbcbb5a6cfb55c36f8f021fbb0e3f69ac96339a39fa85cd96f2017a2192821b5.png", 256, 32),
    flat("Organic 1", "cd4c518bc6ef165c39d4405b347b51ba40f8d7a065ab0e8d2e4f422cbc1e8a43.jpg", 1024, 1024),
    flat("Organic 2", "92d7758c402f0927011ca8d0a7e40251439fba3a1dac26f5b8b62026323501aa.jpg", 1024, 1024),
    flat("Organic 3", "79520a3d3a0f4d3caa440802ef4362e99d54e12b1392973e4ea321840970a88a.jpg", 1024, 1024),
    flat("Organic 4", "3871e838723dd6b166e490664eead8ec60aedd6b8d95bc8e2fe3f882f0fd90f0.jpg", 1024, 1024),
    flat("Pebbles", "ad56fba948dfba9ae698198c109e71f118a54d209c0ea50d77ea546abad89c57.png", 512, 512, isRedOnly: true),
    flat("RGBA Noise Medium", "f735bee5b64ef98879dc618b016ecf7939a5756040c2cde21ccb15e69a6e1cfb.png", 256, 256),
    flat("RGBA Noise Small", "3083c722c0c738cad0f468383167a0d246f91af2bfa373e9c5c094fb8c8413e0.png", 64, 64),
    flat("Rock Tiles", "10eb4fe0ac8a7dc348a2cc282ca5df1759ab8bf680117e4047728100969e7b43.jpg", 512, 512),
    flat("Rusty Metal", "95b90082f799f48677b4f206d856ad572f1d178c676269eac6347631d4447258.jpg", 512, 512),
    flat("Stars", "e6e5631ce1237ae4c05b3563eda686400a401df4548d0f9fad40ecac1659c46c.jpg", 512, 512),
    flat("Wood", "1f7dca9c22f324751f2a5a59c9b181dfe3b5564a04b724c657732d0bf09c99db.jpg", 1024, 1024),
    volume("Grey Noise3D", "27012b4eadd0c3ce12498b867058e4f717ce79e10a99568cca461682d84a4b04.bin", 32, isRedOnly: true),
    volume("RGBA Noise3D", "aea6b99da1d53055107966b59ac5444fc8bc7b3ce2d0bbb6a4a3cbae1d97f3aa.bin", 32),
    cube("Forest", "94284d43be78f00eb6b298e6d78656a1b34e2b91b34940d02f1ca8b22310e8a0.png", 256),
    cube("Forest Blurred", "0681c014f6c88c356cf9c0394ffe015acc94ec1474924855f45d22c3e70b5785.png", 64),
    cube("St. Peter's Basilica", "488bd40303a2e2b9a71987e48c66ef41f5e937174bf316d3ed0e86410784b919.jpg", 256),
    cube("St. Peter's Basilica Blurred", "550a8cce1bf403869fde66dddf6028dd171f1852f4a704a465e1b80d23955663.png", 64),
    cube("Uffizi Gallery", "585f9546c092f53ded45332b343144396c0b2d70d9965f585ebc172080d8aa58.jpg", 256),
    cube("Uffizi Gallery Blurred", "793a105653fbdadabdc1325ca08675e1ce48ae5f12e37973829c87bea4be3232.png", 64),
  ]

  private static func flat(_ title: String, _ fileName: String, _ width: Int, _ height: Int, isRedOnly: Bool = false) -> Entry {
    entry(title, fileName, Size(width, height), .flat, isRedOnly)
  }

  private static func cube(_ title: String, _ fileName: String, _ side: Int) -> Entry {
    entry(title, fileName, Size(side, side), .cube, false)
  }

  private static func volume(_ title: String, _ fileName: String, _ side: Int, isRedOnly: Bool = false) -> Entry {
    entry(title, fileName, Size(side, side), .volume, isRedOnly)
  }

  private static func entry(_ title: String, _ fileName: String, _ size: Size, _ shape: TextureShape, _ isRedOnly: Bool) -> Entry {
    let parts = fileName.split(separator: ".").map(String.init)
    return Entry(stem: parts[0], fileExtension: parts[1], title: title, size: size, shape: shape, isRedOnly: isRedOnly)
  }
}
