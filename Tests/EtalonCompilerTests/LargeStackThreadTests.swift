import Foundation
import Testing

@testable import EtalonCompiler

@Suite struct LargeStackThreadTests {
  @Test func returnsTheResult() {
    guard case .done(42) = LargeStackThread.run(until: nil, { 42 }) else {
      Issue.record("no result")
      return
    }
  }

  @Test func hasRoomForDeepRecursion() {
    // A million frames need more than the 8 MiB that threads usually have.
    guard case .done(1_000_000) = LargeStackThread.run(until: nil, { Self.depth(1_000_000) }) else {
      Issue.record("no result")
      return
    }
  }

  private static func depth(_ n: Int) -> Int { n == 0 ? 0 : 1 + depth(n - 1) }

  @Test func leavesWorkThatOutlastsItsDeadline() {
    let release = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    let outcome = LargeStackThread.run(until: .now + .milliseconds(20)) {
      release.wait()
      end.signal()
    }
    guard case .abandoned = outcome else {
      Issue.record("not abandoned")
      return
    }
    release.signal()
    end.wait()
  }
}
