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
struct ProgramEvaluator {
  private static let stepLimit = 60_000
  private static let finished = -1

  private let program: RandomProgram
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
    of program: RandomProgram, subgroupSize: Int = 32, arguments: (UInt32, UInt32) -> (UInt32, UInt32) = { ($0, $1) }
  ) throws(Undefined) -> [UInt32] {
    try withoutActuallyEscaping(arguments) { (arguments) throws(Undefined) in
      var evaluator = ProgramEvaluator(program, subgroupSize: subgroupSize, arguments: arguments)
      return try evaluator.words()
    }
  }

  private init(_ program: RandomProgram, subgroupSize: Int, arguments: @escaping (UInt32, UInt32) -> (UInt32, UInt32)) {
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
          ProgramExpression.Subgroup.allCases[Int(step.y >> 1)], isSigned: step.y & 1 == 1, group.map { memory[word($0, step.x)] })
        for (lane, value) in zip(group, values) { memory[word(lane, step.to)] = value }
      }
    default: preconditionFailure("\(step.operation) waits for nothing")
    }
  }

  /// What each of the present invocations of a subgroup gets, in their order.
  private static func values(_ operation: ProgramExpression.Subgroup, isSigned: Bool, _ values: [UInt32]) -> [UInt32] {
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

// MARK: steps

/// One step of an evaluation: an operation on single words of an invocation.
///
/// `to` is the word that it writes, or where a jump leads; `x` and `y` are words that it reads.
struct Step {
  enum StepOperation: UInt8 {
    /// `to` becomes the constant `x`.
    case constant
    case move
    /// `to` becomes the word that lies as far behind `x` as the word `y` says.
    case load
    /// The word that lies as far behind `to` as the word `y` says becomes `x`.
    case store
    case jump, jumpIfZero, jumpIfNotZero
    // Integers
    case add, subtract, multiply, divideSigned, divideUnsigned, remainderSigned, remainderUnsigned, and, or, xor, shiftLeft
    case shiftRightSigned, shiftRightUnsigned, lessSigned, lessUnsigned, equal, minSigned, maxSigned, minUnsigned, maxUnsigned
    case signSigned, bitCount, findLSB, findMSBSigned, findMSBUnsigned, reverse
    case isNotZero, not
    /// The scaled index: the word `x` modulo the low half of `y`, times the high half of `y`.
    case index
    /// Stops unless `x` is at most `y`: the limits of a `clamp`.
    case orderedSigned, orderedUnsigned, orderedFloat
    // Floats
    case addFloat, subtractFloat, multiplyFloat, lessFloat, equalFloat, minFloat, maxFloat, floorFloat, absFloat, signFloat
    case floatFromSigned, floatFromUnsigned, signedFromFloat, unsignedFromFloat
    /// The four words of the pixel of the texture at `x` and `y`.
    case texel
    // Where invocations wait for each other
    case barrier, quadSwap, subgroup
    case loadShared, storeShared, gather
  }

  let operation: StepOperation
  let to: Int32
  let x: Int32
  let y: Int32
}

/// The steps that all invocations of a program run, each over words of its own.
struct StepCode {
  /// A loop around steps at which invocations wait for each other.
  struct Round {
    /// The first step of the loop, and the word that counts how often it began anew.
    let start: Int
    let counter: Int
  }

  var steps: [Step] = []
  /// What the words of an invocation are at first.
  var start: [UInt32] = []
  /// The loops around each step at which invocations wait.
  var rounds: [Int: [Round]] = [:]
  /// The words with the two arguments of the entry, and that of its result.
  var arguments = (x: 0, y: 0)
  var result = 0
  /// The first word of the place in the workgroup of an invocation.
  var place = 0
}

/// How a step went.
private enum StepOutcome: Equatable {
  case done
  /// The invocation waits for others.
  case waits
  case undefined(Undefined)
}

/// Does the steps of one invocation on its words.
@unsafe private struct StepMachine {
  let words: UnsafeMutablePointer<UInt32>
  let shared: UnsafeMutablePointer<UInt32>?
  let texture: [UInt32]

  /// Does one step and moves to the next, unless the invocation has to wait there.
  func run(_ step: Step, at position: inout Int) -> StepOutcome {
    let to = Int(step.to), at = position
    position += 1
    switch step.operation {
    case .constant: unsafe words[to] = UInt32(bitPattern: step.x)
    case .move: unsafe words[to] = x(step)
    case .load: unsafe words[to] = words[Int(step.x) + Int(y(step))]
    case .store: unsafe words[to + Int(y(step))] = x(step)
    case .jump: position = to
    case .jumpIfZero: if unsafe x(step) == 0 { position = to }
    case .jumpIfNotZero: if unsafe x(step) != 0 { position = to }
    case .barrier, .quadSwap, .subgroup:
      position = at
      return .waits
    case .orderedSigned: if unsafe Int32(bitPattern: x(step)) > Int32(bitPattern: y(step)) { return .undefined(.limitsInWrongOrder) }
    case .orderedUnsigned: if unsafe x(step) > y(step) { return .undefined(.limitsInWrongOrder) }
    case .orderedFloat: if unsafe float(step.x) > float(step.y) { return .undefined(.limitsInWrongOrder) }
    case .index: unsafe words[to] = x(step) % UInt32(step.y & 0xFFFF) * UInt32(step.y >> 16)
    case .texel:
      let side = UInt32(RandomProgram.textureSide)
      let first = unsafe Int(y(step) % side * side + x(step) % side) * 4
      for channel in 0..<4 { unsafe words[to + channel] = texture[first + channel] }
    case .loadShared: unsafe words[to] = shared?[Int(x(step))] ?? 0
    case .storeShared: unsafe shared?[Int(x(step))] = y(step)
    case .gather: unsafe gather(step)
    case .addFloat, .subtractFloat, .multiplyFloat, .minFloat, .maxFloat, .floorFloat, .absFloat, .signFloat, .floatFromSigned,
      .floatFromUnsigned, .signedFromFloat, .unsignedFromFloat:
      return unsafe runFloat(step)
    case .lessFloat: unsafe words[to] = float(step.x) < float(step.y) ? 1 : 0
    case .equalFloat: unsafe words[to] = float(step.x) == float(step.y) ? 1 : 0
    default: unsafe words[to] = Self.integer(step.operation, x(step), y(step))
    }
    return .done
  }

  private func x(_ step: Step) -> UInt32 { unsafe words[Int(step.x)] }
  private func y(_ step: Step) -> UInt32 { unsafe words[Int(step.y)] }
  private func float(_ place: Int32) -> Float { unsafe Float(bitPattern: words[Int(place)]) }

  private func gather(_ step: Step) {
    guard let shared = unsafe shared else { return }
    let word = unsafe Int(x(step)), value = unsafe y(step)
    let old = unsafe shared[word]
    unsafe shared[word] =
      switch Statement.Gathering.allCases[Int(step.to)] {
      case .add: old &+ value
      case .largest: max(old, value)
      case .smallest: min(old, value)
      case .and: old & value
      case .or: old | value
      case .xor: old ^ value
      }
  }

  // MARK: Integers

  private static func integer(_ operation: Step.StepOperation, _ x: UInt32, _ y: UInt32) -> UInt32 {
    let signedX = Int32(bitPattern: x), signedY = Int32(bitPattern: y)
    switch operation {
    case .add: return x &+ y
    case .subtract: return x &- y
    case .multiply: return x &* y
    case .divideSigned: return UInt32(bitPattern: signedX / signedY)
    case .divideUnsigned: return x / y
    case .remainderSigned: return UInt32(bitPattern: signedX % signedY)
    case .remainderUnsigned: return x % y
    case .and: return x & y
    case .or: return x | y
    case .xor: return x ^ y
    case .shiftLeft: return x << y
    case .shiftRightSigned: return UInt32(bitPattern: signedX >> signedY)
    case .shiftRightUnsigned: return x >> y
    case .lessSigned: return signedX < signedY ? 1 : 0
    case .lessUnsigned: return x < y ? 1 : 0
    case .equal: return x == y ? 1 : 0
    case .minSigned: return UInt32(bitPattern: min(signedX, signedY))
    case .maxSigned: return UInt32(bitPattern: max(signedX, signedY))
    case .minUnsigned: return min(x, y)
    case .maxUnsigned: return max(x, y)
    case .signSigned: return UInt32(bitPattern: signedX.signum())
    case .bitCount: return UInt32(x.nonzeroBitCount)
    case .findLSB: return x == 0 ? .max : UInt32(x.trailingZeroBitCount)
    case .findMSBUnsigned: return x == 0 ? .max : UInt32(31 - x.leadingZeroBitCount)
    case .findMSBSigned:
      // The highest bit that is not as the sign.
      let other = signedX < 0 ? ~x : x
      return other == 0 ? .max : UInt32(31 - other.leadingZeroBitCount)
    case .reverse:
      var reversed: UInt32 = 0
      for bit in 0..<UInt32(32) where x >> bit & 1 == 1 { reversed |= 1 << (31 - bit) }
      return reversed
    case .isNotZero: return x == 0 ? 0 : 1
    case .not: return x == 0 ? 1 : 0
    default: preconditionFailure("\(operation) is no operation on integers")
    }
  }

  // MARK: Floats

  /// Works in double precision, where sums and products of floats are exact, and goes on only where a float holds the result.
  private func runFloat(_ step: Step) -> StepOutcome {
    let to = Int(step.to)
    let exact: Double
    switch step.operation {
    case .addFloat: exact = unsafe Double(float(step.x)) + Double(float(step.y))
    case .subtractFloat: exact = unsafe Double(float(step.x)) - Double(float(step.y))
    case .multiplyFloat: exact = unsafe Double(float(step.x)) * Double(float(step.y))
    case .minFloat: exact = unsafe Double(min(float(step.x), float(step.y)))
    case .maxFloat: exact = unsafe Double(max(float(step.x), float(step.y)))
    case .floorFloat: exact = unsafe Double(float(step.x)).rounded(.down)
    case .absFloat: exact = unsafe Double(abs(float(step.x)))
    case .signFloat: exact = unsafe float(step.x) > 0 ? 1 : unsafe float(step.x) < 0 ? -1 : 0
    case .floatFromSigned: exact = unsafe Double(Int32(bitPattern: x(step)))
    case .floatFromUnsigned: exact = unsafe Double(x(step))
    case .signedFromFloat:
      guard let whole = unsafe Int32(exactly: float(step.x).rounded(.towardZero)) else { return .undefined(.conversionRange) }
      unsafe words[to] = UInt32(bitPattern: whole)
      return .done
    case .unsignedFromFloat:
      guard let whole = unsafe UInt32(exactly: float(step.x).rounded(.towardZero)) else { return .undefined(.conversionRange) }
      unsafe words[to] = whole
      return .done
    default: preconditionFailure("\(step.operation) is no operation on floats")
    }
    let result = Float(exact)
    guard Double(result) == exact, abs(exact) <= 16_777_216 else { return .undefined(.inexactFloat) }
    unsafe words[to] = result.bitPattern
    return .done
  }
}
