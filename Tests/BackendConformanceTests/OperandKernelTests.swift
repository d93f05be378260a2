import EtalonPlan
import EtalonTypes
import Testing

/// Every operation and built-in function on its operands: the CPU against exact values, Vulkan within the bounds of its specification.
@Suite struct OperandKernelTests {
  private static let size = Size(32, 32)

  @Test(arguments: KernelFile.operandKernels, Executor.allCases)
  func kernel(_ name: String, on executor: Executor) throws {
    let file = try KernelFile(name)
    guard executor == .cpu || file.isForEveryDevice else { return }
    let expect = try Expectations.parse(file.header["expect", default: ""])
    let rows = try #require(OperandSet(rawValue: file.header["operands", default: ""])).rows
    let results = try executor.backend().words(of: Plan(file.kernel(), size: Self.size), uniforms: [littleEndian(rows.joined())])
    var wrong: [String] = []
    for (row, result) in zip(rows, results) {
      for (part, expectation) in expect(row).enumerated() {
        let isRight = executor == .cpu ? expectation.acceptsOnCPU(result[part]) : expectation.acceptsOnVulkan(result[part])
        if !isRight { wrong.append(Self.describe(part, row, result[part], expectation)) }
      }
    }
    #expect(wrong.isEmpty, "\(name): \(wrong.count) wrong results, first\n\(wrong.prefix(4).joined(separator: "\n"))")
    try executor.checkValidation()
  }

  private static func describe(_ part: Int, _ row: [UInt32], _ result: UInt32, _ expectation: Expectation) -> String {
    let operands = row.map { "\(hexadecimal($0)) (\(Float(bitPattern: $0)))" }.joined(separator: ", ")
    return "result \(part) of \(operands) is \(hexadecimal(result)) (\(Float(bitPattern: result))), not \(expectation.description)"
  }
}
