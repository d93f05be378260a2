import Dispatch
import Foundation
import Synchronization

/// Lets the first SIGINT or SIGTERM ask for a clean end, and the second end the process at once.
///
/// A clean end finishes the frames that are being written and starts no new ones.
final class Interruption: Sendable {
  private let received = Mutex<Int32?>(nil)
  private static let queue = DispatchQueue(label: "etalon.signals")

  /// Starts listening, for the rest of the process.
  ///
  /// - Parameter cleanUp: runs before a second signal ends the process; removes temporary files.
  init(cleanUp: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
      // The handler keeps the source alive: nothing cancels it.
      source.setEventHandler { [self] in
        withExtendedLifetime(source) { receive(number, cleanUp) }
      }
      source.resume()
    }
  }

  private func receive(_ number: Int32, _ cleanUp: () -> Void) {
    let isFirst = received.withLock { value in
      defer { value = value ?? number }
      return value == nil
    }
    if isFirst { return }
    cleanUp()
    _exit(128 + number)
  }

  /// The signal that asked for the end, if one did.
  var signalNumber: Int32? { received.withLock { $0 } }

  /// Whether no new work should be started.
  var isRequested: Bool { signalNumber != nil }
}
