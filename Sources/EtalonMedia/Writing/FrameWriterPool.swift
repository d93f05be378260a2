package import EtalonDiagnostics
internal import EtalonSystem
import Foundation
import Synchronization

/// Writes frames on threads of its own while the next ones are rendered.
///
/// Ends with `finish()` or `cancel()`, one of which must be called. At most `queueLength` frames wait; `submit` blocks while the queue is full, so memory stays bounded however far rendering is ahead.
///
/// ```
/// let pool = FrameWriterPool(threads: 2, settings: PNGSettings())
/// pool.submit(job)
/// pool.finish()
/// ```
///
/// **Concurrency**: usable from every thread; jobs are started in the order in which they were submitted, completions come from the pool's threads.
package final class FrameWriterPool: Sendable {
  private struct State {
    var waiting: [FrameJob] = []
    var isClosed = false
  }

  private let settings: PNGSettings
  private let threadCount = Atomic<Int>(0)
  private let state = Mutex(State())
  private let freePlaces: DispatchSemaphore
  private let arrivals = DispatchSemaphore(value: 0)
  private let threads = DispatchGroup()

  /// Starts the threads: as many as the system gives, of which there must be one.
  package init(threads count: Int, queueLength: Int = 2, settings: PNGSettings = PNGSettings()) throws(RenderError) {
    precondition(count >= 1 && queueLength >= 1, "a pool of \(count) threads with \(queueLength) places")
    self.settings = settings
    freePlaces = DispatchSemaphore(value: 0)
    for _ in 0..<queueLength { freePlaces.signal() }
    for number in 0..<count {
      do throws(RenderError) { try startThread() } catch {
        if number == 0 { throw error }
        break
      }
      threadCount.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Hands over a frame; blocks while the queue is full.
  ///
  /// Not to be called after `finish()` or `cancel()`.
  package func submit(_ job: FrameJob) {
    freePlaces.wait()
    let isTaken = state.withLock { state in
      guard !state.isClosed else { return false }
      state.waiting.append(job)
      return true
    }
    guard isTaken else {
      freePlaces.signal()
      return job.completion(.failure(Self.cancelled(job)))
    }
    arrivals.signal()
  }

  /// Waits until every frame that was submitted is written or has failed, and ends the threads.
  package func finish() {
    close(dropping: false)
  }

  /// Lets the frames that are being written finish, fails those that wait, and ends the threads.
  package func cancel() {
    close(dropping: true)
  }

  private func close(dropping: Bool) {
    let (dropped, wasOpen) = state.withLock { state in
      defer { state.isClosed = true }
      guard dropping else { return ([FrameJob](), !state.isClosed) }
      defer { state.waiting.removeAll() }
      return (state.waiting, !state.isClosed)
    }
    for job in dropped {
      freePlaces.signal()
      job.completion(.failure(Self.cancelled(job)))
    }
    if wasOpen { for _ in 0..<threadCount.load(ordering: .relaxed) { arrivals.signal() } }
    threads.wait()
  }

  private static func cancelled(_ job: FrameJob) -> RenderError {
    RenderError(
      .cannotWrite, "did not write \(job.files.map { "'\($0.path)'" }.joined(separator: ", "))", underlying: "the run was interrupted")
  }
}

extension FrameWriterPool {
  private func startThread() throws(RenderError) {
    threads.enter()
    do throws(RenderError) {
      try SystemThread.start { [self] in
        work()
        threads.leave()
      }
    } catch {
      threads.leave()
      throw error
    }
  }

  /// Each thread has one encoder, whose buffers serve every frame.
  private func work() {
    let encoder = FrameEncoder(settings)
    while let job = next() {
      let result: Result<Void, RenderError>
      do throws(RenderError) {
        try job.write(with: encoder, library: settings.library)
        result = .success(())
      } catch {
        result = .failure(error)
      }
      job.completion(result)
    }
  }

  /// The next frame; nil once the pool is closed and nothing waits.
  private func next() -> FrameJob? {
    while true {
      arrivals.wait()
      let (job, isClosed) = state.withLock { state in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isClosed)
      }
      if let job {
        freePlaces.signal()
        return job
      }
      if isClosed { return nil }
    }
  }
}

/// One frame to be written: where it comes from, where it goes, and what is called at its end.
package struct FrameJob: Sendable {
  /// One of the files that a frame becomes.
  package struct File: Sendable {
    package let path: String
    /// What the file says about itself.
    package let provenance: FrameProvenance
    /// Waits for the frame and hands out rows of the file; called once, on the thread that encodes.
    package typealias Rows = @Sendable () throws(RenderError) -> any RowSource
    /// The numbers of an OpenEXR file; nil for other files.
    let numbers: EXRPart.Numbers?
    /// The pictures of the file by the names of their layers; one without a name where files have no layers.
    let layers: [(name: String, rows: Rows)]

    /// A file with levels.
    package init(path: String, provenance: FrameProvenance, rows: @escaping Rows) {
      (self.path, self.provenance, numbers, layers) = (path, provenance, nil, [("", rows)])
    }

    /// An OpenEXR file with the layers of these names.
    package init(path: String, provenance: FrameProvenance, numbers: EXRPart.Numbers, layers: [(name: String, rows: Rows)]) {
      (self.path, self.provenance, self.numbers, self.layers) = (path, provenance, numbers, layers)
    }
  }

  /// Written one after the other; after a failure the later ones are not written.
  package let files: [File]
  /// What may be replaced.
  package let policy: ReplacePolicy
  /// Called exactly once, when the frame is in its place or has failed; the rows are not used any more.
  package let completion: @Sendable (Result<Void, RenderError>) -> Void

  /// Describes a frame.
  package init(
    files: [File], policy: ReplacePolicy, completion: @escaping @Sendable (Result<Void, RenderError>) -> Void
  ) {
    self.files = files
    self.policy = policy
    self.completion = completion
  }

  /// Encodes and writes the frame.
  func write(with encoder: FrameEncoder, library: DeflateLibrary) throws(RenderError) {
    for file in files {
      var layers: [EXRWriter.Layer] = []
      for layer in file.layers { layers.append(EXRWriter.Layer(layer.name, try layer.rows())) }
      // What OpenEXR files say does not depend on the library that compresses the others.
      let texts = file.provenance.textChunks(deflate: file.numbers == nil ? library : nil)
      let destination = try AtomicFile(file.path, replacing: policy)
      try encoder.encode(layers, numbers: file.numbers, text: texts, as: file.path, to: destination)
      try destination.commit()
    }
  }
}
