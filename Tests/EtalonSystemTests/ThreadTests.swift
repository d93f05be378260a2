import EtalonDiagnostics
import EtalonSystem
import Foundation
import Synchronization
import Testing

@Suite struct ThreadTests {
  @Test func returnsTheResult() throws {
    #expect(try ThreadTask { 42 }.wait() == 42)
  }

  @Test func hasRoomForDeepRecursion() throws {
    // A million frames need more than the 8 MiB that threads usually have.
    #expect(try ThreadTask(.deep) { Self.depth(1_000_000) }.wait() == 1_000_000)
  }

  /// On a thread of its own: there are as many threads for tests as processors, and one that waits here would do so until all other tests have begun.
  @Test func aTaskIsWaitedFor() async throws {
    struct Refusal: Error {}
    let (value, isRefused) = try await withCheckedThrowingContinuation { continuation in
      do throws(RenderError) {
        try SystemThread.start {
          let value = try? Promise.awaited { () async throws -> Int in
            await Task.yield()
            return 42
          }
          let refused = Result { try Promise.awaited { () async throws -> Int in throw Refusal() } }
          var isRefused = false
          if case .failure(let error) = refused { isRefused = error is Refusal }
          continuation.resume(returning: (value, isRefused))
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(value == 42)
    #expect(isRefused)
  }

  private static func depth(_ n: Int) -> Int { n == 0 ? 0 : 1 + depth(n - 1) }

  @Test func leavesWorkThatOutlastsItsDeadline() throws {
    let release = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    let task = try ThreadTask {
      release.wait()
      end.signal()
    }
    #expect(task.wait(until: .now + .milliseconds(20)) == nil)
    release.signal()
    end.wait()
  }

  @Test func sharesEveryPieceOnce() {
    for count in [0, 1, 2, 7, 1000] {
      #expect(SharedWork.map(count) { $0 * 3 } == (0..<count).map { $0 * 3 })
      let calls = Mutex([Int](repeating: 0, count: count))
      SharedWork.perform(count) { piece in calls.withLock { $0[piece] += 1 } }
      #expect(calls.withLock { $0 } == [Int](repeating: 1, count: count))
    }
  }

  /// Pieces that ask for shared work themselves must not wait for threads that all wait for them.
  @Test func sharesWorkInsideOfPieces() {
    let sums = SharedWork.map(16) { outer in SharedWork.map(16) { outer * $0 }.reduce(0, +) }
    #expect(sums == (0..<16).map { $0 * 120 })
  }

  /// Pieces that wait for each other need a thread each, also where several jobs begin at once.
  @Test func waitingPiecesGetAThreadEach() throws {
    for _ in 0..<20 {
      let meetings = try (0..<3).map { _ in try ThreadTask { Self.meetingPieces(8) } }
      for meeting in meetings { #expect(meeting.wait() == 7) }
    }
  }

  /// How many pieces met the first of them.
  private static func meetingPieces(_ count: Int) -> Int {
    let arrived = DispatchSemaphore(value: 0), all = DispatchSemaphore(value: 0)
    let met = Mutex(0)
    SharedWork.perform(count, mostlyWaits: true) { piece in
      if piece == 0 {
        for _ in 1..<count { arrived.wait() }
        for _ in 1..<count { all.signal() }
      } else {
        arrived.signal()
        if all.wait(timeout: .now() + 20) == .success { met.withLock { $0 += 1 } }
      }
    }
    return met.withLock { $0 }
  }

  @Test func aSerialThreadKeepsTheOrder() throws {
    let seen = Mutex<[Int]>([])
    let thread = try SerialThread()
    for number in 0..<100 { thread.add { seen.withLock { $0.append(number) } } }
    thread.finish()
    #expect(seen.withLock { $0 } == Array(0..<100))
  }

  /// Where the system gives no thread there is an error at once, and shared work is done by the one that asks.
  @Test func withoutThreadsNothingWaits() async {
    let result = await #expect(processExitsWith: .exitCode(75), observing: [\.standardErrorContent]) { Self.worksWithoutThreads() }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("cannot start a thread"))
  }

  /// Lets the process take some bytes of address space more than it has.
  private static func limitAddressSpace(room: Int) {
    var usage = 0
    if let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) { usage = Int(text.split(separator: " ")[0]) ?? 0 }
    var limit = rlimit(rlim_cur: rlim_t(usage * 4096 + room), rlim_max: rlim_t(usage * 4096 + room))
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }

  /// A stack that took most of what is left would leave nothing for what the thread does.
  @Test func stacksLeaveRoom() async {
    await #expect(processExitsWith: .success) { Self.allocatesOnADeepStack() }
  }

  private static func allocatesOnADeepStack() -> Never {
    limitAddressSpace(room: 640 << 20)
    let hasRoom = try? ThreadTask(.deep) {
      guard let memory = unsafe malloc(400 << 20) else { return false }
      unsafe free(memory)
      return true
    }.wait()
    exit(hasRoom == true ? 0 : 1)
  }

  /// What is below the least is refused before anything is done, whatever would have become of it.
  @Test func tooSmallAnAddressSpaceIsRefused() async {
    await #expect(processExitsWith: .success) { Self.asksForMoreThanTheLimit() }
  }

  private static func asksForMoreThanTheLimit() -> Never {
    guard (try? AddressSpace.require(.max, for: "a test")) != nil else { exit(1) }
    limitAddressSpace(room: 64 << 20)
    guard (try? AddressSpace.require(1, for: "a test")) != nil else { exit(2) }
    do throws(RenderError) {
      try AddressSpace.require(1 << 50, for: "a test")
      exit(3)
    } catch {
      exit(EtalonDiagnostics.ExitCode(error.code) == .tryAgain && error.message.hasSuffix("a test needs 1073741824 MiB") ? 0 : 4)
    }
  }

  /// A limit that may be raised is raised, also for the threads of libraries; one that may not be is refused before the stack ends.
  @Test func stacksThatAreTooSmallAreRaisedOrRefused() async {
    await #expect(processExitsWith: .success) { Self.raisesItsStack() }
    let result = await #expect(processExitsWith: .exitCode(75), observing: [\.standardErrorContent]) { Self.hasASmallStack() }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("the stack of this process is limited to 512 KiB, and etalon needs 2048 KiB"))
  }

  private static func limitStack(_ byteCount: Int, isHard: Bool) {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit)
    limit.rlim_cur = rlim_t(byteCount)
    if isHard { limit.rlim_max = limit.rlim_cur }
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit)
  }

  private static func raisesItsStack() -> Never {
    limitStack(512 << 10, isHard: false)
    guard (try? StackLimit.prepare()) != nil else { exit(1) }
    var limit = rlimit(), byteCount = 0
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit)
    unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
      guard let attributes = buffer.baseAddress else { return }
      unsafe pthread_attr_init(attributes)
      unsafe pthread_attr_getstacksize(attributes, &byteCount)
    }
    exit(limit.rlim_cur == 8 << 20 && byteCount == 8 << 20 ? 0 : 2)
  }

  private static func hasASmallStack() -> Never {
    limitStack(512 << 10, isHard: true)
    do throws(RenderError) {
      try StackLimit.prepare()
      exit(0)
    } catch {
      FileHandle.standardError.write(Data(error.text.utf8))
      exit(EtalonDiagnostics.ExitCode(error.code).rawValue)
    }
  }

  private static func worksWithoutThreads() -> Never {
    // Room for some arrays and for no stack.
    limitAddressSpace(room: 900 << 10)
    guard SharedWork.map(4, { $0 }) == [0, 1, 2, 3] else { exit(1) }
    do {
      try SystemThread.start {}
      exit(2)
    } catch {
      FileHandle.standardError.write(Data(error.text.utf8))
      exit(EtalonDiagnostics.ExitCode(error.code).rawValue)
    }
  }
}

@Suite struct ChildProcessTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-child-\(UUID().uuidString)").path

  private func run(_ script: String, _ body: (ChildProcess) throws -> Void) throws -> (output: String, errors: String) {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let child = try ChildProcess(
      "/bin/sh", ["-c", script], environment: ["ETALON_WORD": "told"], folder: folder, output: "\(folder)/out", errors: "\(folder)/err")
    try body(child)
    return (try String(contentsOfFile: "\(folder)/out", encoding: .utf8), try String(contentsOfFile: "\(folder)/err", encoding: .utf8))
  }

  @Test func tellsHowItEnded() throws {
    let (output, errors) = try run("pwd; echo $ETALON_WORD >&2; exit 7") { #expect($0.wait(20) == .exit(7)) }
    #expect(output.hasSuffix("\((folder as NSString).lastPathComponent)\n"))
    #expect(errors == "told\n")
    _ = try run("kill -SEGV $$") { #expect($0.wait(20) == .signal(SIGSEGV)) }
  }

  @Test func isEndedWhenItTakesTooLong() throws {
    _ = try run("exec sleep 100") { child in
      #expect(child.wait(0.05) == nil)
      child.end()
      #expect(child.wait(0) == .signal(SIGKILL))
    }
  }

  @Test func saysWhatCannotBeStarted() {
    let error = #expect(throws: RenderError.self) {
      try ChildProcess("/nowhere/program", [], output: "/dev/null", errors: "/dev/null")
    }
    #expect(error?.underlying == "No such file or directory")
  }
}
