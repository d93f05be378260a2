import Dispatch
import Foundation
import Synchronization

/// Lets the first SIGINT, SIGTERM or SIGHUP ask for a clean end, and the second end the process at once.
///
/// A clean end finishes the frames that are being written and starts no new ones. While nothing is being written, as during compiling, the first
/// signal ends the process too.
final class Interruption: Sendable {
  private struct State {
    var received: Int32?
    /// Whether somebody asks `isRequested` from time to time.
    var isPatient = false
  }

  private let state = Mutex(State())
  private static let queue = DispatchQueue(label: "etalon.signals")

  /// Starts listening, for the rest of the process.
  ///
  /// - Parameter cleanUp: runs before a second signal ends the process; removes temporary files.
  init(cleanUp: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let earlier = signal(number, SIG_IGN)
      // Under `nohup` a closed terminal must stay without consequence.
      if number == SIGHUP, Self.isIgnoring(earlier) { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
      // The handler keeps the source alive: nothing cancels it.
      source.setEventHandler { [self] in
        withExtendedLifetime(source) { receive(number, cleanUp) }
      }
      source.resume()
    }
  }

  private static func isIgnoring(_ handler: __sighandler_t?) -> Bool {
    let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafe unsafeBitCast(handler, to: Int.self) == ignoring
  }

  private func receive(_ number: Int32, _ cleanUp: () -> Void) {
    let mayWait = state.withLock { state in
      defer { state.received = state.received ?? number }
      return state.received == nil && state.isPatient
    }
    if mayWait { return }
    cleanUp()
    _exit(128 + number)
  }

  /// Does work that asks `isRequested` from time to time and ends cleanly.
  func patiently<Result>(_ work: () throws -> Result) rethrows -> Result {
    state.withLock { $0.isPatient = true }
    defer { state.withLock { $0.isPatient = false } }
    return try work()
  }

  /// The signal that asked for the end, if one did.
  var signalNumber: Int32? { state.withLock { $0.received } }

  /// Whether no new work should be started; also when nobody reads the results any more.
  var isRequested: Bool { signalNumber != nil || StandardOutput.hasFailed }
}
