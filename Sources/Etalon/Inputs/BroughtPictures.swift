internal import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation
internal import Synchronization

/// The pictures that a filter brings for its inputs, each read once.
///
/// **Concurrency**: usable from every thread; reading blocks.
final class BroughtPictures: Sendable {
  private let folder: FolderFiles
  private let reader: PictureCache

  /// - Parameter folder: where the paths of a filter start.
  init(_ folder: FolderFiles, reader: PictureCache = PictureCache()) {
    self.folder = folder
    self.reader = reader
  }

  /// The picture for an input; nil when the user has to give one.
  func picture(of input: FilterInput) throws -> PixelBuffer? {
    guard input.isRead else { return Self.black(input.shape) }
    switch input.origin {
    case .user, .asset: return nil
    case .nothing: return Self.black(input.shape)
    case .data(.table): return ColorTable.identity.picture
    case .data(.font): return FontOutlines.none
    case .keyboard: return PixelBuffer(size: Size(256, 3), format: .r8, alpha: .opaque, bytes: [UInt8](repeating: 0, count: 768))
    case .file(let name, let place) where input.shape != .flat: return try solid(name, of: input, place)
    case .file: return try path(of: input).map { try reader.picture($0) }
    }
  }

  /// The faces of a cube or the slices of a volume, none of which may lie outside of the folder.
  private func solid(_ name: String, of input: FilterInput, _ place: SourceRange?) throws -> PixelBuffer? {
    guard try path(of: input) != nil else { return nil }
    let labels = place.map { [$0.label("a \(input.shape.rawValue)")] } ?? []
    return try SolidPicture(input, reader: reader, labels: labels).picture(name) { [folder] path in
      do throws(FileError) { return try folder.realPath(of: path) } catch {
        if error == .missing { return nil }
        throw DiagnosticsError(Self.unusable(path, of: input, place, "leads out of the folder"))
      }
    }
  }

  /// What an input shows that nothing is connected to: a pixel, or one for each face of a cube.
  private static func black(_ shape: TextureShape) -> PixelBuffer {
    let count = shape == .cube ? 6 : 1
    return PixelBuffer(
      size: Size(1, count), format: .rgba8, alpha: .opaque, bytes: [[UInt8]](repeating: [0, 0, 0, 255], count: count).flatMap(\.self))
  }

  /// Whether the file that the filter brings for an input is not there.
  func isMissing(_ input: FilterInput) -> Bool {
    guard input.isRead, case .file(let path, _) = input.origin else { return false }
    do throws(FileError) { _ = try realPath(of: path, input) } catch { return error == .missing }
    return false
  }

  /// Where the file lies that the filter brings for an input; nil where it brings none that is read.
  func path(of input: FilterInput) throws(DiagnosticsError) -> String? {
    guard input.isRead, case .file(let path, let place) = input.origin else { return nil }
    do throws(FileError) { return try realPath(of: path, input) } catch {
      throw DiagnosticsError(Self.unusable(path, of: input, place, error == .outside ? "leads out of the folder" : "not found"))
    }
  }

  /// Where a file lies, or the first face of a cube with named ones.
  private func realPath(of path: String, _ input: FilterInput) throws(FileError) -> String {
    let names = input.shape == .cube ? SolidPicture.namedFaces(of: path)?.compactMap(\.first) : nil
    for name in names ?? [] { if let place = try? folder.realPath(of: name) { return place } }
    return try folder.realPath(of: names?.first ?? path)
  }

  /// Everything that is wrong with the files of some inputs; each is opened.
  func diagnostics(in inputs: [FilterInput]) -> [Diagnostic] {
    inputs.compactMap { input in
      guard input.isRead, case .file(let name, let place) = input.origin else { return nil }
      do throws(DiagnosticsError) {
        guard let path = try self.path(of: input), !SoundFile.isSound(path), !VideoFile.isVideo(path) else { return nil }
        do {
          _ = try picture(of: input)
          return nil
        } catch let error as RenderError {
          let reason = error.diagnostic.message.replacing("'\(path)'", with: "'\(name)'")
          return Self.unusable(name, of: input, place, "cannot be read", notes: [reason])
        } catch let error as DiagnosticsError {
          return error.diagnostics.first
        } catch {
          return Self.unusable(name, of: input, place, "cannot be read", notes: ["\(error)"])
        }
      } catch {
        return error.diagnostics.first
      }
    }
  }

  private static func unusable(
    _ path: String, of input: FilterInput, _ place: SourceRange?, _ why: String, notes: [String] = []
  ) -> Diagnostic {
    let label = place.map { [$0.label(why)] } ?? []
    let (what, flat) = input.sound == nil ? ("picture", "photo.png") : ("sound", "song.wav")
    let example = input.shape == .flat ? flat : SolidPicture.example(of: input.shape)
    let isNumbered = input.shape == .volume && path.contains("#")
    let put = isNumbered ? "put the slices into one picture" : "put it beside the filter"
    let typed = isNumbered ? path : example
    return Diagnostic(
      "input.file", "cannot use the \(what) '\(path)' of input '\(input.name)'", labels: label,
      help: ["\(put), or type '--input \(input.name)=\(typed)'"], notes: notes)
  }
}

// MARK: reading

/// Reads pictures, each file once.
///
/// **Concurrency**: usable from every thread.
final class PictureCache: Sendable {
  private let known = Mutex<[String: [PictureChoice: PixelBuffer]]>([:])
  private let noted = Mutex<[String: [Diagnostic]]>([:])
  private let data = Mutex<[FilterInput.DataKind: [String: PixelBuffer]]>([:])
  private let videos = Mutex<[String: VideoFile]>([:])

  init() {}

  func picture(_ path: String, _ choice: PictureChoice = PictureChoice()) throws(RenderError) -> PixelBuffer {
    try read(path, PictureReader(choice), choice)
  }

  /// A picture of slices, or a volume of the site.
  func volume(_ path: String) throws(RenderError) -> PixelBuffer { try read(path, PictureReader(acceptsVolumes: true), PictureChoice()) }

  private func read(_ path: String, _ reader: PictureReader, _ choice: PictureChoice) throws(RenderError) -> PixelBuffer {
    if let picture = known.withLock({ $0[path]?[choice] }) { return picture }
    let reading = try reader.reading(path: path)
    known.withLock { $0[path, default: [:]][choice] = reading.picture }
    noted.withLock { $0[path] = reading.facts.notes(path) }
    return reading.picture
  }

  /// What is in the file of a picture that was read, and not in the picture.
  func notes(on path: String) -> [Diagnostic] { noted.withLock { $0[path] ?? [] } }

  /// A file of data, as shaders read it.
  func data(_ path: String, _ kind: FilterInput.DataKind) throws -> PixelBuffer {
    if let known = data.withLock({ $0[kind]?[path] }) { return known }
    let picture =
      switch kind {
      case .table: try ColorTable(contentsOf: path).picture
      case .font: try FontOutlines(contentsOf: path).picture
      }
    data.withLock { $0[kind, default: [:]][path] = picture }
    return picture
  }

  /// A video; inputs that show the same one decode it once.
  func video(_ path: String, _ timing: VideoTiming, for request: RenderRequest) throws(RenderError) -> VideoFile {
    if VideoFile.isStream(path) { return try request.streams.video(path, timing, for: request) }
    let key = "\(path) \(timing.stream ?? -1) \(timing.deinterlace) \(timing.orientation ?? 0)"
    if let video = videos.withLock({ $0[key] }) { return video }
    let video = try VideoFile(path, timing, for: request)
    videos.withLock { $0[key] = video }
    return video
  }

  /// The pictures and the files of data that were read.
  var files: [String] { Set(known.withLock { Array($0.keys) } + data.withLock { $0.values.flatMap(\.keys) }).sorted() }
}

// MARK: pictures of a site

/// A folder of the user with the pictures and volumes that a player's site offers to its shaders.
///
/// A picture is found by the name of its file on the site or by its title: `8de3a392….jpg`, `London.png`, `rgba-noise-medium.png`. The six faces of a cube have
/// one of these names each, the first one bare or with `_0`, the others with `_1` to `_5`; a volume is a file of the site, or a picture of its slices.
struct AssetFolder {
  private let path: String
  /// The pictures and volumes of the folder by their comparable names.
  private let files: [String: String]
  /// Those that may be faces of cubes, by their comparable names and the numbers of the faces.
  private let faceFiles: [String: String]
  /// All files of the folder by the lower-case names without their endings.
  private let others: [String: [String]]

  /// Lists a folder.
  init(_ path: String) throws(RenderError) {
    self.path = path
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw RenderError(
        .missingInput, "cannot read the folder '\(path)', which '--assets' names",
        underlying: isThere ? "it is no folder, or may not be read" : "no such folder",
        help: ["name the folder that holds the pictures"])
    }
    let pictures = names.sorted().filter { name in ["png", "jpg", "jpeg", "bin"].contains((name as NSString).pathExtension.lowercased()) }
    others = Dictionary(grouping: names.sorted(), by: Self.stem)
    let stems = pictures.map { ($0, ($0 as NSString).deletingPathExtension) }
    files = Dictionary(stems.map { (Self.key($1), $0) }) { first, _ in first }
    faceFiles = Dictionary(stems.compactMap { name, stem in Self.faceKey(stem).map { ($0, name) } }) { first, _ in first }
  }

  /// The picture of an input: for a cube its six faces, for a volume its slices, stacked; nil when the folder does not have it.
  func picture(_ asset: FilterInput.Asset, for input: FilterInput) throws -> PixelBuffer? {
    let stems = [(asset.fileName as NSString).deletingPathExtension, asset.title].compactMap(\.self)
    let isRedOnly = ShaderToyAssets.entry(path: asset.id)?.isRedOnly ?? false
    for stem in stems {
      if input.shape == .cube {
        if let faces = try faces(stem) { return try stacked(faces) }
      } else if let file = files[Self.key(stem)] {
        let picture = try read(file, for: input)
        return isRedOnly ? picture.redOnly : picture
      }
    }
    return nil
  }

  /// The path of a video or a sound, whatever its ending; nil when the folder does not have it.
  ///
  /// What has the name of one and cannot be read is refused.
  func file(_ media: FilterInput.SiteMedia) throws(RenderError) -> String? {
    let paths = others[Self.stem(media.fileName), default: []].map { "\(path)/\($0)" }
    if let found = paths.first(where: { SoundFile.isSound($0) || VideoFile.isVideo($0) && !VideoFile.isStream($0) }) { return found }
    if let unusable = paths.first(where: { SoundFile.isNamed($0) || VideoFile.isNamed($0) }) { try FileReader.checkIsFile(unusable) }
    return nil
  }

  private static func stem(_ name: String) -> String { (name as NSString).deletingPathExtension.lowercased() }

  /// Titles are compared by their letters and digits alone.
  private static func key(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// The title and the number of a face: `forest_3`; nil for a name without a number of one digit behind a `_`.
  private static func faceKey(_ name: String) -> String? {
    guard let number = name.last, number.isNumber, name.dropLast().last == "_" else { return nil }
    return key(String(name.dropLast(2))) + "_\(number)"
  }

  private func read(_ file: String, for input: FilterInput) throws -> PixelBuffer {
    let place = path + "/" + file
    guard input.shape == .volume else { return try PictureReader().read(path: place) }
    return try SolidPicture(input, reader: PictureCache()).picture(place)
  }

  // MARK: cubes

  /// The files of the six faces; nil when there is not even the first.
  private func faces(_ stem: String) throws(RenderError) -> [String]? {
    func face(_ number: Int) -> String? { faceFiles[Self.key(stem) + "_\(number)"] }
    guard let first = files[Self.key(stem)] ?? face(0) else { return nil }
    let others = (1...5).map { (stem + "_\($0)", face($0)) }
    let missing = others.filter { $0.1 == nil }.map(\.0)
    guard missing.isEmpty else {
      throw RenderError(
        .missingInput, "the cube '\(first)' in '\(path)' lacks faces", underlying: "no \(missing.joined(separator: ", "))",
        help: ["put the six pictures of the cube into the folder"])
    }
    return [first] + others.compactMap(\.1)
  }

  private func stacked(_ files: [String]) throws(RenderError) -> PixelBuffer {
    var faces: [PixelBuffer] = []
    for file in files { faces.append(try PictureReader().read(path: path + "/" + file)) }
    guard let stack = SolidLayout.stacked(faces) else {
      throw RenderError(
        .invalidInput, "the faces of the cube '\(files[0])' in '\(path)' do not fit each other",
        underlying: faces.map { "\($0.size)" }.joined(separator: ", "), help: ["all six are squares of one size and depth"])
    }
    return stack
  }
}

extension PixelBuffer {
  /// The first channel alone, which a text reads with 0 for green and blue.
  fileprivate var redOnly: PixelBuffer {
    let step = format.bytesPerPixel
    let formats: [Int: PixelFormat] = [1: .r8, 2: .r16, 4: .r32f]
    guard format.channelCount > 1, let one = formats[format.bytesPerChannel] else { return self }
    var red: [UInt8] = []
    red.reserveCapacity(size.pixelCount * format.bytesPerChannel)
    for pixel in stride(from: 0, to: bytes.count, by: step) { red += bytes[pixel..<pixel + format.bytesPerChannel] }
    return PixelBuffer(size: size, format: one, alpha: .opaque, bytes: red)
  }
}

extension FilterFile.Reading {
  /// What is wrong with the pictures and sounds that a filter brings; those of a document's nodes are looked at when it is rendered.
  package func missingFiles() throws -> [Diagnostic] {
    guard manifest.dialect != .graph, manifest.inputs.contains(where: { if case .file = $0.origin { true } else { false } }) else {
      return []
    }
    return BroughtPictures(try FilterText(.file(path)).files).diagnostics(in: manifest.inputs)
  }
}
