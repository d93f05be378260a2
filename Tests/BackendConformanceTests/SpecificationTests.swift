import EtalonIntervals
import EtalonPlan
import EtalonTypes
import Testing

/// Every operation and built-in function on its operands against the ranges that the tables of the Vulkan specification give.
@Suite struct SpecificationTests {
  private static let size = Size(32, 32)
  /// One row of operands in so many is looked at.
  private static let stride = 5

  /// What devices are known to do that the specification does not allow, by kernel: the software driver's name, and why.
  private static let deviations: [String: (driver: String, reason: String)] = [:]

  /// What GLSL leaves open so far that nothing is known of some rows, by kernel.
  private static let open = ["array/out-of-range.comp": "a write beyond the ends of an array has no known range"]

  @Test(arguments: KernelFile.operandKernels, Executor.allCases)
  func kernel(_ name: String, on executor: Executor) throws {
    let file = try KernelFile(name)
    guard executor == .cpu || file.isForEveryDevice else { return }
    let rows = try #require(OperandSet(rawValue: file.header["operands", default: ""])).rows
    let plan = Plan(try file.kernel(), size: Self.size), uniforms = [littleEndian(rows.joined())]
    let backend = try executor.backend()
    let results = try backend.words(of: plan, uniforms: uniforms)
    let frame = try FrameIntervals(plan, FrameValues(frame: 0, uniforms: uniforms), imports: [], placesQuads: true)
    var wrong: [String] = [], openRows = 0
    for index in Swift.stride(from: 0, to: rows.count, by: Self.stride) {
      let (x, y) = (index % Self.size.width, index / Self.size.width)
      let ranges: [Interval]
      do throws(Stop) { ranges = try frame.words(x: x, y: y, steps: 100_000).words } catch {
        if error.words == Self.open[name] { openRows += 1 } else { wrong.append("row \(index): \(error.words)") }
        continue
      }
      for (part, range) in ranges.enumerated() where !range.contains(word: results[index][part]) {
        wrong.append(Self.describe(part, rows[index], results[index][part], range))
      }
    }
    #expect((openRows > 0) == (Self.open[name] != nil))
    let deviation = executor == .vulkan ? Self.deviations[name].flatMap { backend.deviceName.contains($0.driver) ? $0.reason : nil } : nil
    if let deviation {
      #expect(!wrong.isEmpty, "\(name) follows the specification now, and was known not to: \(deviation)")
    } else {
      #expect(wrong.isEmpty, "\(name): \(wrong.count) results outside, first\n\(wrong.prefix(4).joined(separator: "\n"))")
    }
  }

  private static func describe(_ part: Int, _ row: [UInt32], _ result: UInt32, _ range: Interval) -> String {
    let operands = row.map { "\(hexadecimal($0)) (\(Float(bitPattern: $0)))" }.joined(separator: ", ")
    return "result \(part) of \(operands) is \(hexadecimal(result)) (\(Float(bitPattern: result))), not \(range.low) to \(range.high)"
  }
}
