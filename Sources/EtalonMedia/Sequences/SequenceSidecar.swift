package import EtalonDiagnostics
package import EtalonTypes
import Foundation

/// What a sequence of files cannot say by itself: rate, first frame, color, alpha.
///
/// It stands beside the frames as `name.json`.
package struct SequenceSidecar: Sendable, Hashable {
  /// The names of the frames, such as `plasma.####.png`.
  package var pattern: String
  /// Frames a second.
  package var rate: FrameRate
  /// The number of the shot's first frame, which is the one at the start time.
  package var first: Int
  /// The frames that were written.
  package var frames: FrameRange
  /// Width and height in pixels.
  package var size: Size
  /// Bits of a sample: 8 or 16.
  package var bits: Int
  /// What the alpha channel means.
  package var alpha: AlphaMode
  /// Whether the numbers are proportional to light, as those of OpenEXR files are; otherwise they are sRGB-encoded.
  package var isLight = false
  /// The name of the filter or graph.
  package var filter: String
  /// The values of its parameters as text, by name.
  package var values: [String: String]
  /// The hash of everything but the frame that the pixels depend on.
  package var recipe: String
  /// The version of Etalon.
  package var version: String
  /// How much smaller the frames are than what was said: 1 for frames as large as they will be.
  package var scale: Rational
  /// What stands in for inputs whose picture or sound is missing, by input.
  package var standIns: [String: String]

  /// Describes a sequence.
  package init(
    pattern: String, rate: FrameRate, first: Int, frames: FrameRange, size: Size, bits: Int, alpha: AlphaMode, filter: String,
    values: [String: String], recipe: String, version: String, scale: Rational = 1,
    standIns: [String: String] = [:]
  ) {
    self.pattern = pattern
    self.rate = rate
    self.first = first
    self.frames = frames
    self.size = size
    self.bits = bits
    self.alpha = alpha
    self.filter = filter
    self.values = values
    self.recipe = recipe
    self.version = version
    self.scale = scale
    self.standIns = standIns
  }

  /// Where the side-car of a pattern stands: `out/plasma.####.png` → `out/plasma.json`.
  package static func path(for pattern: FramePattern) -> String {
    let name = pattern.hasNumber ? pattern.prefix : pattern.prefix.split(separator: ".").dropLast().joined(separator: ".")
    let stem = String(name.reversed().drop { ".-_ ".contains($0) }.reversed())
    return pattern.folder + (stem.isEmpty ? "sequence" : stem) + ".json"
  }

  /// Fails when something is there that must not be replaced: anything but a side-car, unless the policy is `anything`.
  package static func check(_ path: String, _ policy: ReplacePolicy) throws(RenderError) {
    if FileKind(path: path) != .regular || (try? Self(path: path)) == nil { try policy.check(path) }
  }

  /// Writes the file; a side-car of ours is replaced, another file only under `anything`.
  package func write(to path: String, replacing policy: ReplacePolicy) throws(RenderError) {
    try Self.check(path, policy)
    let file = try AtomicFile(path, replacing: .anything)
    let bytes = SidecarDocument(self).json
    try file.write(bytes)
    try file.commit()
  }

  /// Reads a side-car.
  package init(path: String) throws(RenderError) {
    let bytes = try FileReader.bytes(of: path, limit: 1 << 26)
    guard let sidecar = SidecarDocument(json: bytes)?.sidecar else {
      throw RenderError(.invalidInput, "'\(path)' is not the side-car of a frame sequence")
    }
    self = sidecar
  }
}

/// The form of a side-car in JSON.
private struct SidecarDocument: Codable {
  let etalon: String
  let pattern: String
  let rate: String
  let first: Int
  let frames: String
  let width: Int
  let height: Int
  let bits: Int
  private static let light = "linear"
  private static let encoded = "sRGB"

  let color: String
  let alpha: String
  let filter: String
  let values: [String: String]
  let recipe: String
  /// Nil for frames as large as they will be.
  let scale: String?
  /// Nil where nothing is missing.
  let standIns: [String: String]?

  init(_ sidecar: SequenceSidecar) {
    etalon = sidecar.version
    pattern = sidecar.pattern
    rate = sidecar.rate.description
    first = sidecar.first
    frames = sidecar.frames.description
    (width, height) = (sidecar.size.width, sidecar.size.height)
    bits = sidecar.bits
    color = sidecar.isLight ? Self.light : Self.encoded
    alpha = sidecar.alpha.rawValue
    filter = sidecar.filter
    values = sidecar.values
    recipe = sidecar.recipe
    scale = sidecar.scale == 1 ? nil : sidecar.scale.description
    standIns = sidecar.standIns.isEmpty ? nil : sidecar.standIns
  }

  init?(json: [UInt8]) {
    guard let document = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
    self = document
  }

  /// Sorted keys, so that equal side-cars are equal files.
  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("strings and integers always encode") }
    return Array(data) + [0x0A]
  }

  var sidecar: SequenceSidecar? {
    guard let rate = FrameRate(rate), let alpha = AlphaMode(rawValue: alpha), let frames = try? FrameRangeParser.parse(frames),
      (1...1 << 20).contains(width), (1...1 << 20).contains(height)
    else { return nil }
    var result = SequenceSidecar(
      pattern: pattern, rate: rate, first: first, frames: frames, size: Size(width, height), bits: bits, alpha: alpha, filter: filter,
      values: values, recipe: recipe, version: etalon, scale: scale.flatMap { Rational($0) } ?? 1, standIns: standIns ?? [:])
    result.isLight = color == Self.light
    return result
  }
}
