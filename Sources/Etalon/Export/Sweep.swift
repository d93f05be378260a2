internal import EtalonDiagnostics
package import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

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
  ///
  /// - Parameters:
  ///   - prepared: is given the first shot before anything is rendered; what it throws ends the sweep.
  ///   - rendered: is given every shot and its value, once its picture is there.
  package func run(
    _ request: RenderRequest, with renderer: ShotRenderer, prepared: (Shot) throws -> Void,
    rendered: (Shot, RenderRequest.Setting) -> Void, observe: (RenderEvent) -> Void,
    isInterrupted: () -> Bool
  ) throws -> RenderSummary {
    try policy.check(path)
    var entries: [ContactSheet.Entry] = []
    var first: Shot?
    for value in values where !isInterrupted() {
      let shot = try renderer.prepare(request.setting(name, to: value))
      if first == nil {
        first = shot
        try prepared(shot)
        observe(.started(frames: values.count, kept: 0, warmUp: 0, size: shot.size, device: shot.deviceName))
      }
      let label = "\(name) = \(value)"
      guard let thumbnail = try thumbnail(of: shot, isInterrupted: isInterrupted) else { break }
      rendered(shot, RenderRequest.Setting(name: name, value: value))
      entries.append(.init(thumbnail, label: label))
      observe(.rendered(label: label))
    }
    guard let first, entries.count == values.count else { return RenderSummary(written: 0, kept: 0, failed: 0, wasInterrupted: true) }
    try first.write(ContactSheet().compose(entries), to: path, policy: policy)
    observe(.sheetWritten(path: path))
    return RenderSummary(written: 1, kept: 0, failed: 0, wasInterrupted: false)
  }

  private func thumbnail(of shot: Shot, isInterrupted: () -> Bool) throws(RenderError) -> PixelBuffer? {
    guard let pending = try shot.submit(shot.frames[0], isInterrupted: isInterrupted) else { return nil }
    defer { pending.release() }
    try pending.wait()
    shot.look(at: pending, shot.frames[0])
    return Thumbnail.scale(PixelBuffer(copying: PendingRows(pending, shot.output)), toFit: SheetCollector.thumbnailSize)
  }
}

extension RenderRequest {
  /// The same request with another value for a constant.
  fileprivate func setting(_ name: String, to value: String) -> RenderRequest {
    var request = self
    request.settings.append(.init(name: name, value: value))
    return request
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

// MARK: contact sheets

/// Keeps small copies of some frames of an export, evenly spread, for a contact sheet.
///
/// **Concurrency**: usable from every thread.
final class SheetCollector: Sendable {
  /// The most pictures of a sheet.
  private static let mostPictures = 24
  /// What the pictures of a sheet are made to fit into.
  static let thumbnailSize = Size(320, 1280)

  /// The frames that the sheet will show.
  let frames: [Int]
  private let thumbnails = Mutex<[Int: PixelBuffer]>([:])

  init(frames all: [Int]) {
    let count = min(all.count, Self.mostPictures)
    frames = (0..<count).map { count == 1 ? all[0] : all[$0 * (all.count - 1) / (count - 1)] }
  }

  /// Keeps a small copy of a frame if the sheet shows it.
  func add(_ frame: Int, _ rows: some RowSource) {
    guard frames.contains(frame) else { return }
    let small = Thumbnail.scale(PixelBuffer(copying: rows), toFit: Self.thumbnailSize)
    thumbnails.withLock { $0[frame] = small }
  }

  /// The sheet with all frames that were added; nil when there are none.
  func compose() -> PixelBuffer? {
    let entries = thumbnails.withLock { thumbnails in
      frames.compactMap { frame in thumbnails[frame].map { ContactSheet.Entry($0, label: "\(frame)") } }
    }
    return entries.isEmpty ? nil : ContactSheet().compose(entries)
  }
}
