internal import EtalonSPIRV

/// Runs a kernel for some invocations side by side, with ranges instead of numbers.
///
/// Where a condition may be either, both ways are gone and what differs afterwards is joined, so that the ranges hold whatever a device decides.
///
/// **Concurrency**: used by one thread.
final class IntervalEvaluator {
  let program: IntervalProgram
  let surroundings: any Surroundings
  let invocations: Invocations
  let laneCount: Int
  var path: Path
  var registers: [Interval]
  var pointers: [IntervalPointer]
  var shared: [Interval]
  /// The invocations that accessed words of shared memory since the last barrier.
  var touched: [Int: SharedTouch] = [:]
  /// How many barriers the invocations have passed that order buffers, too.
  var barriers = 0
  /// Whether a memory barrier for buffers waits for the next barrier.
  var ordersBuffers = false
  /// Which kind of atomic function was used on a number of shared memory since the last barrier.
  var atomicKinds: [AtomicWord: Opcode] = [:]
  let budget: Budget
  /// Where the registers, memory and pointers of the function begin that is run.
  var base: (registers: Int, memory: Int, pointers: Int) = (0, 0, 0)
  /// How much memory of an invocation is in use.
  var top = 0
  /// The invocation that is computed, and the operation.
  var lane = 0

  init(_ program: IntervalProgram, _ invocations: Invocations, in surroundings: any Surroundings, _ budget: Budget) throws(Stop) {
    guard program.isRunnable(lanes: invocations.lanes.count) else { throw .unknown("an array of so many numbers", site: program.firstSite) }
    (self.program, self.invocations, self.surroundings, self.budget) = (program, invocations, surroundings, budget)
    laneCount = invocations.lanes.count
    path = Path(lanes: laneCount, stride: program.memoryCount)
    registers = [Interval](repeating: Interval(0), count: laneCount * program.registerCount)
    pointers = [IntervalPointer](
      repeating: IntervalPointer(space: .nothing, offset: 0, type: Id(0)), count: laneCount * program.pointerCount)
    shared = [Interval](repeating: Interval(0), count: program.globals.sharedCount)
  }

  /// Runs the entry point.
  func run() throws(Stop) {
    for lane in 0..<laneCount {
      for (slot, value) in program.globals.initial {
        for part in 0..<value.count {
          path.memory[lane * path.stride + slot + part] = program.globals.values[value.offset + part]
        }
      }
    }
    base = (0, program.globals.memoryCount, 0)
    top = program.globals.memoryCount
    try run(program.entry)
  }

  // MARK: Functions

  /// Runs a function whose parameters are in place; its result is in its first slots of memory afterwards.
  func run(_ code: FunctionCode) throws(Stop) {
    let topBefore = top
    top = base.memory + code.memoryCount
    defer { top = topBefore }
    for lane in 0..<laneCount where path.presence[lane] != .absent {
      for variable in code.variables { start(variable, lane) }
    }
    let (presence, causes) = (path.presence, path.causes)
    let exits = try run(code.flow.root, code)
    path.join(exits.returns, top: top)
    path.restore(presence, causes, unlessIn: Exits())
  }

  private func start(_ variable: (pointer: Int, slot: Int, type: Id, initial: IntervalOperation.Place?), _ lane: Int) {
    let slot = base.memory + variable.slot
    pointers[lane * program.pointerCount + base.pointers + variable.pointer] = IntervalPointer(
      space: .memory, offset: slot, type: variable.type)
    let count = program.module.scalarCount(variable.type), start = lane * path.stride + slot
    self.lane = lane
    for part in 0..<count { path.memory[start + part] = variable.initial.map { value($0, part) } ?? Interval(0) }
  }

  func call(_ operation: IntervalOperation) throws(Stop) {
    let callee = program.function(operation.id(0))
    guard let caller = current else { preconditionFailure("a call outside functions") }
    let own = base
    let next = (
      registers: own.registers + caller.registerCount, memory: own.memory + caller.memoryCount, pointers: own.pointers + caller.pointerCount
    )
    for lane in 0..<laneCount where path.presence[lane] != .absent {
      self.lane = lane
      for (position, parameter) in callee.parameters.enumerated() {
        if parameter.pointer >= 0 {
          pointers[lane * program.pointerCount + next.pointers + parameter.pointer] = pointer(operation, position + 1)
        } else {
          for part in 0..<parameter.value.count {
            registers[lane * program.registerCount + next.registers + parameter.value.offset + part] = value(operation, position + 1, part)
          }
        }
      }
    }
    base = next
    let before = current
    try run(callee)
    current = before
    base = own
    for lane in 0..<laneCount where path.presence[lane] != .absent {
      self.lane = lane
      // A call of a function without result has a value all the same, which nothing is.
      for part in 0..<callee.result.count { write(operation, part, path.memory[lane * path.stride + next.memory + part]) }
    }
  }

  /// The function that is run.
  var current: FunctionCode?

  // MARK: Values

  /// A scalar of a value, for the invocation that is computed.
  func value(_ place: IntervalOperation.Place, _ part: Int) -> Interval {
    switch place.kind {
    case .register: registers[lane * program.registerCount + base.registers + place.offset + part]
    case .constant: program.globals.values[place.offset + part]
    case .memory: path.memory[lane * path.stride + base.memory + place.offset + part]
    case .none: Interval(0)
    }
  }

  func value(_ operation: IntervalOperation, _ position: Int, _ part: Int) -> Interval { value(operation.operands[position], part) }

  func values(_ operation: IntervalOperation, _ position: Int) -> [Interval] {
    let place = operation.operands[position]
    return (0..<place.count).map { value(place, $0) }
  }

  func pointer(_ operation: IntervalOperation, _ position: Int) -> IntervalPointer {
    let number = operation.pointers[position]
    if number >= 0 { return pointers[lane * program.pointerCount + base.pointers + number] }
    return number < -1 ? program.globals.pointer(number) : IntervalPointer(space: .nothing, offset: 0, type: Id(0))
  }

  func write(_ operation: IntervalOperation, _ part: Int, _ value: Interval) {
    var value = value
    if let cause = value.cause, cause.site < 0 { value.cause?.site = site(operation) }
    registers[lane * program.registerCount + base.registers + operation.result.offset + part] = value
    if operation.carrier >= 0 { path.memory[lane * path.stride + base.memory + operation.carrier + part] = value }
  }

  func write(_ operation: IntervalOperation, _ values: [Interval]) {
    for (part, value) in values.prefix(operation.result.count).enumerated() { write(operation, part, value) }
  }

  func site(_ operation: IntervalOperation) -> Int32 { program.firstSite + Int32(operation.position) }

  func unknown(_ what: String, _ operation: IntervalOperation) -> Stop { .unknown(what, site: site(operation)) }
}

/// The invocations that accessed a word of shared memory since the last barrier, by their numbers.
struct SharedTouch {
  /// Nil where no invocation did so; -1 where several did.
  var reader: Int?
  var writer: Int?
  /// The one that used an atomic function.
  var atomic: Int?

  static func joined(_ known: Int?, _ lane: Int) -> Int { known == nil || known == lane ? lane : -1 }
}

/// How much may be computed.
final class Budget {
  private(set) var steps: Int
  /// How many kernels run inside each other.
  var depth = 0

  init(steps: Int) { self.steps = steps }

  func spend(_ count: Int, at site: Int32) throws(Stop) {
    steps -= count
    if steps < 0 { throw .tooLong(site: site) }
  }
}

/// Why nothing can be said about a pixel.
package enum Stop: Error, Sendable, Hashable {
  /// An instruction, or a use of it, that ranges are not known for.
  case unknown(String, site: Int32)
  /// It takes more steps than are allowed: often a loop whose end is not certain.
  case tooLong(site: Int32)
  /// Too many passes and frames in a row depend on each other.
  case tooDeep

  package var site: Int32 {
    switch self {
    case .unknown(_, let site), .tooLong(let site): site
    case .tooDeep: -1
    }
  }

  /// The reason in words.
  package var words: String {
    switch self {
    case .unknown(let what, _): "\(what) has no known range"
    case .tooLong: "a loop may go on for longer than it is followed"
    case .tooDeep: "too many frames before hang together"
    }
  }
}
