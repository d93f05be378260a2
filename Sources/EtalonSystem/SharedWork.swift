internal import Dispatch
internal import Foundation
internal import Synchronization

/// Does pieces of work on the thread that asks and on others that are free.
///
/// Where the system gives fewer threads, or none, the thread that asks does more itself: nothing waits for a thread that does not exist.
///
/// **Concurrency**: usable from every thread, also from inside of a piece of work.
package enum SharedWork {
  private static let processorCount = ProcessInfo.processInfo.activeProcessorCount

  /// Calls something with each number below a count, and returns when all calls have.
  ///
  /// - Parameter mostlyWaits: whether the pieces wait for something else than processors, so that each gets a thread where the system has so many;
  ///   otherwise there is one for each processor.
  package static func perform(_ count: Int, mostlyWaits: Bool = false, _ body: @escaping @Sendable (Int) -> Void) {
    let threadCount = mostlyWaits ? count : min(count, processorCount)
    guard threadCount > 1 else { return (0..<max(count, 0)).forEach(body) }
    let job = SharedJob(count, body)
    WorkerThreads.shared.offer(job, to: threadCount - 1, mostlyWaits: mostlyWaits)
    job.work()
    WorkerThreads.shared.withdraw(job)
    job.waitForOthers()
  }

  /// The same for calls that return something: what they returned, in the order of the numbers.
  package static func map<Result: Sendable>(
    _ count: Int, mostlyWaits: Bool = false, _ body: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let results = SharedResults<Result>(count)
    perform(count, mostlyWaits: mostlyWaits) { results.set($0, body($0)) }
    return results.all
  }
}

private final class SharedResults<Result: Sendable>: Sendable {
  private let results: Mutex<[Result?]>

  init(_ count: Int) { results = Mutex([Result?](repeating: nil, count: count)) }

  var all: [Result] { results.withLock { $0.compactMap(\.self) } }

  func set(_ number: Int, _ result: Result) { results.withLock { $0[number] = result } }
}

/// Pieces of work that several threads take, one after the other.
private final class SharedJob: Sendable {
  private let count: Int
  private let body: @Sendable (Int) -> Void
  private let next = Atomic<Int>(0)
  private let left: Atomic<Int>
  private let isDone = DispatchSemaphore(value: 0)

  init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    (self.count, self.body) = (count, body)
    left = Atomic(count)
  }

  /// Takes pieces until there are no more.
  func work() {
    while true {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < count else { return }
      body(number)
      if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { isDone.signal() }
    }
  }

  func waitForOthers() { isDone.wait() }
}

/// The threads that help, which live as long as the process.
private final class WorkerThreads: Sendable {
  static let shared = WorkerThreads()

  private struct State {
    /// Jobs with the number of threads that may still join each.
    var offers: [(job: SharedJob, places: Int)] = []
    var threadCount = 0
    /// How many of them wait for an offer.
    var idleCount = 0
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Offers a job to some threads, which are started if there are not enough of them: of idle ones for jobs that mostly wait, of all for others.
  func offer(_ job: SharedJob, to helpers: Int, mostlyWaits: Bool) {
    let missing = state.withLock { state in
      // Idle threads that were promised to earlier jobs do not count.
      let promised = state.offers.reduce(0) { $0 + $1.places }
      let missing = max(0, helpers - (mostlyWaits ? max(0, state.idleCount - promised) : state.threadCount))
      state.offers.append((job, helpers))
      state.threadCount += missing
      state.idleCount += missing
      return missing
    }
    for started in 0..<missing {
      do { try SystemThread.start { [self] in serve() } } catch {
        state.withLock { state in
          state.threadCount -= missing - started
          state.idleCount -= missing - started
        }
        break
      }
    }
    for _ in 0..<min(helpers, state.withLock(\.threadCount)) { wake.signal() }
  }

  /// Keeps further threads from joining a job that has nothing left to take.
  func withdraw(_ job: SharedJob) { state.withLock { $0.offers.removeAll { $0.job === job } } }

  private func serve() {
    while true {
      wake.wait()
      let job: SharedJob? = state.withLock { state in
        guard !state.offers.isEmpty else { return nil }
        let job = state.offers[0].job
        state.offers[0].places -= 1
        if state.offers[0].places == 0 { state.offers.removeFirst() }
        state.idleCount -= 1
        return job
      }
      guard let job else { continue }
      job.work()
      state.withLock { $0.idleCount += 1 }
    }
  }
}
