/// Writes the function that fills shared variables with zeros.
///
/// ```
/// for (uint i = gl_LocalInvocationIndex; i < length; i += workgroupSize) variable[i] = 0;     for each variable
/// barrier();
/// ```
struct ZeroingFunction {
  private let workgroupSize: Id
  private let zero: Id
  private let index: Id
  private let uint: Id
  private let bool: Id
  private var words: [UInt32] = []
  /// The block that is being written.
  private var block = Id(0)

  init(_ edit: inout ModuleEdit, workgroupSize size: UInt32, index: Id) {
    self.index = index
    uint = edit.unsignedType()
    bool = edit.type(.OpTypeBool, [])
    workgroupSize = edit.constant(size, type: uint)
    zero = edit.constant(0, type: uint)
  }

  /// Adds the function and returns its id.
  consuming func write(_ variables: [Id], to edit: inout ModuleEdit) -> Id {
    let void = edit.type(.OpTypeVoid, [])
    let type = edit.type(.OpTypeFunction, [void.rawValue])
    let function = edit.newId()
    let first = edit.newId()
    let own = edit.newId()
    add(.OpFunction, void, function, 0, type)
    add(.OpLabel, first)
    add(.OpLoad, uint, own, index)
    block = first
    for variable in variables { addLoop(variable, from: own, &edit) }
    // Workgroup scope; acquire and release, of workgroup memory.
    let scope = edit.constant(2, type: uint)
    let semantics = edit.constant(0x108, type: uint)
    add(.OpControlBarrier, scope, scope, semantics)
    add(.OpReturn)
    add(.OpFunctionEnd)
    edit.addFunction(words)
    return function
  }

  private mutating func addLoop(_ variable: Id, from own: Id, _ edit: inout ModuleEdit) {
    let (element, lengths) = edit.module.elements(ofPointer: variable)
    let count = edit.constant(UInt32(lengths.reduce(1, *)), type: uint)
    let (header, body, next, merge) = (edit.newId(), edit.newId(), edit.newId(), edit.newId())
    let (position, isInside, following) = (edit.newId(), edit.newId(), edit.newId())
    add(.OpBranch, header)
    add(.OpLabel, header)
    add(.OpPhi, uint, position, own, block, following, next)
    add(.OpULessThan, bool, isInside, position, count)
    add(.OpLoopMerge, merge, next, 0)
    add(.OpBranchConditional, isInside, body, merge)
    add(.OpLabel, body)
    addStore(variable, element, lengths, position, &edit)
    add(.OpBranch, next)
    add(.OpLabel, next)
    add(.OpIAdd, uint, following, position, workgroupSize)
    add(.OpBranch, header)
    add(.OpLabel, merge)
    block = merge
  }

  private mutating func addStore(_ variable: Id, _ element: Id, _ lengths: [Int], _ position: Id, _ edit: inout ModuleEdit) {
    let null = edit.null(element)
    if lengths.isEmpty {
      add(.OpStore, variable, null)
      return
    }
    var indices: [Id] = []
    var rest = position
    for length in lengths.reversed() {
      let (index, quotient) = (edit.newId(), edit.newId())
      let size = edit.constant(UInt32(length), type: uint)
      add(.OpUMod, uint, index, rest, size)
      add(.OpUDiv, uint, quotient, rest, size)
      indices.insert(index, at: 0)
      rest = quotient
    }
    let pointer = edit.type(.OpTypePointer, [StorageClass.Workgroup.rawValue, element.rawValue])
    let place = edit.newId()
    words += ModuleEdit.words(.OpAccessChain, [pointer.rawValue, place.rawValue, variable.rawValue] + indices.map(\.rawValue))
    add(.OpStore, place, null)
  }

  private mutating func add(_ opcode: Opcode, _ operands: any Operand...) {
    words += ModuleEdit.words(opcode, operands.map(\.word))
  }
}

/// An id or a number in the words of an instruction.
private protocol Operand {
  var word: UInt32 { get }
}

extension Id: Operand {
  fileprivate var word: UInt32 { rawValue }
}

extension Int: Operand {
  fileprivate var word: UInt32 { UInt32(self) }
}

extension SPIRVModule {
  /// What a variable of arrays is made of, and the lengths of the arrays from the outermost on.
  fileprivate func elements(ofPointer variable: Id) -> (element: Id, lengths: [Int]) {
    guard let type = typeOfValue(variable), case .pointer(_, var element) = self.type(type) else { return (variable, []) }
    var lengths: [Int] = []
    while case .array(let part, let length) = self.type(element) {
      lengths.append(length)
      element = part
    }
    return (element, lengths)
  }
}
