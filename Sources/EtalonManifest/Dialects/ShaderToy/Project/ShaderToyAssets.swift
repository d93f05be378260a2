package import EtalonTypes

/// The pictures that the site offers to its shaders: facts about files that a user has to bring.
package enum ShaderToyAssets {
  /// One picture of the site.
  package struct Entry: Sendable, Hashable {
    /// The name of its file without the extension.
    package let stem: String
    package let fileExtension: String
    /// What the site's editor calls it.
    package let title: String
    /// The size of the picture, or of one face of a cube.
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

  private static func entry(_ title: String, _ fileName: String, _ size: Size, _ shape: TextureShape, _ isRedOnly: Bool) -> Entry {
    let parts = fileName.split(separator: ".").map(String.init)
    return Entry(stem: parts[0], fileExtension: parts[1], title: title, size: size, shape: shape, isRedOnly: isRedOnly)
  }
}
