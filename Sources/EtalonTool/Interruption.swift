import Etalon
import EtalonDiagnostics
import EtalonSystem
import Foundation
import Synchronization

/// Lets the first SIGINT, SIGTERM or SIGHUP ask for a clean end, and the second end the process at once.
///
/// A clean end stops the frame that is being rendered, finishes the files that are being written and starts no new ones. While nothing is being
/// written, as during compiling, the first signal ends the process too.
///
/// The signals are blocked in all threads and taken by one of ours, so that no code of ours runs inside of a signal handler.
final class Interruption: Sendable {
  private struct State {
    var received: Int32?
    /// Whether work is in progress that asks `isRequested` from time to time.
    var isPatient = false
    var wasCutShort = false
  }

  static let shared = Interruption()

  /// The token that the frames being rendered look at.
  let cancellation = Cancellation(endsProcess: true)
  private let state = Mutex(State())

  /// Starts listening, for the rest of the process; to be called before any other thread is started.
  func listen() {
    // Under `nohup` a closed terminal must stay without consequence.
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { $0 != SIGHUP || !Self.isIgnored($0) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    var earlier = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &earlier)
    let awaited = signals
    do {
      try SystemThread.start { [self] in
        var number: Int32 = 0
        while true {
          if unsafe withUnsafePointer(to: awaited, { unsafe sigwait($0, &number) }) == 0 { receive(number) }
        }
      }
    } catch {
      // Without a thread that takes them, signals end the process as they usually do.
      unsafe pthread_sigmask(SIG_SETMASK, &earlier, nil)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
  }

  private func receive(_ number: Int32) {
    let mayWait = state.withLock { state in
      defer { state.received = state.received ?? number }
      return state.received == nil && state.isPatient
    }
    if mayWait {
      cancellation.cancel()
      StandardError.line("stopping…\(number == SIGINT ? " (^C again ends at once)" : "")")
      return
    }
    Leftovers.removeAll()
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

  /// Whether no new work should be started; also true when standard output was closed by its reader.
  var isRequested: Bool { signalNumber != nil || StandardOutput.hasFailed }

  /// Notes that work was left undone because of a signal.
  func cutShort() { state.withLock { $0.wasCutShort = true } }

  /// The exit code of a command that a signal cut short.
  var exitCode: Int32? { state.withLock { $0.wasCutShort ? $0.received.map { 128 + $0 } : nil } }
}
