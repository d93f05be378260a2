internal import EtalonCPU
internal import EtalonTypes

extension PictureMap {
  /// Where a shader does what has no defined result, over a dark copy of what it renders.
  ///
  /// Where several things happen in one pixel, the most severe is shown, and of those the one that happens in the fewest pixels.
  ///
  /// - Parameter rendered: the picture of the same frame, 8 bits.
  init(_ map: FaultMap, over rendered: PixelBuffer, _ findings: [Finding]) {
    precondition(rendered.size == map.size && rendered.format == .rgba8, "a map of another picture")
    let told = Set(findings.map(\.id)), elsewhere = findings.count { $0.pass != map.pass }
    let counts = map.pixelCounts.filter { told.contains($0.key.findingId) }
    let kinds = FaultKind.allCases.filter { counts[$0] != nil }.enumerated().sorted { a, b in
      Self.rank(a.element, counts, a.offset) < Self.rank(b.element, counts, b.offset)
    }.map(\.element)
    let entries = (0..<map.size.pixelCount).map { pixel in kinds.firstIndex { map.has($0, at: pixel) } ?? -1 }
    var notes = kinds.isEmpty ? ["nothing happened in this pass"] : []
    if elsewhere > 0 { notes.append("\(elsewhere) finding\(elsewhere == 1 ? "" : "s") in other passes") }
    self.init(
      .findings, pass: map.pass, frame: map.frame, size: map.size, entries, kinds.map { ($0.findingId, FaultWords($0).color) },
      counts: kinds.map { counts[$0] ?? 0 }, over: rendered, notes: notes)
  }

  /// What is smaller is shown in front.
  private static func rank(_ kind: FaultKind, _ counts: [FaultKind: Int], _ position: Int) -> (Int, Int, Int) {
    (FindingSeverity.allCases.firstIndex(of: FaultWords(kind).severity) ?? 0, counts[kind] ?? 0, position)
  }
}
