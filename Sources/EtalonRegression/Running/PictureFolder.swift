internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// Where the pictures of a case go that are not as they should be.
struct PictureFolder {
  private let root: String
  private let name: String

  init(_ run: CaseRun, _ testCase: TestCase) {
    root = run.settings.folder
    name = "\(run.settings.pictures)/\(Self.name(testCase.id))"
  }

  /// A name for a folder: what a path cannot have in one name becomes dashes.
  static func name(_ id: String) -> String {
    let parts = id.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    return parts.joined(separator: "-")
  }

  /// Writes the picture, the one that it was compared with, and how they differ.
  func keep(_ found: inout FrameResult, _ frame: RenderedFrame, beside reference: PixelBuffer?) {
    let actual = frame.levels(bits: reference?.format == .rgba16 ? 16 : 8)
    write(actual, "actual", &found, frame)
    guard let reference else { return }
    write(reference, "reference", &found, frame)
  }

  /// Writes what approving copies, with where it comes from in its texts.
  func keepCandidate(_ found: inout FrameResult, _ frame: RenderedFrame, bits: Int) {
    let path = path("candidate", found, frame)
    do throws(RenderError) {
      try TextFile.makeFolder(of: "\(root)/\(path)")
      let settings = PNGSettings(.small)
      let file = try AtomicFile("\(root)/\(path)", replacing: .anything)
      try PNGEncoder(settings).encode(frame.levels(bits: bits), text: frame.provenance.textChunks(deflate: settings.library), to: file)
      try file.commit()
      found.candidate = path
    } catch {
      found.reason += "; \(error.diagnostic.message)"
    }
  }

  private func path(_ kind: String, _ found: FrameResult, _ frame: RenderedFrame) -> String {
    "\(name)/\(found.check)-\(frame.number)-\(kind).png"
  }

  private func write(_ picture: PixelBuffer, _ kind: String, _ found: inout FrameResult, _ frame: RenderedFrame) {
    let path = path(kind, found, frame)
    do throws(RenderError) {
      try TextFile.makeFolder(of: "\(root)/\(path)")
      let file = try AtomicFile("\(root)/\(path)", replacing: .anything)
      try PNGEncoder(PNGSettings(.fast)).encode(picture, to: file)
      try file.commit()
      found.pictures[kind] = path
    } catch {
      // The verdict does not depend on it, and the reason must not be lost.
      found.reason += "; \(error.diagnostic.message)"
    }
  }
}
