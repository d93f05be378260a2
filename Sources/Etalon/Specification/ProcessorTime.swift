internal import Foundation

/// Seconds of processor time, which other programs on the machine do not lengthen as they do those of a clock.
package enum ProcessorTime {
  /// What all threads of this process have used.
  package static var ofProcess: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// What the calling thread has used.
  package static var ofThread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
