import EtalonDiagnostics
import EtalonTypes
import Foundation
import Synchronization
import Testing

@testable import EtalonSystem

/// Claims in folders on the disk.
@Suite struct ClaimTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-claims-\(UUID().uuidString)").path

  private func claims(
    _ count: Int, done: Set<Int> = [], lapse: Duration = .seconds(30), isDone: @escaping @Sendable (Int) -> Bool = { _ in false }
  )
    throws -> WorkClaims
  {
    try WorkClaims(folder, of: "plasma.####.png", count: count, done: done, lapse: lapse, isDone: isDone)
  }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? [] }

  @Test func oneProcessDoesEverythingInOrderAndLeavesNothing() throws {
    let claims = try claims(5, done: [1])
    var units: [Int] = []
    while let unit = try claims.next() {
      units.append(unit)
      claims.finish(unit)
    }
    #expect(units.sorted() == [0, 2, 3, 4])
    #expect(claims.leave() == [0, 1, 2, 3, 4])
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  /// Each unit is worked on once, and all end only when everything is done.
  @Test func severalDivideTheWork() throws {
    let done = Mutex<[Int: Int]>([:])
    let failures = SharedWork.map(4, mostlyWaits: true) { [folder] worker -> String? in
      do {
        let claims = try WorkClaims(folder, of: "a", count: 60, done: [], lapse: .seconds(30)) { unit in done.withLock { $0[unit] != nil } }
        while let unit = try claims.next() {
          usleep(useconds_t(500 * (worker + 1)))
          done.withLock { $0[unit, default: 0] += 1 }
          claims.finish(unit)
        }
        let count = done.withLock { $0.count }
        return claims.leave().count == 60 && count == 60 ? nil : "ended with \(count) units"
      } catch {
        return "\(error)"
      }
    }
    #expect(failures.compactMap { $0 } == [])
    #expect(done.withLock { $0.values.allSatisfy { $0 == 1 } })
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  /// Whoever is through removes the folder, perhaps while another process enters it.
  @Test func entersAFolderThatOthersRemove() throws {
    let failures = SharedWork.map(8, mostlyWaits: true) { [folder] _ -> String? in
      do {
        for _ in 0..<200 { try WorkClaims(folder, of: "a", count: 1, done: [0], lapse: .seconds(30)) { _ in true }.leave() }
        return nil
      } catch { return "\(error)" }
    }
    #expect(failures.compactMap { $0 } == [])
    #expect(names == [])
  }

  /// Folders that differ behind the last hyphen divide other work on the same product.
  @Test func otherWorkOnTheSameProductIsRefusedWhileItIsDone() throws {
    func claims(_ name: String, lapse: Duration = .seconds(20)) throws -> WorkClaims {
      try WorkClaims("\(folder)/claims-\(name)", of: "a.####.png", count: 1, done: [], lapse: lapse) { _ in false }
    }
    let first = try claims("one")
    #expect(try first.next() == 0)
    // However short its own patience is.
    let second = try claims("other", lapse: .milliseconds(300))
    let error = #expect(throws: RenderError.self) { try second.next() }
    #expect(error?.code == .cannotWrite)
    #expect(error?.message.contains("'a.####.png'") == true)
    #expect(names == ["claims-one"])
    first.leave()
    // One whose heartbeat does not change is gone.
    try FileManager.default.createDirectory(atPath: "\(folder)/claims-lost", withIntermediateDirectories: true)
    try Data("000000000007 000000000100 working".utf8).write(to: URL(filePath: "\(folder)/claims-lost/worker-elsewhere"))
    let third = try claims("other", lapse: .seconds(1)), begin = ContinuousClock.now
    #expect(try third.next() == 0)
    #expect(ContinuousClock.now - begin >= .seconds(1))
    #expect(names == ["claims-other"])
    // Who shares the work of one that has looked need not look.
    try FileManager.default.createDirectory(atPath: "\(folder)/claims-lost", withIntermediateDirectories: true)
    try Data("000000000007 000000000100 working".utf8).write(to: URL(filePath: "\(folder)/claims-lost/worker-elsewhere"))
    let fourth = try claims("other"), another = ContinuousClock.now
    try fourth.lookForOtherWork { false }
    #expect(ContinuousClock.now - another < .seconds(10))
    third.leave()
    fourth.leave()
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Of two that begin at once the one whose folder comes first goes on.
  @Test func oneOfTwoThatBeginAtOnceGoesOn() throws {
    let folder = folder
    let results = SharedWork.map(2, mostlyWaits: true) { number -> String in
      do {
        let claims = try WorkClaims("\(folder)/claims-\(number)", of: "a.####.png", count: 1, done: [], lapse: .seconds(3)) { _ in false }
        usleep(200_000)
        defer { claims.leave() }
        return try claims.next() == 0 ? "works" : "nothing"
      } catch { return "refused" }
    }
    #expect(results == ["works", "refused"])
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test func whatFailedIsLeftToOthers() throws {
    let done = Mutex<Set<Int>>([])
    let isDone = { @Sendable unit in done.withLock { $0.contains(unit) } }
    let (first, second) = (try claims(2, isDone: isDone), try claims(2, isDone: isDone))
    #expect(try first.next() == 0)
    first.release(0)
    #expect(try first.next() == 1)
    _ = done.withLock { $0.insert(1) }
    first.finish(1)
    // It does not try again, and does not wait for a process that might.
    #expect(try first.next() == nil)
    #expect(first.leave() == [1])
    #expect(try second.next() == 0)
    second.finish(0)
    #expect(try second.next() == nil)
    #expect(second.leave() == [0, 1])
    #expect(names == [])
  }

  /// The claims of a process that ended are free, at once on its own machine.
  @Test func unitsOfDeadProcessesAreTakenOver() throws {
    let dead = "0123456789abcdef-4711-1.0123456789abcdef"
    let files = ClaimFiles(folder, of: "a")
    try files.enter(dead)
    #expect(try files.make(Claim(unit: 0, generation: 1), by: dead))
    let claims = try claims(2, lapse: .milliseconds(300))
    #expect(try claims.next() == 1)
    claims.finish(1)
    let start = ContinuousClock.now
    #expect(try claims.next() == 0)
    #expect(ContinuousClock.now - start >= .milliseconds(300))
    claims.finish(0)
    #expect(try claims.next() == nil)
    claims.leave()
    #expect(names == [])

    let space = "\(ProcessIdentity.current)".prefix { $0 != "-" }
    let ended = "\(space)-\(pid_t.max)-1.0123456789abcdef"
    try files.enter(ended)
    #expect(try files.make(Claim(unit: 0, generation: 1), by: ended))
    // It has left half a file where this process has looked for such files already.
    let place = "\(folder)-files", half = "\(place)/.a.png.\(ended).tmp"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    func write() throws {
      let file = try #require(TemporaryFiles.makeFile(for: "\(place)/b.png"))
      close(file.descriptor)
      TemporaryFiles.remove(file.path)
    }
    try write()
    try Data("half".utf8).write(to: URL(filePath: half))
    try write()
    #expect(FileManager.default.fileExists(atPath: half))
    let others = try self.claims(1)
    #expect(try others.next() == 0)
    try write()
    #expect(!FileManager.default.fileExists(atPath: half))
    others.leave()
    try FileManager.default.removeItem(atPath: place)
  }

  /// A heartbeat that goes on keeps its claims, whatever the times of files say.
  @Test func livingProcessesKeepTheirClaims() throws {
    let alive = try claims(1, lapse: .milliseconds(400))
    #expect(try alive.next() == 0)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: "\(folder)/0.1")
    let other = try claims(1, lapse: .milliseconds(400))
    let start = ContinuousClock.now
    let found = try other.next { ContinuousClock.now - start > .seconds(1.2) }
    #expect(found == nil)
    alive.finish(0)
    #expect(try other.next() == nil)
    other.leave()
    alive.leave()
  }

  /// What an earlier run called done counts only where its product is still there.
  @Test func doneIsBelievedOnlyWithTheProduct() throws {
    let files = ClaimFiles(folder, of: "a")
    for unit in 0..<2 {
      #expect(
        try {
          try files.enter("old"); return try files.make(Claim(unit: unit, generation: 1), by: "old")
        }())
      files.markAsDone(Claim(unit: unit, generation: 1))
    }
    let claims = try claims(2, done: []) { $0 == 1 }
    #expect(try claims.next() == 0)
    claims.finish(0)
    #expect(try claims.next() == nil)
    #expect(claims.leave() == [0, 1])
  }

  @Test func aFolderThatCannotBeWrittenIsAnError() throws {
    #expect(FileManager.default.createFile(atPath: folder, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: RenderError.self) { try claims(1) }
  }
}

/// The same code among a thousand workers that share a folder which shows files late, on a clock that is only counted.
@Suite struct ClaimSimulationTests {
  /// All frames once, though one worker in twenty vanishes, and little is rendered in vain.
  @Test(arguments: [(4.0, 1000, 10_000), (0.0, 200, 2000), (4.0, 7, 100), (12.0, 50, 500)])
  func aThousandWorkers(delay: Double, workers: Int, frames: Int) throws {
    var simulation = Simulation(workers: workers, frames: frames, delay: delay, seconds: RecordedFrames.seconds)
    try simulation.run()
    #expect(simulation.world.made.count == frames, "a frame is missing")
    #expect(simulation.endedEarly == 0, "a worker ended before all frames were there")
    #expect(simulation.world.twiceAtOnce == 0, "two workers rendered one frame at once")
    #expect(simulation.vain / simulation.useful <= 0.06, "\(simulation.vain) s of \(simulation.useful) s in vain")
    // Waiting for those who vanished last, and for the last frames.
    let ideal = simulation.useful / Double(workers)
    #expect(
      simulation.end <= ideal * 1.06 + 2 * 30 + 4 * 5 + delay * 2 + 3 * simulation.longest,
      "ended after \(simulation.end) s, not \(ideal) s")
  }
}

private final class SimulatedWorld {
  var now = 0.0
  let delay: Double
  var claims: [Claim: (owner: String, made: Double, done: Double?)] = [:]
  var heartbeats: [String: [(count: Int, since: Double)]] = [:]
  /// When each frame was there first.
  var made: [Int: Double] = [:]
  /// Who renders a frame.
  var working: [Int: Set<Int>] = [:]
  var twiceAtOnce = 0

  init(delay: Double) { self.delay = delay }

  func shows(_ time: Double) -> Bool { time + delay <= now }

  private var listed: (claims: [(claim: Claim, isDone: Bool)], time: Double)?

  /// What everybody sees of the claims, made anew every half second.
  var listing: [(claim: Claim, isDone: Bool)] {
    if let listed, now - listed.time < 0.5 { return listed.claims }
    var found: [(claim: Claim, isDone: Bool)] = []
    for (claim, state) in claims where shows(state.made) { found.append((claim, state.done.map(shows) ?? false)) }
    listed = (found, now)
    return found
  }
}

/// The folder as one worker sees it.
private struct SimulatedFolder: ClaimFolder, @unchecked Sendable {
  let world: SimulatedWorld
  let name: String

  func enter(_ worker: String) { if world.heartbeats[worker] == nil { world.heartbeats[worker] = [(0, world.now)] } }
  func beat(_ worker: String, _ count: Int) {
    world.heartbeats[worker] = (world.heartbeats[worker] ?? []).suffix(8) + [(count, world.now)]
  }
  func heartbeat(of worker: String) -> Int? { world.heartbeats[worker]?.last { world.shows($0.since) }?.count }
  func make(_ claim: Claim, by worker: String) -> Bool {
    guard world.claims[claim] == nil else { return false }
    world.claims[claim] = (worker, world.now, nil)
    return true
  }
  func owner(of claim: Claim) -> String? {
    guard let found = world.claims[claim], !(found.done.map(world.shows) ?? false) else { return nil }
    return world.shows(found.made) || found.owner == name ? found.owner : ""
  }
  func markAsDone(_ claim: Claim) { world.claims[claim]?.done = world.now }
  func withdraw(_ claim: Claim) { world.claims[claim] = nil }
  func claims() -> [(claim: Claim, isDone: Bool)]? { world.listing }
  func leave(_ worker: String) { world.heartbeats[worker] = nil }
  func remove() {}
}

private struct Simulation {
  private enum Event { case ask, beat(Int), made(Int) }

  let world: SimulatedWorld
  private var workers: [ClaimWorker] = []
  private var vanishing: [Double] = []
  private var queue = EventQueue<(worker: Int, event: Event)>()
  private let seconds: [Double]
  private let frames: Int
  private(set) var useful = 0.0
  private(set) var vain = 0.0
  private(set) var end = 0.0
  private(set) var endedEarly = 0
  var longest: Double { seconds.max() ?? 0 }

  init(workers count: Int, frames: Int, delay: Double, seconds: [Double]) {
    var random = SeededGenerator(seed: 7)
    world = SimulatedWorld(delay: delay)
    (self.frames, self.seconds) = (frames, seconds)
    let ideal = Double(frames) / Double(count) * seconds.reduce(0, +) / Double(seconds.count)
    for worker in 0..<count {
      vanishing.append(Int.random(in: 0..<20, using: &random) == 0 ? random.unit() * ideal : .infinity)
      queue.add(random.unit() * 5, (worker, .ask))
    }
    // One worker has to stay.
    vanishing[0] = .infinity
  }

  private func time(of frame: Int) -> Double { seconds[frame % seconds.count] }

  mutating func run() throws {
    var entered: [Int: Int] = [:]
    while let (time, (worker, event)) = queue.next() {
      world.now = time
      if time >= vanishing[worker] {
        // What it rendered is lost.
        if case .made(let frame) = event {
          vain += max(0, vanishing[worker] - (time - self.time(of: frame)))
          world.working[frame]?.remove(worker)
        }
        continue
      }
      if entered[worker] == nil {
        entered[worker] = workers.count
        let folder = SimulatedFolder(world: world, name: "w\(worker)")
        workers.append(try ClaimWorker("w\(worker)", in: folder, count: frames, done: [], lapse: .seconds(30)))
        queue.add(time + 3, (worker, .beat(1)))
      }
      guard let place = entered[worker] else { continue }
      switch event {
      case .beat(let count):
        guard world.heartbeats["w\(worker)"] != nil else { continue }
        SimulatedFolder(world: world, name: "w\(worker)").beat("w\(worker)", count)
        queue.add(time + 3, (worker, .beat(count + 1)))
      case .made(let frame):
        world.working[frame]?.remove(worker)
        if world.made[frame] == nil {
          world.made[frame] = time
          useful += self.time(of: frame)
        } else {
          vain += self.time(of: frame)
        }
        workers[place].finish(frame)
        try ask(worker, place)
      case .ask: try ask(worker, place)
      }
    }
  }

  private mutating func ask(_ worker: Int, _ place: Int) throws {
    let world = world
    let surroundings = ClaimWorker.Surroundings(now: .seconds(world.now)) { unit in
      world.made[unit].map(world.shows) ?? false
    }
    switch try workers[place].next(surroundings) {
    case .work(let frame):
      if world.working[frame, default: []].contains(where: { vanishing[$0] > world.now }) { world.twiceAtOnce += 1 }
      world.working[frame, default: []].insert(worker)
      queue.add(world.now + time(of: frame), (worker, .made(frame)))
    case .wait(let pause): queue.add(world.now + pause / .seconds(1), (worker, .ask))
    case .done:
      if world.made.count < frames { endedEarly += 1 }
      workers[place].leave()
      end = world.now
    }
  }
}

/// Events in the order of their times.
private struct EventQueue<Event> {
  private var heap: [(time: Double, order: Int, event: Event)] = []
  private var count = 0

  mutating func add(_ time: Double, _ event: Event) {
    count += 1
    heap.append((time, count, event))
    var place = heap.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func next() -> (Double, Event)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      var place = 0
      while true {
        let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
        guard let least = children.min(by: isBefore), isBefore(least, place) else { break }
        heap.swapAt(place, least)
        place = least
      }
    }
    return (first.time, first.event)
  }

  private func isBefore(_ a: Int, _ b: Int) -> Bool { (heap[a].time, heap[a].order) < (heap[b].time, heap[b].order) }
}
