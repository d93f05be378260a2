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
