internal import EtalonCPU
internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV

/// Renders filters on the CPU executor and tells what their texts do that has no defined result.
///
/// Every pass is rendered on its own, so that each fault is found where its author wrote it.
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
    /// What loading had to say.
    package let warnings: [Diagnostic]
  }

  package init() {}

  /// Renders the frames of a request; nothing is written.
  ///
  /// Throws what `render` would.
  package func run(_ request: RenderRequest, isInterrupted: () -> Bool = { false }) throws -> Result {
    var request = request
    request.device = DeviceSelection.cpuName
    request.planOptions.fuses = false
    request.planOptions.hoists = false
    // Texts that read regions read other pixels at their edges than what was written.
    request.planOptions.crops = false
    let deadline = request.timeout.map { ContinuousClock.now + .seconds($0) }
    let kernels = KernelStore(compiler: ShaderCompiler(cache: .user), deadline: deadline)
    let log = WatchLog { kernel, line in kernels.lines(of: kernel)?.isAddedValue(atLine: line) ?? false }
    let shot = try ShotRenderer(watching: kernels, log).prepare(request)
    var frameCount = 0
    for frame in shot.frames where !isInterrupted() {
      guard let pending = try shot.submit(frame, isInterrupted: isInterrupted) else { break }
      defer { pending.release() }
      try pending.wait()
      frameCount += 1
    }
    let (findings, waivedCount) = Self.findings(of: log.faults, kernels)
    return Result(findings: findings, waivedCount: waivedCount, frameCount: frameCount, warnings: shot.warnings)
  }

  // MARK: From faults to findings

  /// What makes two faults one finding.
  private struct Place: Hashable {
    let kind: FaultKind
    let path: String
    let line: Int
    /// The variable that was not written, without its components.
    let variable: Substring?
  }

  private static func findings(of faults: [WatchLog.Fault], _ kernels: KernelStore) -> (findings: [Finding], waivedCount: Int) {
    var order: [Place] = []
    var found: [Place: Finding.Evidence] = [:]
    let located = faults.map { ($0, places(of: $0, kernels)) }
    let explained = Set(located.filter { $0.0.site.kind != .notFinite }.compactMap(\.1.first))
    for (fault, places) in located {
      // A root of a negative number is NaN: that is said once.
      guard let first = places.first, fault.site.kind != .notFinite || !explained.contains(first) else { continue }
      let variable = fault.site.kind == .uninitialized ? fault.site.variable?.prefix { $0 != "." && $0 != "[" } : nil
      let line = first.source.position(at: first.range.lowerBound).line
      let place = Place(kind: fault.site.kind, path: first.source.path, line: line, variable: variable)
      if found[place] == nil { order.append(place) }
      found[place, default: Finding.Evidence(fault, at: places)].add(fault)
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

  /// The author's places of a fault and of the calls around it.
  private static func places(of fault: WatchLog.Fault, _ kernels: KernelStore) -> [SourceRange] {
    guard let lines = kernels.lines(of: fault.kernel) else { return [] }
    return fault.site.lines.compactMap { lines.origin(ofLine: $0) }.enumerated().map { position, range in
      position == 0 && fault.site.kind == .uninitialized ? range.narrowed(to: fault.site.variable) : range.wholeCall
    }
  }
}
