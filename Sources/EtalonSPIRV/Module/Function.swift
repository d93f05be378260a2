/// A function of a module, divided into basic blocks.
///
/// **Concurrency**: an immutable value.
package struct Function: Sendable {
  package let id: Id
  /// The position of its `OpFunction`.
  package let instruction: Int
  package let resultType: Id
  /// The parameters in order.
  package let parameters: [Id]
  /// The blocks in the order of the module; the first is the entry.
  package let blocks: [Block]
  /// From the label of a block to its position in `blocks`.
  private let positions: [Id: Int]

  init(id: Id, instruction: Int, resultType: Id, parameters: [Id], blocks: [Block], positions: [Id: Int]) {
    self.id = id
    self.instruction = instruction
    self.resultType = resultType
    self.parameters = parameters
    self.blocks = blocks
    self.positions = positions
  }

  /// The position of the block with a label, nil when the label is not in this function.
  package func blockPosition(_ label: Id) -> Int? { positions[label] }
}

/// Instructions that run one after the other, without a jump into their middle.
///
/// **Concurrency**: an immutable value.
package struct Block: Sendable {
  /// Where a structured construct that starts here comes together again.
  package enum Merge: Sendable, Hashable {
    case selection(merge: Id)
    case loop(merge: Id, continueTarget: Id)
  }
  package let label: Id
  /// The positions of its `OpPhi`s.
  package let phis: Range<Int>
  /// The positions of what is between the `OpPhi`s and the merge instruction or terminator.
  package let body: Range<Int>
  /// The merge instruction, if the block starts a construct.
  package let merge: Merge?
  /// The position of the branch, return or other last instruction.
  package let terminator: Int
  /// The positions, in the function, of the blocks that it may go on with; one that is named twice is here twice.
  package let successors: [Int]
}
