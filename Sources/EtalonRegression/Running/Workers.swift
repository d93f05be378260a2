internal import Dispatch
internal import Foundation

/// Threads that wait for processes, as many as are asked for.
///
/// Dispatch starts no more than there are processors, but workers on another device, or those that wait for files, leave these idle.
enum Workers {
  /// Calls something on several threads, each with its number from 0 on, and waits for all.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }.start()
    }
    group.wait()
  }
}
