internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Puts the six faces of a cube, which lie in six files, into one picture: each below the one before.
///
/// The first file has the name that is given, `sky.png` or `sky_0.png`; the others are `sky_1.png` to `sky_5.png` beside it. A file with six squares below each other
/// is such a picture already.
struct CubePicture {
  private static let count = 6

  private let input: FilterInput
  private let reader: PictureCache
  /// Where the first file is asked for.
  private let labels: [Diagnostic.Label]

  init(_ input: FilterInput, reader: PictureCache, labels: [Diagnostic.Label] = []) {
    self.input = input
    self.reader = reader
    self.labels = labels.isEmpty ? input.place.map { [.init($0.source, $0.range, "a cube")] } ?? [] : labels
  }

  /// Reads the faces.
  ///
  /// - Parameters:
  ///   - path: the first file, as people know it.
  ///   - locate: says where a file lies; nil for one that is not there.
  func picture(_ path: String, locate: (String) throws -> String? = Self.existing) throws -> PixelBuffer {
    guard let place = try locate(path) else { return try reader.picture(path) }
    let first = try reader.picture(place)
    let own = ownFaces(path)
    if own.isEmpty, Self.isStack(first.size) { return first }
    let names = own.isEmpty ? Self.furtherFaces(of: path) : own
    let found = try names.map(locate)
    let missing = zip(names, found).filter { $1 == nil }.map(\.0)
    guard missing.isEmpty else { throw DiagnosticsError(lacking(path, first.size, missing)) }
    let faces = [first] + (try found.compactMap { try $0.map { try reader.picture($0) } })
    guard let stack = Self.stacked(faces) else { throw DiagnosticsError(unequal(path, faces)) }
    return stack
  }

  /// The further files that the filter names beside the one at a path; none for a picture of the user.
  private func ownFaces(_ path: String) -> [String] {
    guard case .file(let first, _) = input.origin, first == path else { return [] }
    return input.faces
  }

  /// The faces below each other; nil unless they are squares of one size and depth.
  static func stacked(_ faces: [PixelBuffer]) -> PixelBuffer? {
    guard faces.count == count, let first = faces.first, first.size.width == first.size.height,
      faces.allSatisfy({ $0.size == first.size && $0.format == first.format })
    else { return nil }
    let alpha = faces.allSatisfy { $0.alpha == .opaque } ? AlphaMode.opaque : first.alpha == .opaque ? .straight : first.alpha
    return PixelBuffer(
      size: Size(first.size.width, first.size.height * count), format: first.format, alpha: alpha, bytes: faces.flatMap(\.bytes))
  }

  /// Whether a picture has the form of six squares below each other.
  static func isStack(_ size: Size) -> Bool { size.height == size.width * count }

  /// What to say about a picture of the API that is no cube; nil for one that is.
  func diagnostic(in size: Size) -> Diagnostic? {
    guard input.shape == .cube, !Self.isStack(size) else { return nil }
    return Diagnostic(
      "input.cube", "'\(input.name)' reads a cube, and its image is \(size)", labels: labels,
      help: ["give it a picture of six squares below each other, as of 256x1536"])
  }

  /// What to say where a cube would show what a filter makes, or pictures that change.
  func diagnostic(showing what: String) -> Diagnostic {
    Diagnostic(
      "input.cube", "'\(input.name)' reads a cube, and \(what) is flat", labels: labels,
      help: ["give it the first of six files: 'sky.png', with 'sky_1.png' to 'sky_5.png' beside it"])
  }

  /// The place of a file on this machine.
  private static func existing(_ path: String) -> String? { FileManager.default.fileExists(atPath: path) ? path : nil }

  private static func furtherFaces(of path: String) -> [String] {
    let fileExtension = (path as NSString).pathExtension
    let stem = (path as NSString).deletingPathExtension
    let name = stem.hasSuffix("_0") ? String(stem.dropLast(2)) : stem
    return (1..<count).map { "\(name)_\($0)" + (fileExtension.isEmpty ? "" : ".\(fileExtension)") }
  }

  // MARK: errors

  private static let rule = "the faces are six squares of one size and depth: 'sky.png', and 'sky_1.png' to 'sky_5.png' beside it"

  private func lacking(_ path: String, _ size: Size, _ missing: [String]) -> Diagnostic {
    guard missing.count < Self.count - 1 else {
      return Diagnostic(
        "input.cube", "'\(input.name)' reads a cube, and '\(path)' is one picture of \(size)", labels: labels,
        help: size.width != size.height
          ? ["give it the first of six squares"]
          : ["put its other five faces beside it: \(list(missing))"], notes: [Self.rule])
    }
    return Diagnostic(
      "input.cube", "the cube '\(path)' of input '\(input.name)' lacks \(missing.count == 1 ? "a face" : "\(missing.count) faces")",
      labels: labels, help: ["put \(list(missing)) beside '\(path)'"])
  }

  private func unequal(_ path: String, _ faces: [PixelBuffer]) -> Diagnostic {
    let sizes = faces.map { "\($0.size) with \(8 * $0.format.bytesPerChannel) bits" }
    return Diagnostic(
      "input.cube", "the faces of the cube '\(path)' of input '\(input.name)' do not fit each other", labels: labels,
      help: ["make them squares of one size and depth"], notes: ["they are \(sizes.joined(separator: ", "))"])
  }

  private func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
