internal import EtalonCPU
internal import EtalonDiagnostics
internal import EtalonManifest
internal import Foundation

/// Comments that say that a finding is meant: `// etalon: allow pow-domain, not-finite` on its line.
struct Waivers {
  private static let mark = "etalon: allow "

  /// Whether the line of a place waives an id such as `sanitize.pow-domain`.
  static func waive(_ id: String, at place: SourceRange) -> Bool {
    let line = place.source.line(place.source.position(at: place.range.lowerBound).line)
    guard let comment = line.range(of: "//")?.upperBound, let start = line.range(of: mark, range: comment..<line.endIndex)?.upperBound
    else {
      return false
    }
    let kinds = line[start...].split { ", ".contains($0) }.map { "sanitize.\($0)" }
    // Who allows edges in the wrong order allows all of them.
    return kinds.contains(id) || id == FaultKind.reversedSmoothstep.findingId && kinds.contains(FaultKind.smoothstepEdges.findingId)
  }
}
