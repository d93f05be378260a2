package import Etalon
internal import EtalonCPU
internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonPlan
internal import EtalonSPIRV
internal import Foundation

/// Renders filters on the CPU executor and tells what their texts do that has no defined result.
///
/// Every pass is rendered on its own, so that each finding is told where its author wrote it.
///
/// **Concurrency**: an immutable value; running blocks.
package struct Sanitizer: Sendable {
  /// What was found.
  package struct Result: Sendable {
    /// In the order of their places; each place and kind once.
    package let findings: [Finding]
    /// How many findings comments in the text allow.
    package let waivedCount: Int
    package let frameCount: Int
    /// The maps that were asked for, in their order; none where no picture was rendered.
    package let maps: [(file: MapFile, map: PictureMap)]
    /// What loading had to say.
    package let warnings: [Diagnostic]
    /// That the frames count as the whole shot, where this matters.
    package let noteOfLength: Diagnostic?
  }

  /// Whether passes whose pixels are not read again run only in a part of the picture.
  private let isQuick: Bool

  package init(isQuick: Bool = false) { self.isQuick = isQuick }

  /// Renders the frames of a request; of files, only maps are written.
  ///
  /// Throws what `render` would.
  package func run(_ request: RenderRequest, maps files: [MapFile] = [], isInterrupted: () -> Bool = { false }) throws -> Result {
    var request = request.observed
    if !files.isEmpty { request.bits = 8 }
    for file in files { try file.check() }
    let kernels = KernelStore(compiler: ShaderCompiler(cache: .user, macros: ShaderCompiler.watchedMacros), keepsLines: true)
    let log = Self.log(over: kernels, isQuick: isQuick, for: Set(files.map(\.kind)))
    let shot = try ShotRenderer(watching: kernels, log).prepare(request)
    var (frameCount, picture) = (0, PixelBuffer?.none)
    for frame in shot.frames where !isInterrupted() {
      guard let pending = try shot.submit(frame, isInterrupted: isInterrupted) else { break }
      defer { pending.release() }
      try pending.wait()
      frameCount += 1
      if !files.isEmpty { picture = shot.pixels(of: pending) }
    }
    let (findings, waivedCount) = Self.findings(of: log.entries, kernels)
    var maps: [(file: MapFile, map: PictureMap)] = []
    for file in files {
      guard let picture, !isInterrupted() else { break }
      guard let map = try Self.map(file.kind, log, over: picture, findings, kernels, request, isInterrupted) else { continue }
      try file.write(map, of: shot)
      maps.append((file, map))
    }
    return Result(
      findings: findings, waivedCount: waivedCount, frameCount: frameCount, maps: maps, warnings: shot.warnings,
      noteOfLength: shot.noteOfLength)
  }

  private static func map(
    _ kind: MapKind, _ log: WatchLog, over picture: PixelBuffer, _ findings: [Finding], _ kernels: KernelStore, _ request: RenderRequest,
    _ isInterrupted: () -> Bool
  ) throws -> PictureMap? {
    switch kind {
    case .findings: return log.map.map { PictureMap($0, over: picture, findings) }
    case .instructions: return log.operations.map { PictureMap(operations: $0) }
    case .nan:
      return log.origins.map { origins in
        PictureMap(origins, over: picture) { places(of: $0, in: origins.kernel, kernels).first }
      }
    case .stability: return try StabilityRuns().maps(of: request, isInterrupted: isInterrupted).last.map { PictureMap($0) }
    }
  }

  private static func log(over kernels: KernelStore, isQuick: Bool, for maps: Set<MapKind>) -> WatchLog {
    let isWaived: @Sendable (Kernel, WatchSite) -> Bool = { kernel, site in
      places(of: site, in: kernel, kernels).first.map { Waivers.waive(site.kind.findingId, at: $0) } ?? false
    }
    var pictures: WatchLog.Pictures = []
    if maps.contains(.instructions) { pictures.insert(.operations) }
    if maps.contains(.nan) { pictures.insert(.origins) }
    let isAuthored: @Sendable (Kernel, Int) -> Bool = { kernel, line in kernels.lines(of: kernel)?.origin(ofLine: line) != nil }
    return WatchLog(
      isQuick: isQuick, pictures: pictures, marksUnless: maps.contains(.findings) ? isWaived : nil, discardFlag: PixelDiscard.flag,
      isAuthored: isAuthored
    ) { kernel, line in kernels.lines(of: kernel)?.isAddedValue(atLine: line) ?? false }
  }

  // MARK: From entries of the log to findings

  /// What makes two entries one finding.
  private struct Place: Hashable {
    let kind: FindingKind
    let path: String
    let line: Int
    /// The variable that was not written, without its components.
    let variable: Substring?
  }

  private static func findings(of entries: [WatchLog.Entry], _ kernels: KernelStore) -> (findings: [Finding], waivedCount: Int) {
    var order: [Place] = []
    var found: [Place: Finding.Evidence] = [:]
    let located = entries.map { ($0, places(of: $0.site, in: $0.kernel, kernels)) }
    let explained = Set(located.filter { $0.0.site.kind != .notFinite }.compactMap(\.1.first))
    for (entry, places) in located {
      // A root of a negative number is NaN: that is said once.
      guard let first = places.first, entry.site.kind != .notFinite || !explained.contains(first) else { continue }
      let variable = entry.site.kind == .uninitialized ? entry.site.variable?.prefix { $0 != "." && $0 != "[" } : nil
      let line = first.source.position(at: first.range.lowerBound).line
      let place = Place(kind: entry.site.kind, path: first.source.path, line: line, variable: variable)
      if found[place] == nil { order.append(place) }
      let other = entry.other.flatMap { Self.places(of: $0.site, in: entry.kernel, kernels).first }
      found[place, default: Finding.Evidence(entry, at: places, other: other)].add(entry)
    }
    let all = order.compactMap { found[$0] }.map { Finding($0) }
    let kept = all.filter { finding in finding.place.map { !Waivers.waive(finding.id, at: $0) } ?? true }
    return (inOrder(kept), all.count - kept.count)
  }

  /// File by file, in the order in which these came up.
  private static func inOrder(_ findings: [Finding]) -> [Finding] {
    var files: [String: Int] = [:]
    for finding in findings { if let path = finding.place?.source.path, files[path] == nil { files[path] = files.count } }
    func rank(_ finding: Finding) -> (Int, Int) {
      finding.place.map { (files[$0.source.path] ?? 0, $0.range.lowerBound) } ?? (Int.max, 0)
    }
    return findings.enumerated().sorted { a, b in
      let (first, second) = (rank(a.element), rank(b.element))
      return first == second ? a.offset < b.offset : first < second
    }.map(\.element)
  }

  /// The author's places of a site and of the calls around it.
  private static func places(of site: WatchSite, in kernel: Kernel, _ kernels: KernelStore) -> [SourceRange] {
    guard let lines = kernels.lines(of: kernel) else { return [] }
    return site.lines.compactMap { lines.origin(ofLine: $0) }.enumerated().map { position, range in
      position == 0 && site.kind == .uninitialized ? range.narrowed(to: site.variable) : range.wholeCall
    }
  }
}

// MARK: waivers

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
    // 'smoothstep-edges' also allows edges in the wrong order.
    return kinds.contains(id) || id == FindingKind.reversedSmoothstep.findingId && kinds.contains(FindingKind.smoothstepEdges.findingId)
  }
}
