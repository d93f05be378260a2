internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// The picture of an input that reads a cube or a volume: its faces or slices, squares below each other.
///
/// A cube lies in six files, of which the first has the name that is given, `sky.png` or `sky_0.png`, and the others are `sky_1.png` to `sky_5.png` beside it, or
/// whose names are `sky_{}.png` with the names of the faces; or in one file, as a stack, a strip or a panorama. A volume lies in one file, as a stack, a strip or as the site stores it, or in one file for each slice.
struct SolidPicture {
  private static let faceCount = 6

  private let input: FilterInput
  private let reader: PictureCache
  /// Where the file is asked for.
  private let labels: [Diagnostic.Label]
  private var isCube: Bool { input.shape == .cube }
  /// `a cube`, `a volume`.
  private var kind: String { "a \(input.shape.rawValue)" }

  init(_ input: FilterInput, reader: PictureCache, labels: [Diagnostic.Label] = []) {
    self.input = input
    self.reader = reader
    self.labels = labels.isEmpty ? input.place.map { [$0.label("a \(input.shape.rawValue)")] } ?? [] : labels
  }

  /// What a file is called in examples.
  static func example(of shape: TextureShape) -> String { shape == .cube ? "sky.png" : "noise.png" }

  // MARK: reading

  /// Reads the picture that a person gives: a file, or the numbered files of slices.
  func picture(_ given: RenderRequest.InputPicture) throws -> PixelBuffer {
    if given.video != nil { throw DiagnosticsError(diagnostic(showing: "a video")) }
    guard let timing = given.sequence else { return try picture(given.path) }
    if isCube { throw DiagnosticsError(diagnostic(showing: "a sequence")) }
    guard timing == SequenceTiming() else {
      throw DiagnosticsError(diagnostic("slices have no timing", help: "write '\(given.path)' alone: all files that fit it are slices"))
    }
    return try slices(FramePattern(given.path))
  }

  /// Reads faces or slices.
  ///
  /// - Parameters:
  ///   - path: the file, of a cube the first one, as people know it.
  ///   - locate: says where a file lies; nil for one that is not there.
  func picture(_ path: String, locate: (String) throws -> String? = Self.existing) throws -> PixelBuffer {
    if isCube, let named = Self.namedFaces(of: path) { return try self.named(path, named, locate) }
    guard let place = try locate(path) else { return try read(path) }
    let first = try read(place)
    guard isCube else {
      guard let slices = SolidLayout.slices(of: first) else { throw DiagnosticsError(noSlices(path, first.size)) }
      return slices
    }
    let own = ownFaces(path)
    if own.isEmpty, let faces = SolidLayout.faces(of: first) { return faces }
    let names = own.isEmpty ? Self.furtherFaces(of: path) : own
    let found = try names.map(locate)
    let missing = zip(names, found).filter { $1 == nil }.map(\.0)
    guard missing.isEmpty else { throw DiagnosticsError(lacking(path, first.size, missing)) }
    let faces = [first] + (try found.compactMap { try $0.map(read) })
    guard let stack = SolidLayout.stacked(faces) else { throw DiagnosticsError(unequal("the faces of the cube '\(path)'", faces)) }
    return stack
  }

  /// The faces of a path with `{}`: of the first names for which all six are there.
  private func named(_ path: String, _ names: [[String]], _ locate: (String) throws -> String?) throws -> PixelBuffer {
    for files in names {
      let found = try files.compactMap(locate)
      guard found.count == Self.faceCount else { continue }
      let faces = try found.map(read)
      guard let stack = SolidLayout.stacked(faces) else { throw DiagnosticsError(unequal("the faces of the cube '\(path)'", faces)) }
      return stack
    }
    throw DiagnosticsError(
      Diagnostic(
        "input.cube", "the cube '\(path)' of input '\(input.name)' lacks faces", labels: labels,
        help: ["put \(list(names[0])) there"],
        notes: ["in place of {} stand \(Self.faceNames.map { $0.joined(separator: " ") }.joined(separator: "; or "))"]))
  }

  /// What a preview of another editor calls the faces of a cube.
  private static let faceNames = [
    ["e", "w", "u", "d", "n", "s"], ["east", "west", "up", "down", "north", "south"], ["px", "nx", "py", "ny", "pz", "nz"],
    ["posx", "negx", "posy", "negy", "posz", "negz"],
  ]

  /// The files that a path with one `{}` may mean, by the names of the faces; nil for another path.
  static func namedFaces(of path: String) -> [[String]]? {
    guard path.components(separatedBy: "{}").count == 2 else { return nil }
    return faceNames.map { names in names.map { path.replacingOccurrences(of: "{}", with: $0) } }
  }

  /// What an open input of a graph shows, as this input reads it: its file, or a test card.
  ///
  /// - Parameter name: that of the open input; its test card is called so.
  func reading(_ image: ImageRecipe, named name: String) throws(DiagnosticsError) -> ImageRecipe {
    guard case .picture(let picture) = image.operation else { throw DiagnosticsError(diagnostic(showing: "what a graph gives to it")) }
    if image.label == name { return ImageRecipe(.picture(Self.testCard(named: name, input.shape)), label: name) }
    guard let squares = isCube ? SolidLayout.faces(of: picture) : SolidLayout.slices(of: picture) else {
      throw DiagnosticsError(diagnostic(in: picture.size) ?? noSlices(image.label, picture.size))
    }
    return ImageRecipe(.picture(squares), label: image.label)
  }

  /// A card for each face or slice, with its number.
  ///
  /// - Parameter size: that of one of them; a volume has as many slices as rows.
  static func testCard(named name: String, _ shape: TextureShape, size: Size? = nil) -> PixelBuffer {
    let size = size ?? (shape == .cube ? Size(512, 512) : Size(64, 64))
    let (part, count) = shape == .cube ? ("face", faceCount) : ("slice", size.height)
    let cards = (0..<count).flatMap { TestCard.picture(named: "\(name) \(part) \($0)", size: size).bytes }
    return PixelBuffer(size: Size(size.width, size.height * count), format: .rgba8, alpha: .opaque, bytes: cards)
  }

  private func slices(_ pattern: FramePattern) throws -> PixelBuffer {
    let files = try pattern.framesOnDisk()
    guard let first = files.first, let last = files.last else {
      throw RenderError(.missingInput, "no file fits '\(pattern)'", help: ["the slices are numbered: '\(pattern.path(frame: 0))'"])
    }
    guard files.count == last.frame - first.frame + 1 else {
      let known = Set(files.map(\.frame))
      let missing = (first.frame...last.frame).filter { !known.contains($0) }.prefix(3).map { pattern.path(frame: $0) }
      throw DiagnosticsError(
        Diagnostic(
          "input.volume", "the volume '\(pattern)' of input '\(input.name)' lacks slices", labels: labels,
          help: ["put \(list(missing)) there"]))
    }
    let slices = try files.map { try read($0.path) }
    guard let stack = SolidLayout.stacked(slices) else { throw DiagnosticsError(unequal("the slices of the volume '\(pattern)'", slices)) }
    return stack
  }

  private func read(_ path: String) throws(RenderError) -> PixelBuffer {
    let picture = try isCube ? reader.picture(path) : reader.volume(path)
    guard !picture.isLight, !picture.format.isFloat, picture.alpha != .premultiplied else {
      let what = picture.isLight ? "light" : picture.format.isFloat ? "floating-point numbers" : "color that alpha is multiplied into"
      throw RenderError(
        .invalidInput, "'\(path)' has \(what), and \(isCube ? "cubes" : "volumes") are made of levels",
        help: ["convert it to PNG first: etalon render \(ShellWord.quoted(path)) -o face.png"])
    }
    return picture
  }

  /// The further files that the filter names beside the one at a path; none for a picture of the user.
  private func ownFaces(_ path: String) -> [String] {
    guard case .file(let first, _) = input.origin, first == path else { return [] }
    return input.faces
  }

  /// The place of a file on this machine.
  private static func existing(_ path: String) -> String? { FileManager.default.fileExists(atPath: path) ? path : nil }

  private static func furtherFaces(of path: String) -> [String] {
    let fileExtension = (path as NSString).pathExtension
    let stem = (path as NSString).deletingPathExtension
    let name = stem.hasSuffix("_0") ? String(stem.dropLast(2)) : stem
    return (1..<faceCount).map { "\(name)_\($0)" + (fileExtension.isEmpty ? "" : ".\(fileExtension)") }
  }

  /// The files that a path of a cube stands for: itself, with the other faces where they are there.
  static func files(ofCube path: String, exists: (String) -> Bool) -> [String] {
    if let named = namedFaces(of: path) { return named.first { $0.allSatisfy(exists) } ?? [path] }
    let further = furtherFaces(of: path)
    return further.allSatisfy(exists) ? [path] + further : [path]
  }

  // MARK: errors

  /// What to say about a picture of the API that has not the form of squares below each other; nil for one that has.
  func diagnostic(in size: Size) -> Diagnostic? {
    guard input.shape != .flat, input.shape.squares(in: size) == nil else { return nil }
    return diagnostic(
      "its image is \(size)",
      help: isCube
        ? "give it a picture of six squares below each other, as of 256x1536"
        : "give it a picture of squares below each other, as of 32x1024")
  }

  /// What to say where a cube or a volume would show what a filter makes, or pictures that change.
  func diagnostic(showing what: String) -> Diagnostic {
    diagnostic(
      "\(what) is flat",
      help: isCube
        ? "give it the first of six files: 'sky.png', with 'sky_1.png' to 'sky_5.png' beside it"
        : "give it slices in one file, or numbered ones: 'slice.###.png'")
  }

  private static let faceRule =
    "the faces are six squares of one size and depth: 'sky.png', and 'sky_1.png' to 'sky_5.png' beside it; or one picture: a stack, a strip, a panorama of 2:1"

  private func lacking(_ path: String, _ size: Size, _ missing: [String]) -> Diagnostic {
    guard missing.count < Self.faceCount - 1 else {
      return diagnostic(
        "'\(path)' is one picture of \(size)",
        help: size.width != size.height ? "give it the first of six squares" : "put its other five faces beside it: \(list(missing))",
        notes: [Self.faceRule])
    }
    return Diagnostic(
      "input.cube", "the cube '\(path)' of input '\(input.name)' lacks \(missing.count == 1 ? "a face" : "\(missing.count) faces")",
      labels: labels, help: ["put \(list(missing)) beside '\(path)'"])
  }

  private func noSlices(_ path: String, _ size: Size) -> Diagnostic {
    diagnostic(
      "'\(path)' is one picture of \(size)", help: "give it a stack or a strip of its slices, which are squares: 32x1024 or 1024x32",
      notes: ["slices in files of their own are numbered, and all are squares of one size and depth: 'slice.###.png'"])
  }

  private func diagnostic(_ what: String, help: String, notes: [String] = []) -> Diagnostic {
    Diagnostic("input.\(input.shape.rawValue)", "'\(input.name)' reads \(kind), and \(what)", labels: labels, help: [help], notes: notes)
  }

  private func unequal(_ what: String, _ squares: [PixelBuffer]) -> Diagnostic {
    if let size = squares.first?.size, size.width != size.height, squares.allSatisfy({ $0.size == size }) {
      return Diagnostic(
        "input.\(input.shape.rawValue)", "\(what) of input '\(input.name)' are no squares: \(size)", labels: labels,
        help: ["make them as wide as they are high"])
    }
    let sizes = squares.map { "\($0.size) with \(8 * $0.format.bytesPerChannel) bits" }
    let different = sizes.enumerated().filter { $0.offset == 0 || $0.element != sizes[0] || isCube }.map(\.element)
    return Diagnostic(
      "input.\(input.shape.rawValue)", "\(what) of input '\(input.name)' do not fit each other", labels: labels,
      help: ["make them squares of one size and depth"],
      notes: ["they are \(different.prefix(Self.faceCount).joined(separator: ", "))"])
  }

  private func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
