internal import EtalonCPU
internal import EtalonDiagnostics
internal import EtalonMedia
package import EtalonTypes

/// A picture of where a shader does what has no defined result, over a dark copy of what it renders.
///
/// Where several things happen in one pixel, the most severe is shown, and of those the one that happens in the fewest pixels.
///
/// **Concurrency**: an immutable value.
package struct FindingMap: Sendable {
  /// What a color stands for.
  package struct Entry: Sendable {
    package let id: String
    /// Red, green and blue.
    package let color: [UInt8]
    /// In how many pixels it happened.
    package let pixelCount: Int

    /// `#ff8000`.
    package var colorText: String { "#" + color.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
  }

  /// The pass that rendered the picture.
  package let pass: String
  package let frame: Int
  package let size: Size
  /// What is shown first in front.
  package let legend: [Entry]
  /// How many findings happened in other passes only.
  package let elsewhere: Int
  let picture: PixelBuffer

  /// - Parameter rendered: the picture of the same frame, 8 bits.
  init(_ map: FaultMap, over rendered: PixelBuffer, _ findings: [Finding]) {
    precondition(rendered.size == map.size && rendered.format == .rgba8, "a map of another picture")
    (pass, frame, size) = (map.pass, map.frame, map.size)
    elsewhere = findings.count { $0.pass != map.pass }
    let told = Set(findings.map(\.id))
    let counts = map.pixelCounts.filter { told.contains($0.key.findingId) }
    let kinds = FaultKind.allCases.filter { counts[$0] != nil }.enumerated().sorted { a, b in
      Self.rank(a.element, counts, a.offset) < Self.rank(b.element, counts, b.offset)
    }.map(\.element)
    legend = kinds.map { Entry(id: $0.findingId, color: FaultWords($0).color, pixelCount: counts[$0] ?? 0) }
    picture = Self.picture(map, over: rendered, zip(kinds, legend).map { ($0, $1.color) })
  }

  /// What is smaller is shown in front.
  private static func rank(_ kind: FaultKind, _ counts: [FaultKind: Int], _ position: Int) -> (Int, Int, Int) {
    (FindingSeverity.allCases.firstIndex(of: FaultWords(kind).severity) ?? 0, counts[kind] ?? 0, position)
  }

  private static func picture(_ map: FaultMap, over rendered: PixelBuffer, _ colors: [(kind: FaultKind, color: [UInt8])]) -> PixelBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rendered.bytes.count)
    for pixel in 0..<map.size.pixelCount {
      let shown = colors.first { map.has($0.kind, at: pixel) }
      bytes += shown?.color ?? grey(rendered, pixel)
      bytes.append(255)
    }
    return PixelBuffer(size: map.size, format: .rgba8, alpha: .opaque, bytes: bytes)
  }

  /// A third of the brightness of a pixel.
  private static func grey(_ rendered: PixelBuffer, _ pixel: Int) -> [UInt8] {
    let channels = rendered.bytes[4 * pixel..<4 * pixel + 4].map(Int.init)
    let brightness = (54 * channels[0] + 183 * channels[1] + 19 * channels[2]) / 256
    let covered = rendered.alpha == .straight ? brightness * channels[3] / 255 : brightness
    return [UInt8](repeating: UInt8(covered / 3), count: 3)
  }
}

/// The file that a map is written to.
package struct MapFile: Sendable {
  private let path: String
  private let policy: ReplacePolicy

  /// - Parameter overwrites: whether files are replaced that Etalon did not write.
  package init(_ path: String, overwrites: Bool) {
    self.path = path
    policy = overwrites ? .anything : .ownFrames
  }

  /// Fails where the file may not be written, before anything is rendered.
  func check() throws(RenderError) { try policy.check(path) }

  func write(_ map: FindingMap, of shot: Shot) throws(RenderError) { try shot.write(map.picture, to: path, policy: policy) }
}
