internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// How a picture differs from the one whose place it takes.
struct ReferenceChanges {
  /// A line each.
  private(set) var lines: [String] = []
  /// Whether both hold the same, so that there is nothing to write.
  private(set) var isSame = false

  init(from old: String, to new: String) throws(RenderError) {
    guard FileManager.default.fileExists(atPath: old) else {
      lines = ["new"]
      return
    }
    let reader = PictureReader(acceptsFloats: true)
    let after = try reader.read(path: new)
    guard let before = try? reader.read(path: old) else {
      lines = ["it was no picture before"]
      return
    }
    isSame = before == after
    lines = [Self.words(before, after)]
    guard let was = try FrameProvenance(ofFile: old) else {
      lines.append("it did not say where it came from")
      return
    }
    guard let now = try FrameProvenance(ofFile: new) else { return }
    lines += FrameChanges(old: was, new: now).lines.filter { !lines.contains($0) }
  }

  private static func words(_ before: PixelBuffer, _ after: PixelBuffer) -> String {
    guard before.size == after.size else { return FrameChanges.line("size", "\(before.size)", "\(after.size)") }
    guard before.format == after.format else { return FrameChanges.line("bits", before.format.rawValue, after.format.rawValue) }
    let comparison = comparePictures(after, before, tolerance: .exact)
    return comparison.isEqual ? "the same pixels" : comparison.words
  }
}
