import CLaneKernels

/// The functions of the lane kernels, called directly on each instruction set that this machine can run.
enum LaneProbe {
  /// The instruction sets of this machine, the baseline first.
  static let instructionSets = (0..<CInt(ETALON_PROBE_ISA_COUNT)).filter { etalon_probe_has_isa($0) != 0 }

  /// The names of all functions of one operand.
  static let unaryNames = (0..<etalon_probe_unary_count()).compactMap {
    unsafe etalon_probe_unary_name($0).map { unsafe String(cString: $0) }
  }
  /// The names of all functions of two operands.
  static let binaryNames = (0..<etalon_probe_binary_count()).compactMap {
    unsafe etalon_probe_binary_name($0).map { unsafe String(cString: $0) }
  }

  /// The results of a function of one operand, as words.
  static func unary(_ name: String, _ x: [Float], on set: CInt = 0) -> [UInt32] {
    var results = [Float](repeating: 0, count: x.count)
    let ran = unsafe etalon_probe_unary(set, etalon_probe_find_unary(name), x, &results, CInt(x.count))
    precondition(ran == 1, "no function '\(name)' on instruction set \(set)")
    return results.map(\.bitPattern)
  }

  /// The results of a function of two operands, as words.
  static func binary(_ name: String, _ x: [Float], _ y: [Float], on set: CInt = 0) -> [UInt32] {
    var results = [Float](repeating: 0, count: x.count)
    let ran = unsafe etalon_probe_binary(set, etalon_probe_find_binary(name), x, y, &results, CInt(x.count))
    precondition(ran == 1, "no function '\(name)' on instruction set \(set)")
    return results.map(\.bitPattern)
  }
}
