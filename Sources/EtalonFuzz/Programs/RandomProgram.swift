/// A random program: functions over variables that lie in words, with one result word for each invocation.
///
/// Everything that could be undefined is guarded by what a node means, not by what surrounds it: a division adds one to the low bits of its divisor,
/// an index takes the remainder by the length, a loop counts by itself. So any part of a program can be taken out, and what remains is defined.
struct RandomProgram: Hashable, Codable, Sendable {
  /// What its invocations cover.
  enum Coverage: Hashable, Codable, Sendable {
    /// The pixels of a picture, in workgroups of 256 that lie in rows of sixteen, or in quads.
    case picture(width: Int, height: Int, isInQuads: Bool)
    /// Workgroups of any size along x.
    case workgroups(size: Int, count: Int)
  }

  struct Variable: Hashable, Codable, Sendable {
    enum Storage: Hashable, Codable, Sendable {
      case local
      case parameter(Passing)
      /// A variable outside of functions with the words that it starts with.
      case global([UInt32])
      /// A constant outside of functions.
      case constant([UInt32])
      /// Words of a storage buffer that belong to one invocation, the first of which has this number.
      case scratch(first: Int)
    }
    enum Passing: String, Hashable, Codable, Sendable {
      case copied = "in"
      case result = "out"
      case changed = "inout"
    }
    let type: ProgramType
    let storage: Storage
  }

  struct Function: Hashable, Codable, Sendable {
    let result: ProgramType
    var parameters: [Int]
    var body: [Statement]
    /// What is returned at the end; nil for a function without a result.
    var end: ProgramExpression?
    /// Whether all invocations of a workgroup call it together and stay together, so that it may synchronize them.
    let isUniform: Bool
    /// Whether it writes variables that are not its own, or its arguments.
    let hasEffects: Bool
    /// How many of its first statements give values to what has none before.
    var requiredCount: Int
  }

  /// What decides on which devices it is defined.
  struct Features: Hashable, Codable, Sendable {
    /// Invocations of a workgroup see each other, so that its place in the picture matters.
    var seesWorkgroup = false
    /// Operations on subgroups where only some invocations are.
    var hasDivergentSubgroups = false
    var usesQuads = false
    var usesSubgroups = false
    var usesTexture = false
  }

  var coverage: Coverage
  var structures: [ProgramType.Structure] = []
  var variables: [Variable] = []
  /// Each calls only functions before it; the last one is the entry, whose parameters are `x` and `y`.
  var functions: [Function] = []
  /// The words of shared memory of a workgroup.
  var sharedCount = 0
  /// The words of the scratch buffer of one invocation.
  var scratchCount = 0
  /// Four signed numbers, four unsigned ones and four floats.
  var uniforms: [UInt32] = []
  var features = Features()

  /// The words of the texture: eight by eight pixels of four floats, the lowest row first.
  static let textureSide = 8
  var texture: [UInt32] = []

  /// How many invocations the picture or the workgroups have.
  var invocationCount: Int {
    switch coverage {
    case .picture(let width, let height, _): width * height
    case .workgroups(let size, let count): size * count
    }
  }

  var statementCount: Int { functions.reduce(0) { $0 + $1.body.reduce(0) { $0 + $1.statementCount } } }
}

/// A statement with its expressions and blocks.
struct Statement: Hashable, Codable, Sendable {
  enum Loop: Hashable, Codable, Sendable, CaseIterable {
    /// `for (uint c = 0u; c < limit && condition; c++) …`
    case counted
    /// The same condition in front of the body, which counts first.
    case whileFirst
    /// The same condition after the body.
    case whileLast
    /// No condition; the body leaves where the limit is reached.
    case endless
  }

  enum Kind: Hashable, Codable, Sendable {
    /// Declares a variable with the value of its expression.
    case declare(Int)
    /// Gives a place a value; the expressions are the two.
    case assign
    /// Calls a function that returns nothing.
    case call
    /// Runs the first block where its expression holds, and the second one elsewhere.
    case branch
    /// Runs its block again and again; the expressions are the limit, of which the bits of the mask count, and a condition.
    case loop(Loop, counter: Int, mask: UInt32)
    /// Runs the block whose labels hold its expression, and those after it until a `break`; nil is the label of all other values.
    case choose([[Int32?]])
    case leaveScope
    case nextRound
    /// Returns from the function, with its expression if there is one.
    case leave
    case block
    /// Every invocation stores its expression in shared memory, and assigns the word of another one to a place.
    case exchange(distance: Int)
    /// Every invocation combines its expression, by addition or another operation, with one of the words of shared memory, and assigns one of them to a place.
    case gather(Gathering)
  }

  enum Gathering: String, Hashable, Codable, Sendable, CaseIterable {
    case add = "atomicAdd"
    case largest = "atomicMax"
    case smallest = "atomicMin"
    case and = "atomicAnd"
    case or = "atomicOr"
    case xor = "atomicXor"

    /// How many words of shared memory it takes.
    static let wordCount = 16

    /// What a word starts with.
    var start: UInt32 { self == .smallest || self == .and ? .max : 0 }
  }

  var kind: Kind
  var expressions: [ProgramExpression] = []
  var blocks: [[Statement]] = []

  var statementCount: Int { 1 + blocks.reduce(0) { $0 + $1.reduce(0) { $0 + $1.statementCount } } }
}

/// An expression with its operands; it changes nothing, save for a call at the top of a statement.
struct ProgramExpression: Hashable, Codable, Sendable {
  enum Kind: Hashable, Codable, Sendable {
    /// The words of a value.
    case literal([UInt32])
    case variable(Int)
    case uniform(ProgramType.Scalar, component: Int)
    /// Some components of a vector.
    case swizzle([Int])
    case member(Int)
    /// The first operand at the second one, an unsigned number.
    case element
    case construct
    /// The same components of another kind.
    case convert
    case unary(Unary)
    case binary(Binary)
    /// The second operand where the first one holds, else the third; the other one is not evaluated.
    case select
    /// The same for each component, of operands that are all evaluated: `mix`.
    case mix
    case clamp
    case call(Int)
    /// A pixel of the texture at two unsigned numbers.
    case texel
    /// Zero, found out by functions that take long.
    case costlyZero
    /// The operand of the invocation beside this one (1), above it (2), or both (3).
    case quadSwap(Int)
    case subgroup(Subgroup)
  }

  enum Unary: String, Hashable, Codable, Sendable {
    case negate = "-"
    case complement = "~"
    case not = "!"
    case abs, sign, floor, fract, bitCount, findLSB, findMSB, bitfieldReverse, any, all, transpose
    /// The bits of a float, where −0 is 0.
    case bits
    /// A float of at most 256 in halves that follows from any other.
    case reduce
  }

  enum Binary: String, Hashable, Codable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case and = "&"
    case or = "|"
    case xor = "^"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case less = "<"
    case lessEqual = "<="
    case greater = ">"
    case greaterEqual = ">="
    case equal = "=="
    case notEqual = "!="
    case logicalAnd = "&&"
    case logicalOr = "||"
    case logicalXor = "^^"
    case min, max, dot, step
  }

  enum Subgroup: String, Hashable, Codable, Sendable, CaseIterable {
    case add = "subgroupAdd"
    case smallest = "subgroupMin"
    case largest = "subgroupMax"
    case and = "subgroupAnd"
    case or = "subgroupOr"
    case xor = "subgroupXor"
    case inclusiveAdd = "subgroupInclusiveAdd"
    case exclusiveAdd = "subgroupExclusiveAdd"
    case first = "subgroupBroadcastFirst"
  }

  var kind: Kind
  var type: ProgramType
  var operands: [ProgramExpression] = []

  static func literal(_ value: UInt32) -> ProgramExpression { ProgramExpression(kind: .literal([value]), type: .uint) }
  static func literal(_ value: Int32) -> ProgramExpression { ProgramExpression(kind: .literal([UInt32(bitPattern: value)]), type: .int) }
  static func literal(_ value: Bool) -> ProgramExpression { ProgramExpression(kind: .literal([value ? 1 : 0]), type: .bool) }

  /// A value of a type whose words are all zero.
  static func zero(_ type: ProgramType) -> ProgramExpression {
    ProgramExpression(kind: .literal(Array(repeating: 0, count: type.wordCount)), type: type)
  }

  var nodeCount: Int { operands.reduce(1) { $0 + $1.nodeCount } }
}

/// A type of a random program: every value of it is a number of 32-bit words, one for each scalar.
indirect enum ProgramType: Hashable, Codable, Sendable {
  enum Scalar: Hashable, Codable, Sendable, CaseIterable {
    case int, uint, bool, float

    var name: String {
      switch self {
      case .int: "int"
      case .uint: "uint"
      case .bool: "bool"
      case .float: "float"
      }
    }
  }

  /// A structure; its number is its name.
  struct Structure: Hashable, Codable, Sendable {
    let number: Int
    let members: [ProgramType]
  }

  case void
  /// One to four scalars.
  case vector(Scalar, Int)
  /// A matrix of floats.
  case matrix(columns: Int, rows: Int)
  case structure(Structure)
  case array(ProgramType, Int)

  static let int = ProgramType.vector(.int, 1)
  static let uint = ProgramType.vector(.uint, 1)
  static let bool = ProgramType.vector(.bool, 1)
  static let float = ProgramType.vector(.float, 1)

  /// The number of its scalars.
  var wordCount: Int {
    switch self {
    case .void: 0
    case .vector(_, let count): count
    case .matrix(let columns, let rows): columns * rows
    case .structure(let structure): structure.members.reduce(0) { $0 + $1.wordCount }
    case .array(let element, let count): element.wordCount * count
    }
  }

  /// The kind of its scalars; nil where there are several.
  var scalar: Scalar? {
    switch self {
    case .void, .structure: nil
    case .vector(let scalar, _): scalar
    case .matrix: .float
    case .array(let element, _): element.scalar
    }
  }

  var isScalar: Bool { if case .vector(_, 1) = self { true } else { false } }
  var isVector: Bool { if case .vector(_, 2...) = self { true } else { false } }

  /// What an index chooses from a value of it, and the number of these; nil where nothing can be chosen.
  var elements: (type: ProgramType, count: Int)? {
    switch self {
    case .void, .structure, .vector(_, 1): nil
    case .vector(let scalar, let count): (.vector(scalar, 1), count)
    case .matrix(let columns, let rows): (.vector(.float, rows), columns)
    case .array(let element, let count): (element, count)
    }
  }

  /// The parts that a constructor takes: the components, columns, members or elements.
  var parts: [ProgramType] {
    if case .structure(let structure) = self { return structure.members }
    guard let elements else { return [self] }
    return Array(repeating: elements.type, count: elements.count)
  }

  /// How GLSL spells it: `uvec3`, `mat2x3`, `S1`, `int[5]`.
  var name: String {
    switch self {
    case .void: "void"
    case .vector(let scalar, 1): scalar.name
    case .vector(.float, let count): "vec\(count)"
    case .vector(let scalar, let count): "\(scalar.name.prefix(1))vec\(count)"
    case .matrix(let columns, let rows): "mat\(columns)x\(rows)"
    case .structure(let structure): "S\(structure.number)"
    case .array(let element, let count): "\(element.name)[\(count)]"
    }
  }
}

// MARK: chains

/// Filters of which each reads the result of the one before at its pixel, so that they can be fused into one kernel.
///
/// Each is a program over a picture; the color that it gets changes the place that it is told, and its result word becomes four bytes of a color.
struct FilterChain: Hashable, Codable, Sendable {
  var stages: [RandomProgram]
  var width: Int
  var height: Int

  /// The text of a filter.
  func text(ofStage index: Int) -> String {
    let program = stages[index]
    return """
      /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }*/
      \(ProgramPrinter.functions(program))
      vec4 colorKernel(vec4 color) {
        uint result = f\(program.functions.count - 1)(uint(POSITION.x) + uint(color.x), uint(POSITION.y) ^ uint(color.y));
        return vec4(float(result & 255u), float((result >> 8) & 255u), float((result >> 16) & 255u), float(result >> 24));
      }
      """
  }

  /// The floats of the picture that the first filter reads: small whole numbers, the lowest row first.
  var picture: [[UInt32]] {
    var pixels: [[UInt32]] = []
    for y in 0..<height {
      for x in 0..<width {
        let sum = x * 7 + y * 13
        pixels.append((0..<4).map { UInt32((sum + $0 * 5) % 11) })
      }
    }
    return pixels
  }

  /// The words of every pixel: four floats, the top row first.
  func words() throws(Undefined) -> [UInt32] {
    var colors = picture
    for stage in stages {
      var program = stage
      program.coverage = .picture(width: width, height: height, isInQuads: false)
      let before = colors
      let results = try ProgramEvaluator.words(of: program) { x, y in
        let color = before[Int(y) * width + Int(x)]
        return (x &+ color[0], y ^ color[1])
      }
      for y in 0..<height {
        for x in 0..<width {
          let word = results[(height - 1 - y) * width + x]
          colors[y * width + x] = (0..<4).map { word >> (8 * UInt32($0)) & 255 }
        }
      }
    }
    var words: [UInt32] = []
    for y in (0..<height).reversed() {
      for color in colors[y * width..<(y + 1) * width] { words += color.map { Float($0).bitPattern } }
    }
    return words
  }
}

/// What a seed makes.
enum Specimen: Hashable, Codable, Sendable {
  case program(RandomProgram)
  case chain(FilterChain)

  /// One of eight is a chain of filters.
  init(seed: UInt64) {
    self = seed % 8 == 7 ? .chain(Generator.chain(seed: seed)) : .program(Generator.program(seed: seed))
  }

  /// Its GLSL.
  var text: String {
    switch self {
    case .program(let program): ProgramPrinter.kernel(program)
    case .chain(let chain): chain.stages.indices.map { chain.text(ofStage: $0) }.joined(separator: "\n\n")
    }
  }

  var statementCount: Int {
    switch self {
    case .program(let program): program.statementCount
    case .chain(let chain): chain.stages.reduce(0) { $0 + $1.statementCount }
    }
  }
}
