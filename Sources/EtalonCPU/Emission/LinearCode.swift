internal import CLaneKernels

/// Instructions in the order in which they run, with registers that are not yet places in memory.
struct LinearCode {
  /// What a register is.
  enum Register {
    case scalar
    case vector
    case constant(UInt32)
    /// The coordinate of the workgroup (0, 1, 2) or their number (3, 4, 5).
    case workgroup(Int)

    var isVector: Bool {
      if case .vector = self { true } else { false }
    }
  }

  /// The operand fields of a lane instruction, in its order.
  enum Field: Int {
    case d, a, b, c, e, f
  }

  struct Instruction {
    let operation: lane_op
    /// Register numbers or plain numbers, by `Field`.
    var fields = SIMD8<Int32>(repeating: 0)
    /// Which fields are registers that are read, and that are written.
    var reads: UInt8 = 0
    var writes: UInt8 = 0
    /// The number of the label that it jumps to.
    var label: Int?
    /// Whether a special kernel computes one line only.
    var isResultScalar = false

    init(_ operation: lane_op) { self.operation = operation }

    mutating func read(_ field: Field, _ register: Int32) {
      fields[field.rawValue] = register
      reads |= 1 << UInt8(field.rawValue)
    }
    mutating func write(_ field: Field, _ register: Int32) {
      fields[field.rawValue] = register
      writes |= 1 << UInt8(field.rawValue)
    }
    mutating func set(_ field: Field, _ number: UInt32) { fields[field.rawValue] = Int32(bitPattern: number) }

    func isRegister(_ field: Int) -> Bool { (reads | writes) & (1 << UInt8(field)) != 0 }
  }

  struct Loop {
    let start: Int
    var end: Int
  }

  var registers: [Register] = []
  /// What runs once for a frame.
  var preamble: [Instruction] = []
  /// What runs for each workgroup.
  var body: [Instruction] = []
  /// Positions in `body`.
  var labels: [Int] = []
  /// Loops in `body`, inner ones after the ones around them.
  var loops: [Loop] = []

  mutating func register(_ kind: Register) -> Int32 {
    registers.append(kind)
    return Int32(registers.count - 1)
  }

  mutating func newLabel() -> Int {
    labels.append(-1)
    return labels.count - 1
  }

  mutating func place(_ label: Int) { labels[label] = body.count }
}

// MARK: - Text

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
