internal import EtalonSPIRV

/// An instruction with everything looked up that does not depend on values.
final class Operation: Sendable {
  /// Where a value is kept.
  struct Place: Sendable, Equatable {
    enum Kind: UInt8, Sendable { case constant, register, memory, none }
    let kind: Kind
    /// In constants of the program, or in registers or memory of the activation.
    let offset: Int
    /// The number of scalars.
    let count: Int

    static let none = Place(kind: .none, offset: 0, count: 0)
  }

  let opcode: Opcode
  let function: GLSLInstruction?
  /// In the module.
  let position: Int
  /// Where the result goes; for pointers the number of the pointer.
  let result: Place
  /// The slot of memory that carries the result out of a loop, or -1.
  let carrier: Int
  /// The words after the result, with what they stand for where they are ids.
  let words: [UInt32]
  let operands: [Place]
  /// The numbers of operands that are pointers, or -1.
  let pointers: [Int]
  let resultType: Id?
  let width: FloatWidth
  let isSigned: Bool

  init(
    _ instruction: Instruction, result: Place, carrier: Int, operands: [Place], pointers: [Int], width: FloatWidth, isSigned: Bool,
    function: GLSLInstruction?
  ) {
    (opcode, position, resultType) = (instruction.opcode, instruction.index, instruction.resultType)
    words = Array(instruction.operands)
    (self.result, self.carrier, self.operands, self.pointers) = (result, carrier, operands, pointers)
    (self.width, self.isSigned, self.function) = (width, isSigned, function)
  }

  func id(_ position: Int) -> Id { Id(words[position]) }
}

/// The functions of Etalon that ask about subgroups, and give the same on every device: where a pixel lies in its tile, and derivatives.
enum EtalonsFunctions {
  private static let names: Set<Substring> = ["etalonFindPixel", "etalonIsActive", "etalonDx", "etalonDy"]

  /// - Parameter name: as in a module, with its parameters: `etalonDx(vf2;`.
  static func contain(_ name: String) -> Bool { names.contains(name.prefix { $0 != "(" }) }
}

/// A function that is ready to be run.
final class FunctionCode: Sendable {
  typealias Place = Operation.Place

  let function: Function
  let flow: StructuredControlFlow
  /// Whether it is one of those that may ask about subgroups.
  let isEtalons: Bool
  /// The operations of each block.
  let blocks: [[Operation]]
  /// What each edge of the control flow assigns, by the blocks that it joins.
  let edges: [Edge: [(slot: Int, value: Place)]]
  /// The conditions and selectors of branches, and results, by their ids.
  let places: [Id: Place]
  /// The parameters: values in registers, or pointers.
  let parameters: [(value: Place, pointer: Int)]
  /// Where the result is in memory.
  let result: Place
  let registerCount: Int
  let memoryCount: Int
  let pointerCount: Int
  /// Variables with the slots that hold them, and their first values.
  let variables: [(pointer: Int, slot: Int, type: Id, initial: Place?)]

  struct Edge: Hashable, Sendable {
    let from: Int
    let to: Int
  }

  init(
    _ function: Function, _ flow: StructuredControlFlow, isEtalons: Bool, blocks: [[Operation]], edges: [Edge: [(slot: Int, value: Place)]],
    places: [Id: Place], parameters: [(value: Place, pointer: Int)], result: Place, registerCount: Int, memoryCount: Int, pointerCount: Int,
    variables: [(pointer: Int, slot: Int, type: Id, initial: Place?)]
  ) {
    (self.function, self.flow, self.isEtalons) = (function, flow, isEtalons)
    (self.blocks, self.edges, self.places) = (blocks, edges, places)
    (self.parameters, self.result, self.variables) = (parameters, result, variables)
    (self.registerCount, self.memoryCount, self.pointerCount) = (registerCount, memoryCount, pointerCount)
  }
}
