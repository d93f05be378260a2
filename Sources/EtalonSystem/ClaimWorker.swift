package import EtalonDiagnostics

/// One of several workers that divide units of work among themselves through a folder: what it does next.
///
/// It goes on behind the unit that it had last, so that videos are decoded forwards; where that one is claimed, it begins within the largest gap. When nothing is left to claim it watches the
/// heartbeats of those who are not through: one that stands still for the lapse, on the clock of the watcher, is gone, and its units are claimed by the next generation.
///
/// It asks nothing of a clock or a file system itself, so that a simulation can drive it.
///
/// **Concurrency**: used by one thread at a time.
package struct ClaimWorker {
  /// What is to be done.
  package enum Step: Sendable, Hashable {
    /// The work on a unit, which ends with `finish` or `release`.
    case work(Int)
    /// Asking again after a while, or when a unit of this worker ended.
    case wait(Duration)
    /// Nothing: all units are done, but for those that failed here.
    case done
  }

  private enum State: Sendable {
    case open, claimed, mine, done
  }

  /// What this worker knows of the world besides the folder.
  package struct Surroundings {
    /// Since some moment, on a clock that is never set.
    let now: Duration
    /// Whether the product of a unit is there, whole.
    let isDone: (Int) -> Bool
    /// Whether a worker is known to have ended.
    let hasEnded: (String) -> Bool

    package init(now: Duration, isDone: @escaping (Int) -> Bool, hasEnded: @escaping (String) -> Bool = { _ in false }) {
      (self.now, self.isDone, self.hasEnded) = (now, isDone, hasEnded)
    }
  }

  private static let shortestPause = Duration.milliseconds(200)
  private static let longestPause = Duration.seconds(5)
  /// So often a claim is tried before a pause: what shows late as free is claimed by others.
  private static let mostAttempts = 16
  /// How many units of others are looked at before a pause.
  private static let mostWatched = 64

  private let name: String
  private let folder: any ClaimFolder
  private let lapse: Duration
  private var states: [State]
  /// Of the last claim on each unit, 0 where there is none.
  private var generations: [Int]
  /// The units that failed here, which are left to others.
  private var failed: Set<Int> = []
  /// Claims of an earlier run that call units done whose products are not there; nil before this worker looked.
  private var stale: Set<Claim>?
  private var last: Int?
  private var hasLeft = false
  /// The heartbeats of others, each with when it was seen first.
  private var seen: [String: (count: Int?, since: Duration)] = [:]
  /// The unit of others that is looked at next.
  private var watched: Int?
  private var pause = shortestPause

  /// - Parameters:
  ///   - name: no other worker has it, nor had it.
  ///   - count: how many units there are, for all workers the same.
  ///   - done: those whose products are there.
  ///   - lapse: how long a heartbeat stands still until its worker counts as gone.
  package init(_ name: String, in folder: any ClaimFolder, count: Int, done: Set<Int>, lapse: Duration) throws(RenderError) {
    (self.name, self.folder, self.lapse) = (name, folder, lapse)
    states = (0..<count).map { done.contains($0) ? .done : .open }
    generations = Array(repeating: 0, count: count)
    try folder.enter(name)
  }

  /// The units that are done, here or elsewhere.
  package var done: Set<Int> { Set(states.indices.filter { states[$0] == .done }) }

  /// Whether another worker had claimed a unit that this one works on.
  func isTakenOver(_ unit: Int) -> Bool { generations[unit] > 1 }

  package var isComplete: Bool { states.allSatisfy { $0 == .done } }

  // MARK: what is next

  /// What is to be done now.
  package mutating func next(_ world: Surroundings) throws(RenderError) -> Step {
    if let last, last + 1 < states.count, states[last + 1] == .open, !failed.contains(last + 1), try take(last + 1, world) {
      return .work(last + 1)
    }
    try look(world)
    for attempt in 0..<Self.mostAttempts {
      guard let unit = choose(hasCollided: attempt > 0) else { break }
      if try take(unit, world) { return .work(unit) }
    }
    if let unit = try takeOver(world) { return .work(unit) }
    let isThrough = states.indices.allSatisfy { states[$0] == .done || states[$0] == .open && failed.contains($0) }
    guard !isThrough else { return .done }
    defer { pause = min(pause * 3 / 2, Self.longestPause, lapse / 4) }
    return .wait(pause)
  }

  /// Looks at the claims of all.
  private mutating func look(_ world: Surroundings) throws(RenderError) {
    let found = try folder.claims()
    if found == nil { try folder.enter(name) }
    let claims = (found ?? []).filter { states.indices.contains($0.claim.unit) }
    let stale =
      self.stale ?? Set(claims.filter { $0.isDone && states[$0.claim.unit] == .open && !world.isDone($0.claim.unit) }.map(\.claim))
    self.stale = stale
    var latest = Array(repeating: (generation: 0, isOpen: false), count: states.count)
    var done: Set<Int> = []
    for (claim, isDone) in claims {
      if isDone, !stale.contains(claim) { done.insert(claim.unit) }
      if claim.generation > latest[claim.unit].generation { latest[claim.unit] = (claim.generation, !isDone) }
    }
    for unit in states.indices where states[unit] != .mine && states[unit] != .done {
      generations[unit] = latest[unit].generation
      // Where the folder is gone, the others were through.
      if done.contains(unit) || found == nil && world.isDone(unit) {
        states[unit] = .done
      } else {
        states[unit] = latest[unit].isOpen ? .claimed : .open
      }
    }
  }

  /// The unit to begin with: of the largest gap the beginning, or the middle where another worker comes from its beginning.
  private func choose(hasCollided: Bool) -> Int? {
    var largest: Range<Int>?
    var begin: Int?
    for unit in 0...states.count {
      let isFree = unit < states.count && states[unit] == .open && !failed.contains(unit)
      if isFree {
        begin = begin ?? unit
      } else if let first = begin {
        if unit - first > largest?.count ?? 0 { largest = first..<unit }
        begin = nil
      }
    }
    guard let largest else { return nil }
    let isFollowed = largest.lowerBound > 0 && states[largest.lowerBound - 1] == .claimed
    guard isFollowed || hasCollided else { return largest.lowerBound }
    return largest.lowerBound + min(Int.random(in: largest.count / 4...largest.count * 3 / 4), largest.count - 1)
  }

  /// Claims a unit; false where another has it, and where it turns out to be done.
  private mutating func take(_ unit: Int, _ world: Surroundings) throws(RenderError) -> Bool {
    let claim = Claim(unit: unit, generation: generations[unit] + 1)
    generations[unit] = claim.generation
    guard try folder.make(claim, by: name) else {
      states[unit] = .claimed
      return false
    }
    guard !world.isDone(unit) else {
      folder.markAsDone(claim)
      states[unit] = .done
      return false
    }
    (states[unit], last, pause) = (.mine, unit, Self.shortestPause)
    return true
  }

  // MARK: the others

  /// Claims a unit whose owner is gone.
  ///
  /// Of many units some are looked at each time, one after the other; while they are many, most of them are being worked on.
  private mutating func takeOver(_ world: Surroundings) throws(RenderError) -> Int? {
    let claimed = states.indices.filter { states[$0] == .claimed }
    // All who wait see the same units, and begin at different ones.
    let begin = claimed.firstIndex { $0 >= watched ?? Int.random(in: states.indices) } ?? 0
    var isGone: [String: Bool] = [:]
    for unit in (claimed[begin...] + claimed[..<begin]).prefix(Self.mostWatched) {
      watched = unit + 1
      let claim = Claim(unit: unit, generation: generations[unit])
      guard let found = folder.owner(of: claim) else { continue }
      // A claim that its owner never signed has itself for a heartbeat.
      let owner = found.isEmpty ? "\(claim)" : found
      let gone = isGone[owner] ?? self.isGone(owner, world)
      isGone[owner] = gone
      guard gone, owner != name else { continue }
      if failed.contains(unit) {
        states[unit] = .open
      } else if try take(unit, world) {
        return unit
      }
    }
    return nil
  }

  private mutating func isGone(_ worker: String, _ world: Surroundings) -> Bool {
    if world.hasEnded(worker) { return true }
    let count = folder.heartbeat(of: worker)
    if let seen = seen[worker], seen.count == count { return world.now - seen.since >= lapse }
    seen[worker] = (count, world.now)
    return false
  }

  // MARK: what became of it

  /// Says that the product of a unit is in its place.
  package mutating func finish(_ unit: Int) {
    folder.markAsDone(Claim(unit: unit, generation: generations[unit]))
    states[unit] = .done
  }

  /// Leaves a unit that failed to others.
  package mutating func release(_ unit: Int) {
    guard states[unit] == .mine else { return }
    withdraw(unit)
    failed.insert(unit)
  }

  private mutating func withdraw(_ unit: Int) {
    folder.withdraw(Claim(unit: unit, generation: generations[unit]))
    (states[unit], generations[unit]) = (.open, generations[unit] - 1)
  }

  /// Ends the work: units that were not finished are left to others, and nothing stays behind when all are done.
  package mutating func leave() {
    guard !hasLeft else { return }
    hasLeft = true
    for unit in states.indices where states[unit] == .mine { withdraw(unit) }
    folder.leave(name)
    if isComplete { folder.remove() }
  }
}
