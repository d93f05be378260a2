import EtalonDiagnostics

/// Builds the regions of a function with a list of tasks, so that no depth of nesting overflows the stack.
struct ControlFlowBuilder {
  typealias Tree = StructuredControlFlow

  /// A step that is left to do; the last of the list comes first.
  private enum Task {
    /// Goes from one block to another.
    case follow(from: Int, to: Int, Place)
    /// Starts with a block; control is already there.
    case enter(Int, Place)
    /// Goes on behind a construct, if control in it gets there.
    case resume(merge: Int, Place)
    /// Builds what runs between two rounds of a loop, if control gets there.
    case buildContinuing(target: Int, header: Int, Place)
    /// Puts the cases of a switch into order.
    case finish(SwitchDraft)
  }

  /// A region that statements are added to, and what branches mean there.
  private struct Place {
    var region: Int
    var frame: ControlFlowFrame
  }

  let function: Function
  let module: SPIRVModule
  private(set) var regions: [Tree.Region] = []
  private var tasks: [Task] = []
  /// From the number of a switch arm to the block of the arm that it falls through to.
  private var fallThrough: [Int: Int] = [:]
  private var armCount = 0
  private var depths: [Int] = []
  private var isVisited: [Bool]
  /// Blocks that a construct was left for.
  private var isReached: [Bool]

  init(_ function: Function, in module: SPIRVModule) {
    self.function = function
    self.module = module
    isVisited = [Bool](repeating: false, count: function.blocks.count)
    isReached = isVisited
  }

  mutating func build() throws(DiagnosticsError) {
    let root = try newRegion(depth: 0)
    tasks = [.enter(0, Place(region: root, frame: ControlFlowFrame()))]
    while let task = tasks.popLast() {
      switch task {
      case .follow(let from, let to, let place): try follow(from, to, place)
      case .enter(let block, let place): try enter(block, place)
      case .resume(let merge, let place): if isReached[merge] { try go(to: merge, place) }
      case .buildContinuing(let target, let header, let place):
        if isReached[target], target != header { try enter(target, place) }
      case .finish(let draft): try finish(draft)
      }
    }
  }

  // MARK: Regions

  private mutating func newRegion(depth: Int) throws(DiagnosticsError) -> Int {
    guard depth <= Tree.maximumDepth else {
      throw ModuleDiagnostic.error("limit", "the control flow of \(function.id) is nested deeper than \(Tree.maximumDepth)")
    }
    regions.append([])
    depths.append(depth)
    return regions.count - 1
  }

  /// An empty region inside the one of a place.
  private mutating func newRegion(in place: Place, frame: ControlFlowFrame) throws(DiagnosticsError) -> Place {
    Place(region: try newRegion(depth: depths[place.region] + 1), frame: frame)
  }

  private mutating func add(_ statement: Tree.Statement, _ place: Place) { regions[place.region].append(statement) }

  private mutating func replaceStatement(_ position: Int, of region: Int, _ statement: Tree.Statement) {
    regions[region][position] = statement
  }

  private mutating func removeLastStatement(of region: Int) { regions[region].removeLast() }

  func position(_ label: Id) -> Int {
    guard let position = function.blockPosition(label) else { preconditionFailure("\(label) was checked to be a block of \(function.id)") }
    return position
  }

  // MARK: Following control

  private mutating func follow(_ from: Int, _ to: Int, _ place: Place) throws(DiagnosticsError) {
    if !function.blocks[to].phis.isEmpty { add(.edge(from: from, to: to), place) }
    try go(to: to, place)
  }

  private mutating func go(to block: Int, _ place: Place) throws(DiagnosticsError) {
    switch place.frame.passage(to: block) {
    case .enter:
      try enter(block, place)
      return
    case .end: break
    case .exit(let exit): add(.exit(exit), place)
    case .fallThrough(let arm):
      guard fallThrough.updateValue(block, forKey: arm) ?? block == block else { throw unstructured(block) }
    }
    isReached[block] = true
  }

  private mutating func enter(_ block: Int, _ place: Place) throws(DiagnosticsError) {
    guard !isVisited[block] else { throw unstructured(block) }
    isVisited[block] = true
    var place = place
    place.frame.armStart = nil
    if case .loop(let merge, let target) = function.blocks[block].merge {
      place = try openLoop(block, merge: position(merge), target: position(target), place)
    }
    add(.block(block), place)
    try leave(block, place)
  }

  /// Adds a loop and returns the place in its body.
  private mutating func openLoop(_ header: Int, merge: Int, target: Int, _ place: Place) throws(DiagnosticsError) -> Place {
    let body = try newRegion(in: place, frame: place.frame.loopBody(merge: merge, continueTarget: target))
    let continuing = try newRegion(in: place, frame: place.frame.continuing(merge: merge, header: header))
    add(
      .loop(
        Tree.Loop(header: header, body: Tree.RegionId(index: body.region), continuing: Tree.RegionId(index: continuing.region))), place)
    tasks.append(.resume(merge: merge, place))
    tasks.append(.buildContinuing(target: target, header: header, continuing))
    return body
  }

  /// Does what the last instruction of a block says.
  private mutating func leave(_ block: Int, _ place: Place) throws(DiagnosticsError) {
    let terminator = module[function.blocks[block].terminator]
    switch terminator.opcode {
    case .OpBranch: tasks.append(.follow(from: block, to: function.blocks[block].successors[0], place))
    case .OpBranchConditional: try branch(block, on: terminator.id(0), place)
    case .OpSwitch: try openSwitch(block, terminator, place)
    case .OpReturn: add(.exit(.return), place)
    case .OpReturnValue: add(.exit(.returnValue(terminator.id(0))), place)
    case .OpUnreachable: add(.exit(.unreachable), place)
    default: add(.exit(.kill), place)
    }
  }

  // MARK: Selections

  private mutating func branch(_ block: Int, on condition: Id, _ place: Place) throws(DiagnosticsError) {
    let targets = function.blocks[block].successors
    guard case .selection(let label) = function.blocks[block].merge else {
      try branchWithoutMerge(block, on: condition, place)
      return
    }
    let merge = position(label)
    let frame = place.frame.selection(merge: merge)
    tasks.append(.resume(merge: merge, place))
    if targets[0] == targets[1] {
      tasks.append(.follow(from: block, to: targets[0], Place(region: place.region, frame: frame)))
      return
    }
    let arms = try addSelection(block, condition, frame: frame, place)
    tasks.append(.follow(from: block, to: targets[1], arms.reject))
    tasks.append(.follow(from: block, to: targets[0], arms.accept))
  }

  /// A conditional branch of which at most one target stays in the construct: the test of a loop, most often.
  private mutating func branchWithoutMerge(_ block: Int, on condition: Id, _ place: Place) throws(DiagnosticsError) {
    let targets = function.blocks[block].successors
    if targets[0] == targets[1] {
      tasks.append(.follow(from: block, to: targets[0], place))
      return
    }
    let arms = try addSelection(block, condition, frame: place.frame, place)
    switch (place.frame.passage(to: targets[0]), place.frame.passage(to: targets[1])) {
    case (.enter, .enter): throw unstructured(block)
    case (.enter, .exit):
      tasks.append(.follow(from: block, to: targets[0], place))
      tasks.append(.follow(from: block, to: targets[1], arms.reject))
    case (.exit, .enter):
      tasks.append(.follow(from: block, to: targets[1], place))
      tasks.append(.follow(from: block, to: targets[0], arms.accept))
    default:
      tasks.append(.follow(from: block, to: targets[1], arms.reject))
      tasks.append(.follow(from: block, to: targets[0], arms.accept))
    }
  }

  private mutating func addSelection(
    _ block: Int, _ condition: Id, frame: ControlFlowFrame, _ place: Place
  ) throws(DiagnosticsError) -> (accept: Place, reject: Place) {
    let accept = try newRegion(in: place, frame: frame)
    let reject = try newRegion(in: place, frame: frame)
    add(
      .selection(
        Tree.Selection(
          condition: condition, block: block, accept: Tree.RegionId(index: accept.region), reject: Tree.RegionId(index: reject.region))),
      place)
    return (accept, reject)
  }

  private func unstructured(_ block: Int) -> DiagnosticsError {
    ModuleDiagnostic.error("unstructured", "the branches at block \(function.blocks[block].label) do not follow the merge instructions")
  }
}

// MARK: - Switches

/// A switch whose arms are being built.
private struct SwitchDraft {
  struct Arm {
    /// The number that `fallThrough` knows it by.
    let number: Int
    /// The block that it begins with.
    let start: Int
    let region: Int
    let literals: [UInt64]
    let isDefault: Bool
  }
  let selector: Id
  let block: Int
  let region: Int
  /// Where the statement stands in the region.
  let statement: Int
  let arms: [Arm]
}

extension ControlFlowBuilder {
  /// Adds a switch and the tasks for its arms.
  private mutating func openSwitch(_ block: Int, _ terminator: Instruction, _ place: Place) throws(DiagnosticsError) {
    guard case .selection(let label) = function.blocks[block].merge else { throw unstructured(block) }
    let merge = position(label)
    var literals: [Int: [UInt64]] = [:]
    var starts: [Int] = []
    for target in module.switchTargets(terminator) {
      let start = position(target.label)
      if literals[start] == nil { starts.append(start) }
      literals[start, default: []].append(target.literal)
    }
    let defaultStart = function.blocks[block].successors[0]
    if literals[defaultStart] == nil { starts.append(defaultStart) }
    let all = Set(starts)
    var arms: [SwitchDraft.Arm] = []
    var openings: [Task] = []
    for start in starts {
      let arm = try newRegion(in: place, frame: place.frame.switchArm(armCount, start: start, of: all, merge: merge))
      openings.append(.follow(from: block, to: start, arm))
      arms.append(
        SwitchDraft.Arm(
          number: armCount, start: start, region: arm.region, literals: literals[start] ?? [], isDefault: start == defaultStart))
      armCount += 1
    }
    let draft = SwitchDraft(
      selector: terminator.id(0), block: block, region: place.region, statement: regions[place.region].count, arms: arms)
    add(.switching(Tree.Switch(selector: draft.selector, block: block, cases: [])), place)
    tasks.append(.resume(merge: merge, place))
    tasks.append(.finish(draft))
    tasks.append(contentsOf: openings.reversed())
  }

  /// Orders the arms so that falling through goes to the next.
  private mutating func finish(_ draft: SwitchDraft) throws(DiagnosticsError) {
    let armAtStart = Dictionary(uniqueKeysWithValues: draft.arms.enumerated().map { ($1.start, $0) })
    let next = draft.arms.map { fallThrough[$0.number].flatMap { armAtStart[$0] } }
    let fallenInto = Set(next.compactMap { $0 })
    guard fallenInto.count == next.count(where: { $0 != nil }) else { throw unstructured(draft.block) }
    var cases: [Tree.Case] = []
    for first in draft.arms.indices where !fallenInto.contains(first) {
      var arm: Int? = first
      while let current = arm {
        cases.append(self.case(draft.arms[current], fallsThrough: next[current] != nil))
        arm = next[current]
      }
    }
    guard cases.count == draft.arms.count else { throw unstructured(draft.block) }
    let statement = Tree.Switch(selector: draft.selector, block: draft.block, cases: cases)
    replaceStatement(draft.statement, of: draft.region, .switching(statement))
  }

  private mutating func `case`(_ arm: SwitchDraft.Arm, fallsThrough: Bool) -> Tree.Case {
    if !fallsThrough, case .exit(.leaveSwitch) = regions[arm.region].last { removeLastStatement(of: arm.region) }
    return Tree.Case(
      literals: arm.literals, isDefault: arm.isDefault, body: Tree.RegionId(index: arm.region), fallsThrough: fallsThrough)
  }
}

// MARK: - What branches mean

/// What branches mean in one place of the tree: which blocks are outside of the construct, and how to get to them.
private struct ControlFlowFrame {
  /// How control gets to a block.
  enum Passage {
    /// The block is part of the construct.
    case enter
    /// The end of the region leads there.
    case end
    case exit(StructuredControlFlow.Exit)
    /// The end of the switch arm leads to another arm.
    case fallThrough(arm: Int)
  }

  private var end: Int?
  private var loopMerge: Int?
  private var continueTarget: Int?
  private var switchMerge: Int?
  /// The first blocks of all arms of the switch, when this is directly in one of them.
  private var arms: Set<Int> = []
  private var arm = 0
  /// The block that the arm begins with, until it was entered.
  var armStart: Int?

  func passage(to block: Int) -> Passage {
    if block == end { return .end }
    if block == loopMerge { return .exit(.leaveLoop) }
    if block == continueTarget { return .exit(.continueLoop) }
    if block == switchMerge { return .exit(.leaveSwitch) }
    if arms.contains(block), block != armStart { return .fallThrough(arm: arm) }
    return .enter
  }

  func selection(merge: Int) -> ControlFlowFrame {
    var frame = self
    frame.end = merge
    frame.arms = []
    frame.armStart = nil
    return frame
  }

  func loopBody(merge: Int, continueTarget: Int) -> ControlFlowFrame {
    var frame = ControlFlowFrame()
    frame.end = continueTarget
    frame.loopMerge = merge
    frame.continueTarget = continueTarget
    return frame
  }

  func continuing(merge: Int, header: Int) -> ControlFlowFrame {
    var frame = ControlFlowFrame()
    frame.end = header
    frame.loopMerge = merge
    return frame
  }

  func switchArm(_ arm: Int, start: Int, of arms: Set<Int>, merge: Int) -> ControlFlowFrame {
    var frame = self
    frame.end = nil
    frame.switchMerge = merge
    frame.arms = arms
    frame.arm = arm
    frame.armStart = start
    return frame
  }
}
