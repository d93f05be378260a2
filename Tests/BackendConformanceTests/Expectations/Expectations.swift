/// Everything that a header of a kernel may expect.
enum Expectations {
  private static let functions: [String: FloatFunctions.Function] = merged([
    FloatFunctions.arithmetic, FloatFunctions.common, FloatFunctions.geometry, FloatFunctions.comparisons, ElementaryFunctions.table,
    IntegerFunctions.arithmetic, IntegerFunctions.bits, IntegerFunctions.comparisons, ConversionFunctions.conversions,
    ConversionFunctions.packing,
  ])

  private static let kernels: [String: CompositeKernels.Kernel] = merged([
    CompositeKernels.vectors, CompositeKernels.matrices, ArrayKernels.arrays, ArrayKernels.structures, ControlKernels.flow,
    ControlKernels.undefined,
  ])

  private static func merged<Value>(_ tables: [[String: Value]]) -> [String: Value] {
    tables.reduce(into: [:]) { all, table in
      all.merge(table) { _, _ in preconditionFailure("two expectations of the same name among \(table.keys.sorted())") }
    }
  }

  struct Unknown: Error {
    let name: String
  }

  /// The function of a row of operands that a header describes: `add x y, divide x y`, or the name of a whole kernel.
  static func parse(_ text: String) throws -> CompositeKernels.Kernel {
    if let kernel = kernels[text] { return kernel }
    let parts = try text.split(separator: ",").map { part in
      let words = part.split(separator: " ")
      guard let name = words.first, let function = functions[String(name)] else { throw Unknown(name: text) }
      let operands = words.dropFirst().compactMap { ["x": 0, "y": 1, "z": 2, "w": 3][$0] }
      return (function, operands)
    }
    return { row in parts.map { function, operands in function(operands.map { row[$0] }) } }
  }
}
