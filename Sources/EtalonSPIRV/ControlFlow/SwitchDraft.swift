import EtalonDiagnostics

/// A switch whose arms are being built.
struct SwitchDraft {
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
  mutating func openSwitch(_ block: Int, _ terminator: Instruction, _ place: Place) throws(DiagnosticsError) {
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
  mutating func finish(_ draft: SwitchDraft) throws(DiagnosticsError) {
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
