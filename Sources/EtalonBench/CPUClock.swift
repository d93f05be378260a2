import Etalon
import Glibc

/// The processor time of this process.
enum CPUClock {
  /// User and system time of all threads, in milliseconds.
  static func milliseconds() -> (user: Double, system: Double) {
    var usage = rusage()
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000 }
    return (milliseconds(usage.ru_utime), milliseconds(usage.ru_stime))
  }

  /// Milliseconds of all threads together, user and system, exact for short times, too.
  static func total() -> Double { ProcessorTime.ofProcess * 1000 }

  /// The same of the thread that asks.
  static func ofThread() -> Double { ProcessorTime.ofThread * 1000 }

  /// What a call costs, in milliseconds of all threads together.
  static func cost(_ body: () throws -> Void) rethrows -> Double {
    let start = total()
    try body()
    return total() - start
  }

  /// User milliseconds of one call, as the smallest mean of several rounds of calls.
  static func measure(rounds: Int, calls: Int, _ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = milliseconds().user
      for _ in 0..<calls { try body() }
      best = min(best, (milliseconds().user - start) / Double(calls))
    }
    return best
  }
}
