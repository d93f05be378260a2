internal import EtalonDiagnostics
package import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes

/// One picture for each value of a constant, together on a labelled contact sheet.
package struct Sweep: Sendable {
  private let name: String
  private let values: [String]
  private let path: String
  private let policy: ReplacePolicy

  package init(name: String, values: [String], path: String, policy: ReplacePolicy) {
    self.name = name
    self.values = values
    self.path = path
    self.policy = policy
  }

  /// Renders the first frame of the request once for each value and writes the sheet; a wrong value refuses the whole sweep.
  package func run(
    _ request: RenderRequest, with renderer: ShotRenderer, observe: (RenderEvent) -> Void, isInterrupted: () -> Bool
  ) throws -> RenderSummary {
    try policy.check(path)
    let shots = try values.map { value in
      var request = request
      request.settings.append(.init(name: name, value: value))
      return try renderer.prepare(request)
    }
    observe(.started(frames: shots.count, kept: 0, size: shots[0].size, device: shots[0].deviceName))
    var entries: [ContactSheet.Entry] = []
    for (value, shot) in zip(values, shots) where !isInterrupted() {
      entries.append(.init(try picture(of: shot), label: "\(name) = \(value)"))
    }
    let isComplete = entries.count == shots.count
    if isComplete {
      try shots[0].write(ContactSheet().compose(entries), to: path, policy: policy)
      observe(.sheetWritten(path: path))
    }
    return RenderSummary(written: isComplete ? 1 : 0, kept: 0, failed: 0, wasInterrupted: !isComplete)
  }

  private func picture(of shot: Shot) throws(RenderError) -> PixelBuffer {
    let pending = try shot.submit(shot.frames[0])
    defer { pending.release() }
    try pending.wait()
    return PixelBuffer(copying: PendingRows(pending, shot.output))
  }
}

extension PixelBuffer {
  /// Copies all rows of a source.
  init(copying rows: some RowSource) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rows.size.pixelCount * rows.format.bytesPerPixel)
    rows.withBands { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    self.init(size: rows.size, format: rows.format, alpha: rows.alpha, bytes: bytes)
  }
}
