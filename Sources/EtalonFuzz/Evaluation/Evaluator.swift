/// Why a program has no result that is defined to the bit.
///
/// The generator makes no such programs; taking parts out of one may.
enum Undefined: String, Error, Hashable, Sendable {
  case inexactFloat = "a float that is not exact"
  case conversionRange = "a float that the integer cannot hold"
  case limitsInWrongOrder = "limits of 'clamp' in the wrong order"
  case divergentBarrier = "a barrier that not all invocations reach"
  case brokenQuad = "a quad whose invocations are not all there"
  case tooManySteps = "too many steps"
}

/// Works out what a program gives, one invocation after the other, in plain Swift.
///
/// Invocations run alone from one place where they wait for each other to the next. Of those that wait, the ones go on together whose place
/// comes first in the order of the program, where every round of a loop is a place of its own: so all that are going to come there have come.
struct Evaluator {
  private static let stepLimit = 60_000
  private static let finished = -1

  private let program: Program
  private let code: StepCode
  private let subgroupSize: Int
  private let workgroupSize: Int
  private let texture: [UInt32]
  private let arguments: (UInt32, UInt32) -> (UInt32, UInt32)
  private var memory: [UInt32]
  private var next: [Int]
  private var steps: [Int]
  private var shared: [UInt32]

  /// The word of every invocation: pixels in rows, the top one first, or workgroups one after the other.
  ///
  /// - Parameter arguments: what the entry is told of a place; the place itself if it is left out.
  static func words(
    of program: Program, subgroupSize: Int = 32, arguments: (UInt32, UInt32) -> (UInt32, UInt32) = { ($0, $1) }
  ) throws(Undefined) -> [UInt32] {
    try withoutActuallyEscaping(arguments) { (arguments) throws(Undefined) in
      var evaluator = Evaluator(program, subgroupSize: subgroupSize, arguments: arguments)
      return try evaluator.words()
    }
  }

  private init(_ program: Program, subgroupSize: Int, arguments: @escaping (UInt32, UInt32) -> (UInt32, UInt32)) {
    self.program = program
    self.arguments = arguments
    self.subgroupSize = subgroupSize
    code = StepCompiler.compile(program)
    workgroupSize = program.workgroupSize
    texture = program.texture
    memory = Array(repeating: 0, count: code.start.count * workgroupSize)
    next = Array(repeating: 0, count: workgroupSize)
    steps = Array(repeating: 0, count: workgroupSize)
    shared = []
  }

  private mutating func words() throws(Undefined) -> [UInt32] {
    let arguments = arguments
    var words = Array(repeating: UInt32(0), count: program.invocationCount)
    switch program.coverage {
    case .workgroups(let size, let count):
      for group in 0..<count {
        try runWorkgroup { arguments(UInt32($0), UInt32(group)) }
        for lane in 0..<size { words[group * size + lane] = result(of: lane) }
      }
    case .picture(let width, let height, let isInQuads):
      for top in stride(from: 0, to: height, by: 16) {
        for left in stride(from: 0, to: width, by: 16) {
          let pixels = (0..<workgroupSize).map { lane in
            let (x, y) = Self.placeInTile(lane, isInQuads: isInQuads)
            return (left + x, top + y)
          }
          try runWorkgroup(where: { pixels[$0].0 < width && pixels[$0].1 < height }) {
            arguments(UInt32(pixels[$0].0), UInt32(pixels[$0].1))
          }
          for (lane, (x, y)) in pixels.enumerated() where x < width && y < height {
            words[(height - 1 - y) * width + x] = result(of: lane)
          }
        }
      }
    }
    return words
  }

  /// Where an invocation lies in the 16×16 pixels of its workgroup.
  private static func placeInTile(_ lane: Int, isInQuads: Bool) -> (x: Int, y: Int) {
    guard isInQuads else { return (lane % 16, lane / 16) }
    let quad = lane / 4
    return (quad % 8 * 2 + lane % 2, quad / 8 * 2 + lane / 2 % 2)
  }

  private func result(of lane: Int) -> UInt32 { memory[lane * code.start.count + code.result] }

  // MARK: Workgroups

  /// - Parameter isNeeded: which invocations have a result; the others run only where they can be seen.
  private mutating func runWorkgroup(
    where isNeeded: (Int) -> Bool = { _ in true }, arguments: (Int) -> (UInt32, UInt32)
  ) throws(Undefined) {
    let isAlone = code.rounds.isEmpty
    shared = Array(repeating: 0, count: program.sharedCount)
    var waiting: [Int] = []
    for lane in 0..<workgroupSize {
      guard !isAlone || isNeeded(lane) else { continue }
      let base = lane * code.start.count
      for (offset, word) in code.start.enumerated() { memory[base + offset] = word }
      memory[base + code.place] = UInt32(lane)
      (memory[base + code.arguments.x], memory[base + code.arguments.y]) = arguments(lane)
      next[lane] = 0
      steps[lane] = 0
      try run(lane)
      if next[lane] != Self.finished { waiting.append(lane) }
    }
    while !waiting.isEmpty {
      let together = firstInOrder(of: waiting)
      try meet(together)
      for lane in together {
        next[lane] += 1
        try run(lane)
      }
      waiting = waiting.filter { next[$0] != Self.finished }
    }
  }

  /// Those of the waiting invocations whose place comes first.
  private func firstInOrder(of waiting: [Int]) -> [Int] {
    var first: [Int] = []
    var together: [Int] = []
    for lane in waiting {
      let place = order(of: lane)
      if together.isEmpty || place.lexicographicallyPrecedes(first) {
        (first, together) = (place, [lane])
      } else if place == first {
        together.append(lane)
      }
    }
    return together
  }

  /// The place where an invocation waits: each loop around it with the number of its round, and the step.
  private func order(of lane: Int) -> [Int] {
    let base = lane * code.start.count
    return (code.rounds[next[lane]] ?? []).flatMap { [$0.start, Int(memory[base + $0.counter])] } + [next[lane]]
  }

  /// Does what invocations do that have come to one place.
  private mutating func meet(_ lanes: [Int]) throws(Undefined) {
    let step = code.steps[next[lanes[0]]], count = code.start.count
    func word(_ lane: Int, _ place: Int32) -> Int { lane * count + Int(place) }
    switch step.operation {
    case .barrier: if lanes.count != workgroupSize { throw .divergentBarrier }
    case .quadSwap:
      var present = Array(repeating: false, count: workgroupSize)
      for lane in lanes { present[lane] = true }
      let values = lanes.map { memory[word($0 ^ Int(step.y), step.x)] }
      for (lane, value) in zip(lanes, values) {
        guard present[lane ^ Int(step.y)] else { throw .brokenQuad }
        memory[word(lane, step.to)] = value
      }
    case .subgroup:
      for group in Dictionary(grouping: lanes, by: { $0 / subgroupSize }).values {
        let values = Self.values(
          Expression.Subgroup.allCases[Int(step.y >> 1)], isSigned: step.y & 1 == 1, group.map { memory[word($0, step.x)] })
        for (lane, value) in zip(group, values) { memory[word(lane, step.to)] = value }
      }
    default: preconditionFailure("\(step.operation) waits for nothing")
    }
  }

  /// What each of the present invocations of a subgroup gets, in their order.
  private static func values(_ operation: Expression.Subgroup, isSigned: Bool, _ values: [UInt32]) -> [UInt32] {
    func all(_ value: UInt32) -> [UInt32] { values.map { _ in value } }
    switch operation {
    case .add: return all(values.reduce(0, &+))
    case .and: return all(values.reduce(.max, &))
    case .or: return all(values.reduce(0, |))
    case .xor: return all(values.reduce(0, ^))
    case .first: return all(values[0])
    case .smallest:
      return all(isSigned ? UInt32(bitPattern: values.map { Int32(bitPattern: $0) }.min() ?? 0) : values.min() ?? 0)
    case .largest:
      return all(isSigned ? UInt32(bitPattern: values.map { Int32(bitPattern: $0) }.max() ?? 0) : values.max() ?? 0)
    case .inclusiveAdd, .exclusiveAdd:
      var sum: UInt32 = 0
      return values.map { value in
        let before = sum
        sum &+= value
        return operation == .inclusiveAdd ? sum : before
      }
    }
  }

  // MARK: Steps

  /// Runs one invocation until it waits or has finished.
  private mutating func run(_ lane: Int) throws(Undefined) {
    let wordCount = code.start.count, end = code.steps.count
    var position = next[lane], left = Self.stepLimit - steps[lane]
    var outcome = StepOutcome.done
    unsafe memory.withUnsafeMutableBufferPointer { memory in
      guard let memory = memory.baseAddress else { return }
      let words = unsafe memory + lane * wordCount
      unsafe code.steps.withUnsafeBufferPointer { all in
        guard let all = all.baseAddress else { return }
        unsafe shared.withUnsafeMutableBufferPointer { shared in
          let machine = unsafe StepMachine(words: words, shared: shared.baseAddress, texture: texture)
          while position < end, outcome == .done {
            left -= 1
            if left < 0 {
              outcome = .undefined(.tooManySteps)
            } else {
              outcome = unsafe machine.run(all[position], at: &position)
            }
          }
        }
      }
    }
    if case .undefined(let undefined) = outcome { throw undefined }
    next[lane] = outcome == .waits ? position : Self.finished
    steps[lane] = Self.stepLimit - left
  }
}
