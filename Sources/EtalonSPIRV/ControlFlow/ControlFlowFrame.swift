/// What branches mean in one place of the tree: which blocks are outside of the construct, and how to get to them.
struct ControlFlowFrame {
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
