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
