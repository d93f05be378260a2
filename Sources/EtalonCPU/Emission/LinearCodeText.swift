internal import CLaneKernels

extension LinearCode: CustomStringConvertible {
  /// The code as text, one instruction a line, such as `v3 = fmul v1 s0`.
  ///
  /// Vectors are `v`, scalars `s`, constants `#` with their bits.
  var description: String {
    var text = "frame:\n"
    for instruction in preamble { text += "  \(line(instruction))\n" }
    text += "workgroup:\n"
    var labelsAt: [Int: [Int]] = [:]
    for (label, position) in labels.enumerated() where body.contains(where: { $0.label == label }) {
      labelsAt[position, default: []].append(label)
    }
    for (position, instruction) in body.enumerated() {
      for label in labelsAt[position] ?? [] { text += "L\(label):\n" }
      text += "  \(line(instruction))\n"
    }
    return text
  }

  private func line(_ instruction: Instruction) -> String {
    let name = unsafe String(cString: lane_op_name(CInt(bitPattern: instruction.operation.rawValue)))
    var results: [String] = []
    var operands: [String] = []
    for field in 0..<6 {
      let bit = UInt8(1) << UInt8(field), number = instruction.fields[field]
      if instruction.writes & bit != 0 { results.append(self.name(number)) }
      if instruction.reads & bit != 0 {
        operands.append(self.name(number))
      } else if instruction.writes & bit == 0, number != 0 {
        operands.append("\(number)")
      }
    }
    if let label = instruction.label { operands.append("L\(label)") }
    let left = results.isEmpty ? "" : results.joined(separator: " ") + " = "
    return left + ([name] + operands).joined(separator: " ")
  }

  private func name(_ register: Int32) -> String {
    switch registers[Int(register)] {
    case .scalar: "s\(register)"
    case .vector: "v\(register)"
    case .constant(let word): "#\(String(word, radix: 16))"
    case .workgroup(let axis): "workgroup\(axis)"
    }
  }
}
