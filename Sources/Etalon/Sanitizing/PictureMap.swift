internal import EtalonDiagnostics
internal import EtalonMedia
package import EtalonTypes

/// What a picture is to show of what a shader does.
package enum MapKind: String, Sendable, Hashable, CaseIterable {
  /// Where something happened that has no defined result.
  case findings
  /// How many operations each pixel takes.
  case instructions
  /// Where the first NaN or infinity of each pixel comes from.
  case nan
  /// How far each pixel moves where devices compute as loosely as they may.
  case stability
}

/// A picture of what a shader does, pixel by pixel, and what its colors stand for.
///
/// **Concurrency**: an immutable value.
package struct PictureMap: Sendable {
  /// What a color stands for.
  package struct Entry: Sendable {
    package let text: String
    /// Red, green and blue.
    package let color: [UInt8]
    /// How many pixels have it.
    package let pixelCount: Int

    /// `#ff8000`.
    package var colorText: String { "#" + color.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
  }

  package let kind: MapKind
  /// The pass that rendered the picture.
  package let pass: String
  package let frame: Int
  package let size: Size
  package let legend: [Entry]
  /// What else is to be said.
  package let notes: [String]
  package let picture: PixelBuffer

  /// A picture in which each pixel has the color of an entry, or what lies under it.
  ///
  /// - Parameters:
  ///   - entries: for each pixel the number of its entry, -1 for none; the top row first.
  ///   - counts: how many pixels each entry is in, where some are hidden.
  ///   - rendered: what lies under the map, 8 bits; black where there is none.
  init(
    _ kind: MapKind, pass: String, frame: Int, size: Size, _ entries: [Int], _ legend: [(text: String, color: [UInt8])],
    counts: [Int]? = nil, over rendered: PixelBuffer? = nil, notes: [String] = []
  ) {
    let counts = counts ?? legend.indices.map { entry in entries.count { $0 == entry } }
    self.kind = kind
    (self.pass, self.frame, self.size, self.notes) = (pass, frame, size, notes)
    self.legend = zip(legend, counts).map { Entry(text: $0.text, color: $0.color, pixelCount: $1) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * 4)
    for (pixel, entry) in entries.enumerated() {
      bytes += entry >= 0 ? legend[entry].color : rendered.map { Self.grey($0, pixel) } ?? [0, 0, 0]
      bytes.append(255)
    }
    picture = PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes)
  }

  /// A third of the brightness of a pixel.
  private static func grey(_ rendered: PixelBuffer, _ pixel: Int) -> [UInt8] {
    let channels = rendered.bytes[4 * pixel..<4 * pixel + 4].map(Int.init)
    let brightness = (54 * channels[0] + 183 * channels[1] + 19 * channels[2]) / 256
    let covered = rendered.alpha == .straight ? brightness * channels[3] / 255 : brightness
    return [UInt8](repeating: UInt8(covered / 3), count: 3)
  }

  /// Colors from dark to light for what grows.
  static func ramp(_ count: Int) -> [[UInt8]] {
    let stops: [(Float, Float, Float)] = [(12, 8, 38), (66, 10, 104), (147, 38, 103), (221, 81, 58), (252, 165, 10), (252, 255, 164)]
    return (0..<count).map { index in
      let place = count == 1 ? 0 : Float(index) / Float(count - 1) * Float(stops.count - 1)
      let low = min(Int(place), stops.count - 2), part = place - Float(min(Int(place), stops.count - 2))
      let (a, b) = (stops[low], stops[low + 1])
      return [a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part, a.2 + (b.2 - a.2) * part].map { UInt8($0.rounded()) }
    }
  }
}

/// The file that a map is written to.
package struct MapFile: Sendable {
  package let kind: MapKind
  package let path: String
  private let policy: ReplacePolicy

  /// - Parameter overwrites: whether files are replaced that Etalon did not write.
  package init(_ kind: MapKind = .findings, _ path: String, overwrites: Bool) {
    self.kind = kind
    self.path = path
    policy = overwrites ? .anything : .ownFrames
  }

  /// Fails where the file may not be written, before anything is rendered.
  func check() throws(RenderError) { try policy.check(path) }

  func write(_ map: PictureMap, of shot: Shot) throws(RenderError) { try shot.write(map.picture, to: path, policy: policy) }
}
