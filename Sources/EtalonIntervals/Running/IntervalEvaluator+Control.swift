internal import EtalonSPIRV

/// Control flow: where a condition is not certain, both ways are run.
extension IntervalEvaluator {
  typealias Tree = StructuredControlFlow

  /// Runs a region; `path` is what gets to its end.
  func run(_ region: Tree.RegionId, _ code: FunctionCode) throws(Stop) -> Exits {
    var exits = Exits()
    for statement in code.flow[region] {
      if path.isEmpty { return exits }
      switch statement {
      case .block(let block): try run(block: block, code)
      case .edge(let from, let to): assign(code.edges[.init(from: from, to: to), default: []])
      case .selection(let selection): exits.join(try run(selection, code), top: top)
      case .loop(let loop): exits.join(try run(loop, code), top: top)
      case .switching(let cases): exits.join(try run(cases, code), top: top)
      case .exit(let exit): try leave(exit, code, &exits)
      }
    }
    return exits
  }

  private func run(block: Int, _ code: FunctionCode) throws(Stop) {
    current = code
    let lanes = path.presence.count { $0 != .absent }
    let operations = code.blocks[block]
    if let first = operations.first { try budget.spend(operations.count * lanes, at: site(first)) }
    for operation in operations { try run(operation) }
  }

  /// Assigns the values that an edge gives to a block, all at once.
  private func assign(_ assignments: [(slot: Int, value: IntervalOperation.Place)]) {
    for lane in 0..<laneCount where path.presence[lane] != .absent {
      self.lane = lane
      let values = assignments.map { assignment in (0..<assignment.value.count).map { value(assignment.value, $0) } }
      for (assignment, scalars) in zip(assignments, values) {
        for (part, scalar) in scalars.enumerated() { path.memory[lane * path.stride + base.memory + assignment.slot + part] = scalar }
      }
    }
  }

  private func leave(_ exit: Tree.Exit, _ code: FunctionCode, _ exits: inout Exits) throws(Stop) {
    switch exit {
    case .leaveLoop: Exits.join(&exits.leavesLoop, path.takeAll(), top)
    case .continueLoop: Exits.join(&exits.continuesLoop, path.takeAll(), top)
    case .leaveSwitch: Exits.join(&exits.leavesSwitch, path.takeAll(), top)
    case .return: Exits.join(&exits.returns, path.takeAll(), top)
    case .unreachable: throw .unknown("a function that ends without 'return'", site: program.firstSite + Int32(code.function.instruction))
    case .returnValue(let id):
      let place = code.places[id] ?? .none
      for lane in 0..<laneCount where path.presence[lane] != .absent {
        self.lane = lane
        for part in 0..<place.count { path.memory[lane * path.stride + base.memory + part] = value(place, part) }
      }
      Exits.join(&exits.returns, path.takeAll(), top)
    case .kill: throw .unknown("an invocation that ends itself", site: program.firstSite)
    }
  }

  // MARK: Selections

  private func run(_ selection: Tree.Selection, _ code: FunctionCode) throws(Stop) -> Exits {
    let conditions = decisions(code.places[selection.condition] ?? .none)
    let accepted = keeping { conditions[$0].high == 1 ? (conditions[$0].low == 1, conditions[$0].cause) : nil }
    let rejected = keeping { conditions[$0].low == 0 ? (conditions[$0].high == 0, conditions[$0].cause) : nil }
    guard let accepted else { return try run(selection.reject, code) }
    guard let rejected else { return try run(selection.accept, code) }
    let (presence, causes) = (path.presence, path.causes)
    path = accepted
    var exits = try run(selection.accept, code)
    let after = path.takeAll()
    path = rejected
    exits.join(try run(selection.reject, code), top: top)
    path.join(after, top: top)
    path.restore(presence, causes, unlessIn: exits)
    return exits
  }

  /// The condition or selector of each invocation; 0 for those that are not here.
  private func decisions(_ place: IntervalOperation.Place) -> [Interval] {
    (0..<laneCount).map { lane in
      self.lane = lane
      return path.presence[lane] == .absent ? Interval(0) : value(place, 0)
    }
  }

  /// The path of the invocations that go one way, certainly or possibly; nil where none does.
  private func keeping(_ isKept: (Int) -> (isCertain: Bool, cause: Cause?)?) -> Path? {
    var kept = path
    var isAnyHere = false
    for lane in 0..<laneCount where path.presence[lane] != .absent {
      guard let (isCertain, cause) = isKept(lane) else {
        kept.presence[lane] = .absent
        continue
      }
      isAnyHere = true
      if !isCertain { (kept.presence[lane], kept.causes[lane]) = (.possible, path.causes[lane] ?? cause) }
    }
    return isAnyHere ? kept : nil
  }

  // MARK: Loops

  private func run(_ loop: Tree.Loop, _ code: FunctionCode) throws(Stop) -> Exits {
    let (presence, causes) = (path.presence, path.causes)
    var result = Exits()
    var left: Path?
    while !path.isEmpty {
      var exits = try run(loop.body, code)
      path.join(exits.continuesLoop, top: top)
      Exits.join(&left, exits.leavesLoop, top)
      (exits.continuesLoop, exits.leavesLoop) = (nil, nil)
      result.join(exits, top: top)
      guard !path.isEmpty else { break }
      exits = try run(loop.continuing, code)
      Exits.join(&left, exits.leavesLoop, top)
      exits.leavesLoop = nil
      result.join(exits, top: top)
      try budget.spend(1, at: program.firstSite + Int32(code.function.blocks[loop.header].terminator))
    }
    path = left ?? path
    path.restore(presence, causes, unlessIn: result)
    return result
  }

  // MARK: Switches

  private func run(_ cases: Tree.Switch, _ code: FunctionCode) throws(Stop) -> Exits {
    let selectors = decisions(code.places[cases.selector] ?? .none).map { $0.reading(isSigned: false) }
    let (presence, causes) = (path.presence, path.causes)
    let all = path
    let literals = cases.cases.flatMap(\.literals).map { Double($0) }
    var result = Exits()
    var done: Path?
    path = path.emptied
    for item in cases.cases {
      let entering = entering(item, selectors, literals, from: all)
      path.join(entering, top: top)
      guard !path.isEmpty else { continue }
      var exits = try run(item.body, code)
      Exits.join(&done, exits.leavesSwitch, top)
      exits.leavesSwitch = nil
      result.join(exits, top: top)
      if !item.fallsThrough { Exits.join(&done, path.takeAll(), top) }
    }
    if !cases.cases.contains(where: \.isDefault) {
      Exits.join(&done, unmatched(selectors, literals, from: all), top)
    }
    path.join(done, top: top)
    path.restore(presence, causes, unlessIn: result)
    return result
  }

  private func entering(_ item: Tree.Case, _ selectors: [Interval], _ literals: [Double], from all: Path) -> Path? {
    let own = item.literals.map { Double($0) }
    let chosen = choosing(from: all) { lane in
      let selector = selectors[lane]
      guard own.contains(where: { selector.contains($0) }) else { return nil }
      return (selector.isExact, selector.cause)
    }
    guard item.isDefault, var missed = unmatched(selectors, literals, from: all) else { return chosen }
    missed.join(chosen, top: top)
    return missed
  }

  /// The path of the invocations whose selector may be none of the literals.
  private func unmatched(_ selectors: [Interval], _ literals: [Double], from all: Path) -> Path? {
    choosing(from: all) { lane in
      let selector = selectors[lane]
      let hits = literals.count { selector.contains($0) }
      guard Double(hits) < selector.width + 1 else { return nil }
      return (hits == 0, selector.cause)
    }
  }

  private func choosing(from all: Path, _ isKept: (Int) -> (isCertain: Bool, cause: Cause?)?) -> Path? {
    let present = path
    path = all
    defer { path = present }
    return keeping(isKept)
  }
}

extension Path {
  /// The same memory, without any invocation.
  fileprivate var emptied: Path {
    var emptied = self
    emptied.presence = emptied.presence.map { _ in .absent }
    return emptied
  }
}

// MARK: - Paths

/// One way through a kernel: which invocations take it, and what their memory holds there.
struct Path {
  enum Presence: UInt8 {
    case absent, certain, possible
  }

  /// For each invocation, whether it is here.
  var presence: [Presence]
  /// Why an invocation may be elsewhere.
  var causes: [Cause?]
  /// Private and local variables, for each invocation `stride` scalars.
  var memory: [Interval]
  let stride: Int

  init(lanes: Int, stride: Int) {
    presence = [Presence](repeating: .certain, count: lanes)
    causes = [Cause?](repeating: nil, count: lanes)
    memory = [Interval](repeating: Interval(0), count: lanes * stride)
    self.stride = stride
  }

  /// No invocation and no memory yet, for as many invocations as another path.
  private init(emptyLike path: Path) {
    presence = [Presence](repeating: .absent, count: path.presence.count)
    causes = [Cause?](repeating: nil, count: path.presence.count)
    memory = []
    stride = path.stride
  }

  var isEmpty: Bool { !presence.contains { $0 != .absent } }

  /// Moves all invocations to the path that is returned, and leaves none here.
  fileprivate mutating func takeAll() -> Path {
    let taken = self
    self = Path(emptyLike: taken)
    return taken
  }

  /// Joins with another way to the same place.
  ///
  /// - Parameter top: how much memory of an invocation is in use.
  mutating func join(_ other: Path?, top: Int) {
    guard let other, !other.isEmpty else { return }
    guard !isEmpty else { return self = other }
    for lane in presence.indices where other.presence[lane] != .absent {
      let start = lane * stride
      guard presence[lane] != .absent else {
        for slot in start..<start + top { memory[slot] = other.memory[slot] }
        (presence[lane], causes[lane]) = (other.presence[lane], other.causes[lane])
        continue
      }
      let cause = causes[lane] ?? other.causes[lane]
      for slot in start..<start + top where memory[slot] != other.memory[slot] {
        memory[slot] = memory[slot].joined(other.memory[slot], because: cause)
      }
      presence[lane] = .possible
      causes[lane] = cause
    }
  }

  /// Restores what was known of invocations before a branch, where all of its ways have met again.
  ///
  /// - Parameter gone: ways that leave the construct elsewhere.
  mutating func restore(_ before: [Presence], _ causesBefore: [Cause?], unlessIn gone: Exits) {
    for lane in presence.indices where presence[lane] == .possible && before[lane] != .possible && !gone.contains(lane) {
      (presence[lane], causes[lane]) = (before[lane], causesBefore[lane])
    }
  }
}

/// The ways out of a region other than its end.
struct Exits {
  var leavesLoop: Path?
  var continuesLoop: Path?
  var leavesSwitch: Path?
  var returns: Path?

  func contains(_ lane: Int) -> Bool {
    func isIn(_ path: Path?) -> Bool { path.map { $0.presence[lane] != .absent } ?? false }
    return isIn(leavesLoop) || isIn(continuesLoop) || isIn(leavesSwitch) || isIn(returns)
  }

  mutating func join(_ other: Exits, top: Int) {
    Self.join(&leavesLoop, other.leavesLoop, top)
    Self.join(&continuesLoop, other.continuesLoop, top)
    Self.join(&leavesSwitch, other.leavesSwitch, top)
    Self.join(&returns, other.returns, top)
  }

  static func join(_ path: inout Path?, _ other: Path?, _ top: Int) {
    if path == nil { path = other } else { path?.join(other, top: top) }
  }
}
