package import EtalonDiagnostics
package import EtalonTypes

/// Which of the pictures of a file is read, where it has several, and what its numbers are taken to be.
package struct PictureChoice: Sendable, Hashable {
  /// The name of a part, or its number, counted from 0; nil is the first one that has the layer.
  package var part: String?
  /// The name of a layer; nil is the picture itself.
  package var layer: String?
  /// What the numbers are; nil is what files of the format have.
  package var space: PictureSpace?

  package init(part: String? = nil, layer: String? = nil, space: PictureSpace? = nil) {
    (self.part, self.layer, self.space) = (part, layer, space)
  }

  private var said: [(key: String, value: String)] {
    [("part", part), ("layer", layer), ("space", space?.rawValue)].compactMap { key, value in value.map { (key, $0) } }
  }

  /// The names of what is said.
  package var keys: [String] { said.map(\.key) }

  /// As it is typed behind the name of a file: `,part=beauty,layer=diffuse`.
  package var text: String { said.map { ",\($0.key)=\($0.value)" }.joined() }
}

/// A picture with what its file says besides pixels.
package struct PictureReading: Sendable {
  package let picture: PixelBuffer
  package let facts: PictureFacts
}

/// What the file of a picture says besides pixels.
package struct PictureFacts: Sendable, Hashable {
  /// Such as `TIFF`.
  package let format: String
  /// How the file stores it, such as `deflate` and `tiles`.
  package var storage: [String] = []
  /// Bits of a sample in the file.
  package var bits: Int
  /// The channels in the file, such as `RGBA` or `gray`.
  package var channels: String
  /// What the first row and column of the file are in the picture, as in Exif: 1 to 8; pixels are turned upright.
  package var orientation = 1
  /// The pictures in the file, of which the first is read.
  package var pages = 1
  /// What the file says about the meaning of its numbers; nil where it says nothing.
  package var color: String?
  /// What alpha means in files of the format that have it.
  package var usualAlpha = AlphaMode.straight
  /// Samples behind color and alpha whose meaning the file does not say.
  package var unreadSamples = 0

  /// What is in the file and not in the picture.
  ///
  /// - Parameter name: what messages call the file.
  package func notes(_ name: String) -> [Diagnostic] {
    var notes: [Diagnostic] = []
    if pages > 1 {
      notes.append(
        Diagnostic(
          "picture.pages", "'\(name)' has \(pages) pages, and the first is read", severity: .note,
          help: ["split it to read others: tiffsplit \(ShellWord.quoted(name)) page-"]))
    }
    if unreadSamples > 0 {
      notes.append(
        Diagnostic(
          "picture.samples", "'\(name)' has \(unreadSamples.of("sample")) a pixel whose meaning it does not say; they are not read",
          severity: .note))
    }
    return notes
  }
}

extension PixelBuffer {
  /// Channels of pictures whose files have nothing else, in words.
  var channelNames: String { alpha == .opaque ? "RGB" : "RGBA" }
}

// MARK: what PNG files say about color

extension PictureFacts {
  /// What the chunks of a PNG file say about its colors, up to the pixels; the one that counts most by the specification (section 4.3).
  static func color(ofPNG bytes: [UInt8]) -> String? {
    var found: [String: ArraySlice<UInt8>] = [:]
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      guard type != "IDAT", length <= bytes.count - position - 12 else { break }
      found[type] = bytes[position + 8..<position + 8 + length]
      position += 12 + length
    }
    if let codes = found["cICP"], codes.count == 4 { return "cICP \(codes.map(String.init).joined(separator: " "))" }
    if let profile = found["iCCP"] { return "the ICC profile '\(String(decoding: profile.prefix { $0 != 0 }, as: UTF8.self))'" }
    if found["sRGB"] != nil { return "sRGB" }
    if let gamma = found["gAMA"], gamma.count == 4 { return "gamma \(Rational(gamma.reduce(0) { $0 << 8 | Int($1) }, 100_000))" }
    return nil
  }
}
