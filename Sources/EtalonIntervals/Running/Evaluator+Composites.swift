internal import EtalonSPIRV

/// Operations that put values together, take them apart, or use several of their parts.
extension Evaluator {
  func compose(_ operation: Operation) throws(Stop) -> Bool {
    let width = operation.width
    switch operation.opcode {
    case .OpUndef: write(operation, program.globals.unwritten(operation.resultType))
    case .OpCompositeConstruct: write(operation, operation.operands.indices.flatMap { values(operation, $0) })
    case .OpCompositeExtract: write(operation, extracted(operation))
    case .OpCompositeInsert: write(operation, inserted(operation))
    case .OpVectorShuffle: write(operation, shuffled(operation))
    case .OpVectorExtractDynamic: write(operation, 0, element(of: values(operation, 0), at: value(operation, 1, 0)))
    case .OpVectorInsertDynamic: write(operation, vectorInserting(operation))
    case .OpSelect: write(operation, selected(operation))
    case .OpAny: write(operation, 0, values(operation, 0).reduce(.falseValue) { $0.or($1) })
    case .OpAll: write(operation, 0, values(operation, 0).reduce(.trueValue) { $0.and($1) })
    case .OpBitcast: write(operation, bitcast(operation))
    case .OpUConvert, .OpSConvert: write(operation, values(operation, 0))
    case .OpCopyObject, .OpCopyLogical: write(operation, values(operation, 0))
    case .OpSampledImage, .OpImage: write(operation, 0, value(operation, 0, 0))
    case .OpDot:
      // Two vectors whose ranges are equal need not be equal.
      let vector = values(operation, 0)
      let isSquare = operation.operands[0] == operation.operands[1]
      write(operation, 0, isSquare ? vector.squaredLength(width) : vector.dot(values(operation, 1), width))
    case .OpVectorTimesScalar, .OpMatrixTimesScalar:
      let scalar = value(operation, 1, 0)
      write(operation, values(operation, 0).map { $0.times(scalar, width) })
    case .OpMatrixTimesVector: write(operation, values(operation, 0).matrixTimes(vector: values(operation, 1), width))
    case .OpVectorTimesMatrix: write(operation, values(operation, 0).vectorTimes(matrix: values(operation, 1), width))
    case .OpMatrixTimesMatrix:
      write(operation, values(operation, 0).matrixTimes(matrix: values(operation, 1), rows: rows(operation, 0), width))
    case .OpOuterProduct:
      let (column, row) = (values(operation, 0), values(operation, 1))
      write(operation, row.flatMap { factor in column.map { $0.times(factor, width) } })
    case .OpTranspose: write(operation, values(operation, 0).transposed(rows: rows(operation, 0)))
    default: return try composeIntegers(operation)
    }
    return true
  }

  /// The rows of a matrix.
  func rows(_ operation: Operation, _ position: Int) -> Int {
    guard let type = program.module.typeOfValue(operation.id(position)), case .matrix(let column, _) = program.module.type(type) else {
      return 1
    }
    return program.module.scalarCount(column)
  }

  // MARK: Parts

  /// Where a part of a composite begins among its scalars, and how many it has.
  private func part(of type: Id, _ indices: ArraySlice<UInt32>) -> (start: Int, count: Int) {
    let module = program.module
    var (start, type) = (0, type)
    for index in indices {
      let kind = module.type(type)
      if case .structure(let members) = kind {
        start += members.prefix(Int(index)).reduce(0) { $0 + module.scalarCount($1) }
      } else {
        start += Int(index) * (kind.part(0).map { module.scalarCount($0) } ?? 0)
      }
      type = kind.part(Int(index)) ?? type
    }
    return (start, module.scalarCount(type))
  }

  private func extracted(_ operation: Operation) -> [Interval] {
    guard let type = program.module.typeOfValue(operation.id(0)) else { return [] }
    let (start, count) = part(of: type, operation.words[1...])
    return (start..<start + count).map { value(operation, 0, $0) }
  }

  private func inserted(_ operation: Operation) -> [Interval] {
    guard let type = operation.resultType else { return [] }
    let (start, count) = part(of: type, operation.words[2...])
    var all = values(operation, 1)
    for part in 0..<count { all[start + part] = value(operation, 0, part) }
    return all
  }

  private func shuffled(_ operation: Operation) -> [Interval] {
    let all = values(operation, 0) + values(operation, 1)
    return operation.words[2...].map { $0 == .max ? .anything(.undefined) : all[Int($0)] }
  }

  private func element(of vector: [Interval], at index: Interval) -> Interval {
    let index = index.reading(isSigned: true), last = Double(vector.count - 1)
    if let exact = index.isExact ? Int(index.low) : nil, vector.indices.contains(exact) { return vector[exact] }
    guard index.low >= 0, index.high <= last else { return .anything(.undefined, like: index) }
    let cause = index.cause ?? Cause(.index)
    return vector[Int(index.low)...Int(index.high)].dropFirst().reduce(vector[Int(index.low)]) { $0.joined($1, because: cause) }
  }

  private func vectorInserting(_ operation: Operation) -> [Interval] {
    var vector = values(operation, 0)
    let index = value(operation, 2, 0).reading(isSigned: true), new = value(operation, 1, 0)
    guard index.low >= 0, index.high < Double(vector.count) else { return vector.map { .anything(.undefined, like: $0, index) } }
    for part in vector.indices where index.contains(Double(part)) {
      vector[part] = index.isExact ? new : vector[part].joined(new, because: index.cause ?? Cause(.index))
    }
    return vector
  }

  private func selected(_ operation: Operation) -> [Interval] {
    let isWhole = operation.operands[0].count == 1
    return (0..<operation.result.count).map { part in
      value(operation, 0, isWhole ? 0 : part).select(value(operation, 1, part), value(operation, 2, part))
    }
  }

  private func bitcast(_ operation: Operation) -> [Interval] {
    let module = program.module
    let from = module.typeOfValue(operation.id(0)).flatMap { program.globals.scalarType($0) }
    let to = operation.resultType.flatMap { program.globals.scalarType($0) }
    let scalars = values(operation, 0)
    switch (from, to) {
    case (.float(32), .int): return scalars.map(\.asFloatBits)
    case (.int, .float(32)): return scalars.map(\.asFloat)
    case (.int, .int): return scalars.map { $0.traits.contains(.holdsFloatBits) ? $0 : $0.reading(isSigned: operation.isSigned) }
    case (.float(16), .int), (.int, .float(16)):
      return (0..<operation.result.count).map { _ in .anything(.bits) }
    default: return scalars
    }
  }
}
