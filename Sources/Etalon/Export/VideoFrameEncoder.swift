internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
internal import EtalonTypes
internal import EtalonVideo
internal import Synchronization

/// Waits for frames and encodes them on a thread of its own, in their order.
final class VideoFrameEncoder: Sendable {
  private struct State {
    var failure: RenderError?
    var written = 0
    var isCut = false
    /// What the writer says about sound.
    var notes: [String] = []
  }

  private let thread: SerialThread
  /// Locked while a frame is encoded, which those who ask for the state do not wait for.
  private let target: Mutex<(any VideoTarget)?>
  private let state = Mutex(State())
  private let shot: Shot
  private let isTimed: Bool
  private let observe: @Sendable (RenderEvent) -> Void

  init(
    _ target: sending any VideoTarget, _ shot: Shot, isTimed: Bool, observe: @escaping @Sendable (RenderEvent) -> Void
  ) throws(RenderError) {
    thread = try SerialThread()
    self.target = Mutex(target)
    self.shot = shot
    self.isTimed = isTimed
    self.observe = observe
  }

  /// What is worth saying about the video; call after `finish`.
  var notes: [Diagnostic] { state.withLock { $0.notes.map { Diagnostic("video.sound", $0, severity: .note) } } }

  var hasFailed: Bool { state.withLock { $0.failure != nil || $0.isCut } }

  /// Takes a frame that is being rendered, and releases it; the shot bounds how many wait.
  ///
  /// - Parameter place: its place among the frames of the video.
  func add(_ pending: any PendingFrame, _ frame: Int, place: Int, time: Rational) {
    thread.add { [self] in
      defer { pending.release() }
      do throws(RenderError) {
        try pending.wait()
        guard !hasFailed else { return }
        for output in shot.outputs.indices { shot.look(at: pending, frame, output: output) }
        let bytes = try target.withLock { target throws(RenderError) -> Int in
          guard let target else { return 0 }
          try unsafe encode(pending, [], target, (place, isTimed ? time : nil))
          return target.byteCount
        }
        state.withLock { $0.written += 1 }
        observe(.encoded(frame: frame, seconds: (time + shot.clock.rate.frameDuration).double, bytes: bytes))
      } catch {
        state.withLock { state in
          if error.code == .interrupted { state.isCut = true } else { state.failure = state.failure ?? error }
        }
      }
    }
  }

  /// Collects the planes where they lie, and writes them.
  private func encode(
    _ pending: any PendingFrame, _ found: [FramePlane], _ target: any VideoTarget, _ frame: (place: Int, time: Rational?)
  ) throws(RenderError) {
    let output = unsafe found.count
    guard output < shot.outputs.count else { return try unsafe target.write(found, at: frame.place, timeStamp: frame.time) }
    try unsafe withRows(of: output, pending) { rows throws(RenderError) in
      let plane = unsafe FramePlane(rows: rows, bytesPerRow: shot.outputs[output].byteCount(ofRows: 1))
      try unsafe encode(pending, found + [plane], target, frame)
    }
  }

  /// Hands out all rows of an output as one piece: where they lie, or joined where the device has them in several.
  private func withRows(
    of output: Int, _ pending: any PendingFrame, _ body: (UnsafeRawBufferPointer) throws(RenderError) -> Void
  ) throws(RenderError) {
    let height = shot.outputs[output].size.height
    var joined: [UInt8] = []
    var result: Result<Void, RenderError>?
    func run(_ rows: UnsafeRawBufferPointer) {
      result = Result { () throws(RenderError) in try unsafe body(rows) }
    }
    pending.withBands(of: output) { first, count, bytes in
      unsafe bytes.withUnsafeBytes { rows in
        if first == 0, count == height { unsafe run(rows) } else { unsafe joined.append(contentsOf: rows) }
      }
    }
    if result == nil { unsafe joined.withUnsafeBytes { unsafe run($0) } }
    try result?.get()
  }

  /// Waits for the frames that it was given; returns how many of them were encoded.
  func drained() -> Int {
    thread.finish()
    return state.withLock { $0.written }
  }

  /// Ends the video; returns the path of a part, where it is one with any frame.
  func finish(isWhole: Bool, end: Rational?) throws(RenderError) -> String? {
    let failure = state.withLock { $0.failure }
    return try target.withLock { held throws(RenderError) -> String? in
      guard let target = held else { return nil }
      held = nil
      if let failure {
        target.abandon()
        throw failure
      }
      defer { state.withLock { $0.notes = target.notes } }
      if isWhole {
        try target.finish(end: end)
        return nil
      }
      return try target.finishPart()
    }
  }

  func abandon() {
    thread.finish()
    target.withLock { target in
      target?.abandon()
      target = nil
    }
  }
}
