internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// The pictures that a filter brings for its inputs, each read once.
///
/// **Concurrency**: usable from every thread; reading blocks.
final class BroughtPictures: Sendable {
  private let folder: FolderFiles
  private let reader: PictureFolder

  /// - Parameter folder: where the paths of a filter start.
  init(_ folder: FolderFiles, reader: PictureFolder = PictureFolder()) {
    self.folder = folder
    self.reader = reader
  }

  /// The picture for an input; nil when the user has to give one.
  func picture(of input: FilterInput) throws -> PixelBuffer? {
    guard input.isRead else { return Self.black(input.shape) }
    switch input.origin {
    case .user, .asset: return nil
    case .nothing: return Self.black(input.shape)
    case .keyboard: return PixelBuffer(size: Size(256, 3), format: .r8, alpha: .opaque, bytes: [UInt8](repeating: 0, count: 768))
    case .file(let name, let place) where input.shape == .cube: return try cube(name, of: input, place)
    case .file: return try path(of: input).map { try reader.picture($0) }
    }
  }

  /// The faces of a cube, none of which may lie outside of the folder.
  private func cube(_ name: String, of input: FilterInput, _ place: SourceRange?) throws -> PixelBuffer? {
    guard try path(of: input) != nil else { return nil }
    let labels = place.map { [Diagnostic.Label($0.source, $0.range, "a cube")] } ?? []
    return try CubePicture(input, reader: reader, labels: labels).picture(name) { [folder] path in
      do throws(FileProblem) { return try folder.realPath(of: path) } catch {
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

  /// Where the file lies that the filter brings for an input; nil where it brings none that is read.
  func path(of input: FilterInput) throws(DiagnosticsError) -> String? {
    guard input.isRead, case .file(let path, let place) = input.origin else { return nil }
    do throws(FileProblem) { return try folder.realPath(of: path) } catch {
      throw DiagnosticsError(Self.unusable(path, of: input, place, error == .outside ? "leads out of the folder" : "not found"))
    }
  }

  /// Everything that is wrong with the files of some inputs; each is opened.
  func mistakes(in inputs: [FilterInput]) -> [Diagnostic] {
    inputs.compactMap { input in
      guard input.isRead, case .file(let name, let place) = input.origin else { return nil }
      do throws(DiagnosticsError) {
        guard let path = try self.path(of: input), !WAVReader.recognizes(FileReader.start(of: path, count: 12)) else { return nil }
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
    let label = place.map { [Diagnostic.Label($0.source, $0.range, why)] } ?? []
    let (what, example) = input.sound == nil ? ("picture", "photo.png") : ("sound", "song.wav")
    return Diagnostic(
      "input.file", "cannot use the \(what) '\(path)' of input '\(input.name)'", labels: label,
      help: ["put it beside the filter, or type '--input \(input.name)=\(input.shape == .cube ? "sky.png" : example)'"], notes: notes)
  }
}
