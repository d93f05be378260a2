internal import EtalonSPIRV

/// Where pointers lead: members, elements and bytes, with indices that may not be certain.
extension Evaluator {
  /// The most elements that an uncertain index may name.
  private static let mostChoices = 4096

  func accessChain(_ operation: Operation) throws(Stop) -> Pointer {
    var pointer = pointer(operation, 0)
    for position in 1..<operation.words.count {
      try step(&pointer, value(operation, position, 0).reading(isSigned: true), operation)
    }
    return pointer
  }

  private func step(_ pointer: inout Pointer, _ index: Interval, _ operation: Operation) throws(Stop) {
    let module = program.module, type = module.type(pointer.type)
    if case .structure(let members) = type {
      guard let member = index.word.map({ Int($0) }), member < members.count else {
        throw unknown("a member that is not certain", operation)
      }
      enter(&pointer, member: member, of: pointer.type, members)
      return
    }
    guard let part = type.part(0) else { throw unknown("a pointer into a single number", operation) }
    let (size, count) = stride(of: pointer, type, part)
    pointer.type = part
    if case .vector = type { pointer.matrix = nil }
    let last = (count ?? elementCount(pointer, size: size)) - 1
    guard last >= 0 else { throw unknown("an index into nothing", operation) }
    if let exact = index.isExact ? Int(index.low) : nil, exact >= 0, exact <= last {
      pointer.offset += exact * size
      return
    }
    let isInside = index.low >= 0 && index.high <= Double(last)
    // Beyond the ends anything may be read or written.
    if !isInside { pointer.leadsAstray = true }
    let (low, high) = isInside ? (Int(index.low), Int(index.high)) : (0, last)
    let outer = pointer.choices ?? [0]
    guard (high - low + 1) * outer.count <= Self.mostChoices else {
      throw unknown("an index into \(name(ofIndexed: operation)) that may name \((high - low + 1) * outer.count) elements", operation)
    }
    pointer.choices = outer.flatMap { outer in (low...high).map { outer + $0 * size } }
    pointer.cause = pointer.cause ?? index.cause ?? placed(Cause(isInside ? .index : .undefined), operation)
  }

  /// What the author calls what a chain of indices leads into: `'table'`.
  private func name(ofIndexed chain: Operation) -> String {
    let module = program.module
    var id = chain.id(0)
    while let made = module.definitionIfAny(id), made.opcode == .OpAccessChain || made.opcode == .OpInBoundsAccessChain { id = made.id(0) }
    let name = module.name(id)
    return name.isEmpty ? "an array" : "'\(name)'"
  }

  private func placed(_ cause: Cause, _ operation: Operation) -> Cause {
    var cause = cause
    cause.site = site(operation)
    return cause
  }

  func enter(_ pointer: inout Pointer, member: Int, of structure: Id, _ members: [Id]) {
    let module = program.module
    if pointer.isInBytes {
      pointer.offset += Int(module.value(of: .Offset, structure, member: member) ?? 0)
      if let stride = module.value(of: .MatrixStride, structure, member: member) {
        pointer.matrix = Pointer.MatrixLayout(stride: Int(stride), isRowMajor: module.has(.RowMajor, structure, member: member))
      }
    } else {
      for earlier in members.prefix(member) { pointer.offset += module.scalarCount(earlier) }
    }
    pointer.type = members[member]
  }

  /// How far the parts of a composite are apart, and how many there are.
  func stride(of pointer: Pointer, _ type: ModuleType, _ part: Id) -> (size: Int, count: Int?) {
    let module = program.module, count = type.partCount
    guard pointer.isInBytes else { return (module.scalarCount(part), count) }
    switch type {
    case .vector: return (pointer.matrix.map { $0.isRowMajor ? $0.stride : 4 } ?? 4, count)
    case .matrix: return (pointer.matrix.map { $0.isRowMajor ? 4 : $0.stride } ?? 16, count)
    default: return (module.value(of: .ArrayStride, pointer.type).map(Int.init) ?? module.scalarCount(part) * 4, count)
    }
  }

  private func elementCount(_ pointer: Pointer, size: Int) -> Int {
    guard case .block(let binding) = pointer.space else { return 0 }
    return (surroundings.byteCount(binding: binding) - pointer.offset) / max(size, 1)
  }

  func arrayLength(_ operation: Operation) throws(Stop) -> Interval {
    var pointer = pointer(operation, 0)
    guard case .structure(let members) = program.module.type(pointer.type) else {
      throw unknown("the length of what is no block", operation)
    }
    let member = Int(operation.words[1])
    enter(&pointer, member: member, of: pointer.type, members)
    let (size, _) = stride(of: pointer, program.module.type(pointer.type), pointer.type)
    return Interval(Double(elementCount(pointer, size: size)))
  }
}

extension Pointer {
  var isInBytes: Bool {
    switch space {
    case .block, .pushConstants: true
    default: false
    }
  }
}
