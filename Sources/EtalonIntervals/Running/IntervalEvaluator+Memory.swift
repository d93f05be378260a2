internal import EtalonSPIRV

/// Loads, stores and what they find.
extension IntervalEvaluator {
  // MARK: Loads

  func load(_ pointer: IntervalPointer, _ operation: IntervalOperation) throws(Stop) -> [Interval] {
    if case .texture(let binding) = pointer.space { return [Interval(Double(binding))] }
    guard !pointer.leadsAstray else {
      var anything = Interval.anything
      anything.cause = pointer.cause
      return [Interval](repeating: anything, count: program.module.scalarCount(pointer.type))
    }
    var result: [Interval] = []
    for (number, offset) in pointer.offsets.enumerated() {
      let loaded = try load(pointer, at: offset, operation)
      if number == 0 { result = loaded } else { result = zip(result, loaded).map { $0.joined($1, because: pointer.cause) } }
    }
    return result
  }

  private func load(_ pointer: IntervalPointer, at offset: Int, _ operation: IntervalOperation) throws(Stop) -> [Interval] {
    let count = program.module.scalarCount(pointer.type)
    switch pointer.space {
    case .memory:
      let start = lane * path.stride + offset
      return Array(path.memory[start..<start + count])
    case .shared:
      for word in offset..<offset + count { try noteRead(ofShared: word, operation) }
      return Array(shared[offset..<offset + count])
    case .builtIn(let builtIn): return Array(try self.builtIn(builtIn, operation)[offset..<offset + count])
    case .block, .pushConstants:
      var result: [Interval] = []
      surroundings.toucher = toucher(operation)
      try forEachWord(pointer, pointer.type, offset, pointer.matrix, operation) { (byte, type) throws(Stop) in
        let word: Interval
        if case .block(let binding) = pointer.space {
          word = try surroundings.word(binding: binding, byte: byte)
        } else {
          word = surroundings.pushConstant(byte: byte)
        }
        result.append(number(word, type))
      }
      return result
    case .texture, .nothing: throw unknown("a load of this kind", operation)
    }
  }

  /// What a word of a buffer is as a number of a type.
  private func number(_ word: Interval, _ type: ModuleType) -> Interval {
    switch type {
    case .float:
      if word.traits.contains(.holdsFloatBits) || word.mayBeNaN { return word.asFloat }
      return word.word.map { bits in Float(bitPattern: bits).isNaN ? .anything(.undefined, like: word) : word.asFloat } ?? word.asFloat
    case .int(_, let isSigned): return word.traits.contains(.holdsFloatBits) ? word : word.reading(isSigned: isSigned)
    default: return word
    }
  }

  /// Calls back with the byte and the type of each word of a value in a block, in the order of its scalars.
  private func forEachWord(
    _ pointer: IntervalPointer, _ type: Id, _ offset: Int, _ matrix: IntervalPointer.MatrixLayout?, _ operation: IntervalOperation,
    _ body: (Int, ModuleType) throws(Stop) -> Void
  ) throws(Stop) {
    let module = program.module, kind = module.type(type)
    switch kind {
    case .bool, .int(32, _), .float(32): try body(offset, kind)
    case .structure(let members):
      for member in members.indices {
        var inner = IntervalPointer(space: pointer.space, offset: offset, type: type)
        enter(&inner, member: member, of: type, members)
        try forEachWord(inner, inner.type, inner.offset, inner.matrix, operation, body)
      }
    default:
      guard let part = kind.part(0), let count = kind.partCount else { throw unknown("numbers of this width in a buffer", operation) }
      var outer = IntervalPointer(space: pointer.space, offset: offset, type: type)
      outer.matrix = matrix
      let (size, _) = stride(of: outer, kind, part)
      var inner = matrix
      if case .vector = kind { inner = nil }
      for index in 0..<count { try forEachWord(pointer, part, offset + index * size, inner, operation, body) }
    }
  }

  // MARK: Stores

  func store(_ scalars: [Interval], to pointer: IntervalPointer, _ operation: IntervalOperation) throws(Stop) {
    // Such a write may change other variables as well; in blocks robust access bounds what it may change.
    let overwrites = pointer.leadsAstray && (pointer.space == .memory || pointer.space == .shared)
    guard !overwrites else { throw unknown("a write beyond the ends of an array", operation) }
    let isCertain = pointer.choices == nil
    for offset in pointer.offsets {
      switch pointer.space {
      case .memory:
        let start = lane * path.stride + offset
        for (part, scalar) in scalars.enumerated() {
          path.memory[start + part] = isCertain ? scalar : path.memory[start + part].joined(scalar, because: pointer.cause)
        }
      case .shared:
        let isSure = isCertain && path.presence[lane] == .certain
        for (part, scalar) in scalars.enumerated() {
          try noteWrite(ofShared: offset + part, scalar, operation)
          let cause = pointer.cause ?? path.causes[lane]
          shared[offset + part] = isSure ? scalar : shared[offset + part].joined(scalar, because: cause)
        }
      case .block(let binding):
        let isSure = isCertain && path.presence[lane] == .certain
        var part = 0
        surroundings.toucher = toucher(operation)
        try forEachWord(pointer, pointer.type, offset, pointer.matrix, operation) { (byte, type) throws(Stop) in
          var word = scalars[part]
          if case .float = type { word = word.asFloatBits }
          try surroundings.store(word, binding: binding, byte: byte, isCertain: isSure, because: pointer.cause ?? path.causes[lane])
          part += 1
        }
      case .pushConstants, .builtIn, .texture, .nothing: throw unknown("a store of this kind", operation)
      }
    }
  }
}

/// Races: what an invocation finds that another wrote with no barrier between is undefined.
extension IntervalEvaluator {
  /// The invocation that accesses a buffer or a target; with it races are found.
  func toucher(_ operation: IntervalOperation) -> Toucher? {
    let (x, y, z) = invocations.lanes[lane].workgroup, counts = invocations.workgroupCounts
    return Toucher(
      workgroup: (z * counts.1 + y) * counts.0 + x, lane: invocations.lanes[lane].localIndex, barriers: barriers,
      isAtomic: operation.opcode.isAtomic)
  }

  private func noteRead(ofShared word: Int, _ operation: IntervalOperation) throws(Stop) {
    guard laneCount > 1 else { return }
    let known = touched[word]
    if let writer = known?.writer, writer != lane { throw unknown("a race in shared memory", operation) }
    if operation.opcode.isAtomic {
      if let reader = known?.reader, reader != lane { throw unknown("a race in shared memory", operation) }
      touched[word, default: SharedTouch()].atomic = SharedTouch.joined(known?.atomic, lane)
      return
    }
    if let atomic = known?.atomic, atomic != lane { throw unknown("a race in shared memory", operation) }
    touched[word, default: SharedTouch()].reader = SharedTouch.joined(known?.reader, lane)
  }

  private func noteWrite(ofShared word: Int, _ value: Interval, _ operation: IntervalOperation) throws(Stop) {
    guard laneCount > 1, !operation.opcode.isAtomic else { return }
    let known = touched[word]
    if let atomic = known?.atomic, atomic != lane { throw unknown("a race in shared memory", operation) }
    // The word is the same whichever invocation writes last.
    let isSame = value.isExact && shared[word].isExact && value.low == shared[word].low
    if let reader = known?.reader, reader != lane { throw unknown("a race in shared memory", operation) }
    if let writer = known?.writer, writer != lane, !isSame { throw unknown("a race in shared memory", operation) }
    touched[word, default: SharedTouch()].writer = SharedTouch.joined(known?.writer, lane)
  }
}

extension Interval {
  /// A float as the integer of its bits.
  var asFloatBits: Interval {
    var bits = self
    bits.traits.insert(.holdsFloatBits)
    return bits
  }

  /// The float of some bits.
  var asFloat: Interval {
    var float = self
    if traits.contains(.holdsFloatBits) {
      float.traits.remove(.holdsFloatBits)
      return float
    }
    guard let word else { return .anything(.bits, like: self) }
    let value = Float(bitPattern: word)
    if value.isNaN { return .anything(.undefined, like: self) }
    (float.low, float.high, float.certainBits) = (Double(value), Double(value), 0)
    return float
  }
}

// MARK: - Pointers

/// Where pointers lead: members, elements and bytes, with indices that may not be certain.
extension IntervalEvaluator {
  /// The most elements that an uncertain index may name.
  private static let mostChoices = 4096

  func accessChain(_ operation: IntervalOperation) throws(Stop) -> IntervalPointer {
    var pointer = pointer(operation, 0)
    for position in 1..<operation.words.count {
      try step(&pointer, value(operation, position, 0).reading(isSigned: true), operation)
    }
    return pointer
  }

  private func step(_ pointer: inout IntervalPointer, _ index: Interval, _ operation: IntervalOperation) throws(Stop) {
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
  private func name(ofIndexed chain: IntervalOperation) -> String {
    let module = program.module
    var id = chain.id(0)
    while let made = module.definitionIfAny(id), made.opcode == .OpAccessChain || made.opcode == .OpInBoundsAccessChain { id = made.id(0) }
    let name = module.name(id)
    return name.isEmpty ? "an array" : "'\(name)'"
  }

  private func placed(_ cause: Cause, _ operation: IntervalOperation) -> Cause {
    var cause = cause
    cause.site = site(operation)
    return cause
  }

  private func enter(_ pointer: inout IntervalPointer, member: Int, of structure: Id, _ members: [Id]) {
    let module = program.module
    if pointer.isInBytes {
      pointer.offset += Int(module.value(of: .Offset, structure, member: member) ?? 0)
      if let stride = module.value(of: .MatrixStride, structure, member: member) {
        pointer.matrix = IntervalPointer.MatrixLayout(stride: Int(stride), isRowMajor: module.has(.RowMajor, structure, member: member))
      }
    } else {
      for earlier in members.prefix(member) { pointer.offset += module.scalarCount(earlier) }
    }
    pointer.type = members[member]
  }

  /// How far the parts of a composite are apart, and how many there are.
  func stride(of pointer: IntervalPointer, _ type: ModuleType, _ part: Id) -> (size: Int, count: Int?) {
    let module = program.module, count = type.partCount
    guard pointer.isInBytes else { return (module.scalarCount(part), count) }
    switch type {
    case .vector: return (pointer.matrix.map { $0.isRowMajor ? $0.stride : 4 } ?? 4, count)
    case .matrix: return (pointer.matrix.map { $0.isRowMajor ? 4 : $0.stride } ?? 16, count)
    default: return (module.value(of: .ArrayStride, pointer.type).map(Int.init) ?? module.scalarCount(part) * 4, count)
    }
  }

  private func elementCount(_ pointer: IntervalPointer, size: Int) -> Int {
    guard case .block(let binding) = pointer.space else { return 0 }
    return (surroundings.byteCount(binding: binding) - pointer.offset) / max(size, 1)
  }

  func arrayLength(_ operation: IntervalOperation) throws(Stop) -> Interval {
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

extension IntervalPointer {
  var isInBytes: Bool {
    switch space {
    case .block, .pushConstants: true
    default: false
    }
  }
}
