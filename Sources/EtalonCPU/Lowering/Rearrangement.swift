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

  /// Nil where nothing of this is asked for.
  init?(_ perturbations: [Perturbation]) {
    (contraction, association) = (perturbations[.contraction], perturbations[.association])
    flushes = perturbations[.denormals] != nil
    guard contraction != nil || association != nil || flushes else { return nil }
  }

  // MARK: Instructions

  /// - Parameter place: a number of the instruction, on which it hangs what is done.
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
