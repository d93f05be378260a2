import Glibc

/// The processor time of this process.
enum CPUClock {
  /// User time in milliseconds.
  static func userMilliseconds() -> Double {
    var usage = rusage()
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec) * 1000 + Double(usage.ru_utime.tv_usec) / 1000
  }

  /// User milliseconds of one call, as the smallest mean of several rounds of calls.
  static func measure(rounds: Int, calls: Int, _ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = userMilliseconds()
      for _ in 0..<calls { try body() }
      best = min(best, (userMilliseconds() - start) / Double(calls))
    }
    return best
  }
}
