import Dispatch
import Synchronization
import Testing

@testable import EtalonRegression

/// Threads that wait for others must all be there, however few processors there are.
@Suite struct WorkersTests {
  @Test func asManyRunAsAreAskedFor() {
    let all = DispatchSemaphore(value: 0), arrived = Mutex(0), met = Mutex(0)
    let count = 24
    Workers.run(count) { _ in
      if arrived.withLock({ number in
        number += 1
        return number
      }) == count {
        for _ in 0..<count { all.signal() }
      }
      if all.wait(timeout: .now() + 60) == .success { met.withLock { $0 += 1 } }
    }
    #expect(met.withLock { $0 } == count)
  }

  @Test func eachHasItsNumber() {
    let numbers = Mutex(Set<Int>())
    Workers.run(5) { number in _ = numbers.withLock { $0.insert(number) } }
    #expect(numbers.withLock { $0 } == [0, 1, 2, 3, 4])
  }
}
