internal import EtalonSPIRV

/// Loads, stores and what they find.
extension Evaluator {
  // MARK: Loads

  func load(_ pointer: Pointer, _ operation: Operation) throws(Stop) -> [Interval] {
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

  private func load(_ pointer: Pointer, at offset: Int, _ operation: Operation) throws(Stop) -> [Interval] {
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
    _ pointer: Pointer, _ type: Id, _ offset: Int, _ matrix: Pointer.MatrixLayout?, _ operation: Operation,
    _ body: (Int, ModuleType) throws(Stop) -> Void
  ) throws(Stop) {
    let module = program.module, kind = module.type(type)
    switch kind {
    case .bool, .int(32, _), .float(32): try body(offset, kind)
    case .structure(let members):
      for member in members.indices {
        var inner = Pointer(space: pointer.space, offset: offset, type: type)
        enter(&inner, member: member, of: type, members)
        try forEachWord(inner, inner.type, inner.offset, inner.matrix, operation, body)
      }
    default:
      guard let part = kind.part(0), let count = kind.partCount else { throw unknown("numbers of this width in a buffer", operation) }
      var outer = Pointer(space: pointer.space, offset: offset, type: type)
      outer.matrix = matrix
      let (size, _) = stride(of: outer, kind, part)
      var inner = matrix
      if case .vector = kind { inner = nil }
      for index in 0..<count { try forEachWord(pointer, part, offset + index * size, inner, operation, body) }
    }
  }

  // MARK: Stores

  func store(_ scalars: [Interval], to pointer: Pointer, _ operation: Operation) throws(Stop) {
    // It may change other variables as well; blocks are bounded by what robust access allows.
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
extension Evaluator {
  /// Who touches a buffer or a target.
  func toucher(_ operation: Operation) -> Toucher? {
    let (x, y, z) = invocations.lanes[lane].workgroup, counts = invocations.workgroupCounts
    return Toucher(
      workgroup: (z * counts.1 + y) * counts.0 + x, lane: invocations.lanes[lane].localIndex, barriers: barriers,
      isAtomic: operation.opcode.isAtomic)
  }

  private func noteRead(ofShared word: Int, _ operation: Operation) throws(Stop) {
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

  private func noteWrite(ofShared word: Int, _ value: Interval, _ operation: Operation) throws(Stop) {
    guard laneCount > 1, !operation.opcode.isAtomic else { return }
    let known = touched[word]
    if let atomic = known?.atomic, atomic != lane { throw unknown("a race in shared memory", operation) }
    // Whoever writes last, the word is the same.
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
    (float.low, float.high) = (Double(value), Double(value))
    return float
  }
}
