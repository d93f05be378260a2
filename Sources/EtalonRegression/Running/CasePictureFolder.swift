internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// The folder for pictures of a case that are not as they should be.
struct CasePictureFolder {
  private let root: String
  private let name: String

  init(_ run: CaseRun, _ testCase: TestCase) {
    root = run.settings.folder
    name = "\(run.settings.pictures)/\(Self.name(testCase.id))"
  }

  /// A name for a folder: what a path cannot have in one name becomes dashes; a part of the hash keeps cases apart that would be called the same.
  static func name(_ id: String) -> String {
    let parts = id.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    return parts.joined(separator: "-") + "-" + ContentHash(of: Array(id.utf8)).description.prefix(6)
  }

  /// Writes the picture, the one that it was compared with, and how they differ.
  func keep(_ found: inout FrameResult, _ frame: RenderedFrame, beside reference: PixelBuffer?) {
    write(reference.map(frame.picture) ?? frame.levels(bits: 8), "actual", &found, frame)
    guard let reference else { return }
    write(reference, "reference", &found, frame)
    if found.comparison?.flip != nil { write(flipMap(frame.picture(like: reference), reference), "flip", &found, frame) }
  }

  /// Writes a further picture of a frame.
  func keep(_ found: inout FrameResult, _ picture: PixelBuffer, of number: Int, as kind: String) {
    found.pictures[kind] = write(picture, "\(name)/\(found.check)-\(number)-\(kind).png", &found, nil, .fast)
  }

  /// Writes what approving copies, with where it comes from in its texts; its form is that of the place that it is for.
  func keepCandidate(_ found: inout FrameResult, _ frame: RenderedFrame, bits: Int, on device: TestDevice) {
    let isFloat = found.target?.lowercased().hasSuffix(".exr") ?? false
    let picture = isFloat ? frame.floats : frame.levels(bits: bits)
    var provenance = frame.provenance
    provenance.origins = frame.origins.texts(on: device)
    found.candidate = write(picture, path("candidate", found, frame, picture), &found, provenance, .small)
  }

  /// Removes what was written of a frame that turned out to be as it should be.
  ///
  /// - Parameter keepsPictures: whether a report is going to show it.
  func discard(_ found: inout FrameResult, keepsPictures: Bool) {
    let files = FileManager.default
    let pictures = keepsPictures ? [] : Array(found.pictures.values)
    for path in pictures + [found.candidate].compactMap(\.self) { try? files.removeItem(atPath: "\(root)/\(path)") }
    if (try? files.contentsOfDirectory(atPath: "\(root)/\(name)"))?.isEmpty ?? false { try? files.removeItem(atPath: "\(root)/\(name)") }
    if !keepsPictures { found.pictures = [:] }
    (found.candidate, found.target, found.hash, found.changes) = (nil, nil, nil, nil)
  }

  private func write(_ picture: PixelBuffer, _ kind: String, _ found: inout FrameResult, _ frame: RenderedFrame) {
    found.pictures[kind] = write(picture, path(kind, found, frame, picture), &found, nil, .fast)
  }

  private func path(_ kind: String, _ found: FrameResult, _ frame: RenderedFrame, _ picture: PixelBuffer) -> String {
    "\(name)/\(found.check)-\(frame.number)-\(kind).\(picture.format == .rgba32f ? "exr" : "png")"
  }

  /// The path when the file was written; a verdict does not depend on it, and its reason must not be lost.
  private func write(
    _ picture: PixelBuffer, _ path: String, _ found: inout FrameResult, _ provenance: FrameProvenance?, _ preset: CompressionPreset
  ) -> String? {
    let settings = PNGSettings(preset)
    let texts = provenance?.textChunks(deflate: settings.library) ?? []
    do throws(RenderError) {
      try TextFile.makeFolder(of: "\(root)/\(path)")
      let file = try AtomicFile("\(root)/\(path)", replacing: .anything)
      if picture.format == .rgba32f {
        try EXRWriter().write(picture, text: texts, to: file)
      } else {
        try PNGEncoder(settings).encode(picture, text: texts, to: file)
      }
      try file.commit()
      return path
    } catch {
      found.reason += "; \(error.diagnostic.message)"
      return nil
    }
  }
}
