package import EtalonDiagnostics
package import EtalonTypes
import Foundation

/// Where a frame comes from: what its file says about itself, PNG in text chunks, TIFF in its description, OpenEXR in attributes.
package struct FrameProvenance: Sendable, Hashable {
  /// The name of the program at the start of the `Software` text, which tells its files from others.
  static let program = "Etalon"

  /// The hash of everything that the pixels depend on.
  package var recipe: String
  /// The name of the filter or graph.
  package var filter: String
  /// The values of its parameters as text, by name.
  package var values: [String: String]
  /// The number of the frame.
  package var frame: Int
  /// The time of the frame in seconds.
  package var time: Rational
  /// The rate that the time follows from.
  package var rate: FrameRate
  /// The version of Etalon.
  package var version: String
  /// How much smaller the frame is than what was said: 1 for a frame as large as it will be.
  package var scale: Rational
  /// What stands in for inputs whose picture or sound is missing, by input.
  package var standIns: [String: String]
  /// The frames that it was made of, by what showed them, where these are not the frame alone.
  package var frames: [String: String] = [:]
  /// What else the pixels depend on, by name, for finding out later what changed; empty where that is not wanted.
  package var origins: [String: String] = [:]

  /// Describes a frame.
  package init(
    recipe: String, filter: String, values: [String: String], frame: Int, time: Rational, rate: FrameRate, version: String,
    scale: Rational = 1, standIns: [String: String] = [:]
  ) {
    self.recipe = recipe
    self.filter = filter
    self.values = values
    self.frame = frame
    self.time = time
    self.rate = rate
    self.version = version
    self.scale = scale
    self.standIns = standIns
  }

  /// The text chunks in the order in which they are written; only the first depends on the library that compresses, where it is named.
  package func textChunks(deflate library: DeflateLibrary?) -> [TextChunk] {
    [
      TextChunk("Software", "\(Self.program) \(version)" + (library.map { " (\($0.description))" } ?? "")),
      TextChunk("etalon:recipe", recipe),
      TextChunk("etalon:filter", filter),
      TextChunk("etalon:values", Self.json(values)),
      TextChunk("etalon:frame", "\(frame)"),
      TextChunk("etalon:time", "\(time)"),
      TextChunk("etalon:rate", "\(rate)"),
    ] + (scale == 1 ? [] : [TextChunk("etalon:scale", "\(scale)")])
      + (standIns.isEmpty ? [] : [TextChunk("etalon:stand-ins", Self.json(standIns))])
      + (frames.isEmpty ? [] : [TextChunk("etalon:frames", Self.json(frames))])
      + (origins.isEmpty ? [] : [TextChunk("etalon:origins", Self.json(origins))])
  }

  /// Reads the texts of a file; nil when it is not one of ours or a text is missing.
  package init?(_ chunks: [TextChunk]) {
    var texts: [String: String] = [:]
    for chunk in chunks { texts[chunk.keyword] = chunk.text }
    guard Self.isOwn(chunks), let software = texts["Software"], let recipe = texts["etalon:recipe"], let filter = texts["etalon:filter"],
      let values = texts["etalon:values"].flatMap(Self.values), let frame = texts["etalon:frame"].flatMap({ Int($0) }),
      let time = texts["etalon:time"].flatMap({ Rational($0) }), let rate = texts["etalon:rate"].flatMap({ FrameRate($0) })
    else { return nil }
    let version = software.dropFirst(Self.program.count + 1).prefix { $0 != " " }
    self.init(
      recipe: recipe, filter: filter, values: values, frame: frame, time: time, rate: rate, version: String(version),
      scale: texts["etalon:scale"].flatMap { Rational($0) } ?? 1, standIns: texts["etalon:stand-ins"].flatMap(Self.values) ?? [:])
    frames = texts["etalon:frames"].flatMap(Self.values) ?? [:]
    origins = texts["etalon:origins"].flatMap(Self.values) ?? [:]
  }

  /// Reads what a PNG, TIFF or OpenEXR file says about where it comes from; nil when it says nothing.
  package init?(ofFile path: String) throws(RenderError) {
    let bytes = try FileReader.bytes(of: path, limit: PictureLimits().fileSize)
    if EXRReader.recognizes(bytes) {
      guard let outline = try? EXROutline(bytes, name: path) else { return nil }
      self.init(outline.texts)
    } else {
      guard let outline = try FrameOutline(path: path) else { return nil }
      self.init(outline.texts)
    }
  }

  /// Whether a path names a frame that Etalon wrote.
  package static func isOwn(path: String) -> Bool {
    guard let outline = try? FrameOutline(path: path) else { return false }
    return isOwn(outline.texts)
  }

  static func isOwn(_ chunks: [TextChunk]) -> Bool {
    chunks.contains { $0.keyword == "Software" && $0.text.hasPrefix(program + " ") }
  }

  private static func json(_ values: [String: String]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(values) else { preconditionFailure("strings always encode") }
    return String(decoding: data, as: UTF8.self)
  }

  private static func values(_ text: String) -> [String: String]? {
    try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
  }
}

/// Finds out which frames of an interrupted render are there already.
///
/// ```
/// ResumeCheck(size: size, bits: 8).state(of: "out/plasma.0007.png", recipe: hash)
/// ```
package struct ResumeCheck: Sendable, Hashable {
  /// What a path holds.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case missing
    /// The frame that is wanted, whole.
    case complete
    /// A frame of ours that is cut short or comes from another recipe or size, or a file without a byte.
    case stale
    /// Something that Etalon did not write.
    case foreign
  }

  private let size: Size
  private let bits: Int

  /// Looks for frames of a size and of 8 or 16 bits; of OpenEXR files 16 or 32.
  package init(size: Size, bits: Int) {
    self.size = size
    self.bits = bits
  }

  /// What is at a path, judged by its outline; pixels are not decoded.
  package func state(of path: String, recipe: String) -> State {
    let kind = FileKind(path: path)
    guard kind != .missing else { return .missing }
    if FileKind.isEmptyFile(path) { return .stale }
    guard kind == .regular, let outline = try? FrameOutline(path: path), FrameProvenance.isOwn(outline.texts) else { return .foreign }
    let isWanted = outline.texts.contains(TextChunk("etalon:recipe", recipe)) && outline.size == size && outline.bits == bits
    return isWanted && outline.isComplete ? .complete : .stale
  }
}
