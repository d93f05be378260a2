internal import CLaneKernels
internal import EtalonSPIRV

/// What compilers for devices may make of sums and products that are not decorated `NoContraction`, and what is known of them meanwhile.
///
/// SPIR-V lets them add a product without rounding it, and add or multiply several numbers in any order. Nothing else is rearranged: no factor is
/// taken out of a sum, and no quotient becomes a product.
struct Rearrangement {
  /// A number that is added or taken away.
  struct Term {
    let value: ValueId
    let isNegative: Bool
  }

  /// Which factor pairs of a sum are fused.
  enum Fused { case none, left, right, leftElseRight, rightElseLeft }

  /// Longer sums and products are not done in another order as a whole.
  static let mostOperands = 8

  private let contraction: Perturbation?
  private let association: Perturbation?
  private let flushes: Bool
  /// Whether the present instruction may be rearranged, and its operands be flushed.
  private(set) var isOpen = false
  private(set) var flushesOperands = false
  private var isFixed = false
  private var place = 0
  private var sums: [ValueId: [Term]] = [:]
  private var products: [ValueId: [ValueId]] = [:]

  /// Nil where none of this is asked for.
  init?(_ perturbations: [Perturbation]) {
    (contraction, association) = (perturbations[.contraction], perturbations[.association])
    flushes = perturbations[.denormals] != nil
    guard contraction != nil || association != nil || flushes else { return nil }
  }

  // MARK: Instructions

  /// - Parameter place: a number of the instruction, on which depends what is done.
  mutating func begin(_ instruction: Instruction, place: Int, in module: SPIRVModule) {
    self.place = place
    flushesOperands = flushes && Self.flushing.contains(instruction.opcode)
    guard contraction != nil || association != nil, Self.rearrangeable.contains(instruction.opcode) else { return }
    isFixed = instruction.result.map { module.has(.NoContraction, $0) } ?? false
    isOpen = !isFixed
  }

  /// Results of an instruction that must stay as it is are no longer known as sums and products.
  mutating func end(_ results: [ValueId]) {
    if isFixed {
      for result in results { (sums[result], products[result]) = (nil, nil) }
    }
    (isOpen, isFixed, flushesOperands) = (false, false, false)
  }

  private static let rearrangeable: Set<Opcode> = [
    .OpFAdd, .OpFSub, .OpFMul, .OpFMod, .OpVectorTimesScalar, .OpMatrixTimesScalar, .OpVectorTimesMatrix, .OpMatrixTimesVector,
    .OpMatrixTimesMatrix, .OpDot, .OpExtInst,
  ]

  /// Arithmetic, comparisons, conversions and functions; what copies or looks at bits keeps them.
  private static let flushing: Set<Opcode> = rearrangeable.union([
    .OpFNegate, .OpFDiv, .OpFRem, .OpOuterProduct, .OpConvertFToU, .OpConvertFToS, .OpFConvert, .OpQuantizeToF16,
    .OpFOrdEqual, .OpFUnordEqual, .OpFOrdNotEqual, .OpFUnordNotEqual, .OpFOrdLessThan, .OpFUnordLessThan, .OpFOrdGreaterThan,
    .OpFUnordGreaterThan, .OpFOrdLessThanEqual, .OpFUnordLessThanEqual, .OpFOrdGreaterThanEqual, .OpFUnordGreaterThanEqual,
  ])

  /// Whether results of an instruction become zero where they are too small to be normal.
  func flushesResults(of instruction: Instruction) -> Bool { flushes && Self.flushing.contains(instruction.opcode) }

  // MARK: Sums and products

  var contracts: Bool { contraction != nil }
  func terms(of value: ValueId) -> [Term] { sums[value] ?? [Term(value: value, isNegative: false)] }
  func factors(of value: ValueId) -> [ValueId] { products[value] ?? [value] }
  func isProduct(_ value: ValueId) -> Bool { products[value] != nil }
  mutating func note(_ value: ValueId, sumOf terms: [Term]) { sums[value] = terms }
  mutating func note(_ value: ValueId, productOf factors: [ValueId]) { products[value] = factors }

  /// What is fused at the present place.
  var fused: Fused {
    guard let contraction else { return .none }
    switch contraction.seed {
    case 1: return .leftElseRight
    case 2: return .rightElseLeft
    default: return [.none, .left, .right, .leftElseRight][Int(contraction.mixed(place) & 3)]
    }
  }

  /// The order in which three and more operands are taken; nil for that of the shader.
  func order<Operand>(_ operands: [Operand]) -> [Operand]? {
    guard let association, (3...Self.mostOperands).contains(operands.count) else { return nil }
    var operands = operands
    switch association.seed {
    case 1: operands.reverse()
    case 2: operands.swapAt(operands.count - 1, operands.count - 2)
    default:
      var rest = association.mixed(place)
      for index in (1..<operands.count).reversed() {
        operands.swapAt(index, Int(rest % UInt64(index + 1)))
        rest /= UInt64(index + 1)
      }
    }
    return operands
  }
}

// MARK: - Rearranged operations

extension KernelLowering {
  /// An operation as a compiler for a device might do it.
  func rearranged(_ operation: lane_op, _ a: ValueId, _ b: ValueId) -> ValueId {
    guard let rearrangement, rearrangement.isOpen else { return builder.add(operation, a, b) }
    switch operation {
    case LANE_OP_fadd: return sum(rearrangement.terms(of: a) + rearrangement.terms(of: b)) ?? sum(a, .init(value: b, isNegative: false))
    case LANE_OP_fsub:
      let taken = rearrangement.terms(of: b).map { Rearrangement.Term(value: $0.value, isNegative: !$0.isNegative) }
      return sum(rearrangement.terms(of: a) + taken) ?? sum(a, .init(value: b, isNegative: true))
    case LANE_OP_fmul: return product(rearrangement.factors(of: a) + rearrangement.factors(of: b), a, b)
    case LANE_OP_fmod where rearrangement.contracts:
      let whole = builder.add(LANE_OP_floor, builder.add(LANE_OP_fdiv, a, b))
      return sum(a, .init(value: product([b, whole], b, whole), isNegative: true))
    default: return builder.add(operation, a, b)
    }
  }

  /// A function with products in it; nil for others, and where nothing is rearranged.
  func takenApart(
    _ function: GLSLInstruction, _ operands: [[ValueId]], _ instruction: Instruction, _ kind: ScalarKind
  ) throws(Unsupported) -> [ValueId]? {
    guard let rearrangement, rearrangement.isOpen, case .float = kind, function == .Fma || function == .FMix else { return nil }
    guard operands.count == 3 else { throw misfit(instruction) }
    return operands[0].indices.map { part in
      let (a, b, c) = (operands[0][part], operands[1][min(part, operands[1].count - 1)], operands[2][min(part, operands[2].count - 1)])
      guard function == .FMix else { return add(LANE_OP_fadd, add(LANE_OP_fmul, a, b), c) }
      return add(LANE_OP_fadd, add(LANE_OP_fmul, a, add(LANE_OP_fsub, number(1), c)), add(LANE_OP_fmul, b, c))
    }
  }

  // MARK: Sums and products

  /// Several terms in another order; nil where they keep theirs.
  private func sum(_ terms: [Rearrangement.Term]) -> ValueId? {
    guard let ordered = rearrangement?.order(terms), let first = ordered.first else { return nil }
    let start = first.isNegative ? builder.add(LANE_OP_fneg, first.value) : first.value
    let value = ordered.dropFirst().reduce(start) { fused($0, $1) }
    rearrangement?.note(value, sumOf: terms)
    return value
  }

  private func sum(_ a: ValueId, _ b: Rearrangement.Term) -> ValueId {
    let terms =
      rearrangement?.terms(of: b.value).map { Rearrangement.Term(value: $0.value, isNegative: $0.isNegative != b.isNegative) } ?? []
    let all = (rearrangement?.terms(of: a) ?? []) + terms
    let value = fused(a, b)
    if all.count <= Rearrangement.mostOperands { rearrangement?.note(value, sumOf: all) }
    return value
  }

  private func product(_ factors: [ValueId], _ a: ValueId, _ b: ValueId) -> ValueId {
    let ordered = rearrangement?.order(factors)
    let value = ordered.map { $0.dropFirst().reduce($0[0]) { builder.add(LANE_OP_fmul, $0, $1) } } ?? builder.add(LANE_OP_fmul, a, b)
    if builder.graph[value].operation == ShaderOperation(LANE_OP_fmul) {
      rearrangement?.note(value, productOf: factors.count <= Rearrangement.mostOperands ? factors : [a, b])
    }
    return value
  }

  /// a + b or a - b; a product among them may go in without being rounded.
  private func fused(_ a: ValueId, _ b: Rearrangement.Term) -> ValueId {
    let isLeft = rearrangement?.isProduct(a) ?? false, isRight = rearrangement?.isProduct(b.value) ?? false
    switch rearrangement?.fused {
    case .left where isLeft, .leftElseRight where isLeft, .rightElseLeft where isLeft && !isRight:
      return add(LANE_OP_fused, factor(a, 0), factor(a, 1), b.isNegative ? builder.add(LANE_OP_fneg, b.value) : b.value)
    case .right where isRight, .leftElseRight where isRight, .rightElseLeft where isRight:
      let first = factor(b.value, 0)
      return add(LANE_OP_fused, b.isNegative ? builder.add(LANE_OP_fneg, first) : first, factor(b.value, 1), a)
    default: return builder.add(b.isNegative ? LANE_OP_fsub : LANE_OP_fadd, a, b.value)
    }
  }

  private func factor(_ product: ValueId, _ number: Int) -> ValueId { builder.graph[product].argument(number) }

  // MARK: Numbers near zero

  /// The scalars of an operand as an instruction that flushes them sees them.
  func flushed(_ scalars: [ValueId], of id: Id) -> [ValueId] {
    guard let type = module.typeOfValue(id), isOfFloats(type) else { return scalars }
    return scalars.map(flushed)
  }

  /// The results of an instruction, without numbers that are too small to be normal.
  func flushed(_ results: [ValueId], of instruction: Instruction, type: Id) -> [ValueId] {
    guard rearrangement?.flushesResults(of: instruction) ?? false, isOfFloats(type) else { return results }
    return results.map(flushed)
  }

  private func isOfFloats(_ type: Id) -> Bool {
    switch module.type(type) {
    case .float(32): true
    case .vector(let part, _), .matrix(let part, _): isOfFloats(part)
    default: false
    }
  }

  private func flushed(_ value: ValueId) -> ValueId {
    guard builder.graph[value].operation != ShaderOperation(LANE_OP_flush) else { return value }
    guard let word = builder.graph.constantWord(value) else { return builder.add(LANE_OP_flush, value) }
    return word & 0x7f80_0000 == 0 ? builder.constant(word & 0x8000_0000) : value
  }
}
