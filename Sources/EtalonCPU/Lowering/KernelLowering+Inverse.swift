internal import CLaneKernels

/// Determinants and inverses of square matrices by their minors, always in the same order.
extension KernelLowering {
  /// The matrix without one column and one row.
  private func minor(_ matrix: [ValueId], size: Int, column: Int, row: Int) -> [ValueId] {
    var kept: [ValueId] = []
    for j in 0..<size where j != column {
      for i in 0..<size where i != row { kept.append(matrix[j * size + i]) }
    }
    return kept
  }

  func determinant(_ matrix: [ValueId], size: Int) -> ValueId {
    if size == 1 { return matrix[0] }
    if size == 2 {
      return add(LANE_OP_fsub, add(LANE_OP_fmul, matrix[0], matrix[3]), add(LANE_OP_fmul, matrix[2], matrix[1]))
    }
    var sum: ValueId?
    for column in 0..<size {
      let inner = determinant(minor(matrix, size: size, column: column, row: 0), size: size - 1)
      let term = add(LANE_OP_fmul, matrix[column * size], inner)
      guard let before = sum else {
        sum = term
        continue
      }
      sum = add(column.isMultiple(of: 2) ? LANE_OP_fadd : LANE_OP_fsub, before, term)
    }
    return sum ?? number(0)
  }

  func inverse(_ matrix: [ValueId], size: Int) -> [ValueId] {
    let scale = add(LANE_OP_fdiv, number(1), determinant(matrix, size: size))
    var result: [ValueId] = []
    for column in 0..<size {
      for row in 0..<size {
        // The element (column, row) of the inverse comes from the minor (row, column).
        let inner = determinant(minor(matrix, size: size, column: row, row: column), size: size - 1)
        let signed = (row + column).isMultiple(of: 2) ? inner : add(LANE_OP_fneg, inner)
        result.append(add(LANE_OP_fmul, signed, scale))
      }
    }
    return result
  }
}
