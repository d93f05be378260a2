import Testing

@testable import EtalonFuzz

/// The evaluator against results that were worked out by hand.
@Suite struct EvaluatorTests {
  /// The result of an expression of two numbers, `x` (variable 0) and `y` (variable 1), for one invocation at (3, 2) in a picture of 4x3 pixels.
  private func value(_ expression: ProgramExpression) throws -> UInt32 {
    try words(of: Programs.program([], end: expression))[3]
  }

  private func words(of program: RandomProgram) throws -> [UInt32] { try ProgramEvaluator.words(of: program) }

  private func binary(_ operation: ProgramExpression.Binary, _ x: Int32, _ y: Int32) -> ProgramExpression {
    Programs.bits(ProgramExpression(kind: .binary(operation), type: .int, operands: [.literal(x), .literal(y)]))
  }

  @Test(
    arguments: [
      (ProgramExpression.Binary.add, Int32.max, 1, Int32.min), (.subtract, Int32.min, 1, Int32.max), (.multiply, 65_536, 65_537, 65_536),
      // The divisor is one more than the low four bits.
      (.divide, -7, 1, -3), (.divide, 100, 31, 6), (.remainder, 17, 4, 2), (.remainder, -1, 15, 15), (.shiftLeft, 3, 33, 6),
      (.shiftRight, -8, 1, -4), (.and, 12, 10, 8), (.or, 12, 10, 14), (.xor, 12, 10, 6), (.min, -3, 2, -3), (.max, -3, 2, 2),
    ] as [(ProgramExpression.Binary, Int32, Int32, Int32)])
  func signedOperations(_ operation: ProgramExpression.Binary, _ x: Int32, _ y: Int32, _ expected: Int32) throws {
    #expect(try value(binary(operation, x, y)) == UInt32(bitPattern: expected))
  }

  @Test(
    arguments: [
      (ProgramExpression.Unary.bitCount, UInt32(0xF0F0), UInt32(8)), (.findLSB, 0, .max), (.findLSB, 8, 3), (.findMSB, 0, .max),
      (.findMSB, 0x8000_0000, 31),
      (.bitfieldReverse, 1, 0x8000_0000), (.complement, 0, .max), (.negate, 1, .max),
    ] as [(ProgramExpression.Unary, UInt32, UInt32)])
  func bitOperations(_ operation: ProgramExpression.Unary, _ x: UInt32, _ expected: UInt32) throws {
    #expect(try value(ProgramExpression(kind: .unary(operation), type: .uint, operands: [.literal(x)])) == expected)
  }

  @Test func theHighestBitOfASignedNumberIsNotItsSign() throws {
    let found = ProgramExpression(kind: .unary(.findMSB), type: .int, operands: [.literal(Int32(-2))])
    #expect(try value(Programs.bits(found)) == 0)
  }

  @Test func floatsAreExactOrRefused() throws {
    func product(_ x: Float, _ y: Float) -> ProgramExpression {
      let operands = [x, y].map { ProgramExpression(kind: .literal([$0.bitPattern]), type: .float) }
      return ProgramExpression(
        kind: .unary(.bits), type: .uint, operands: [ProgramExpression(kind: .binary(.multiply), type: .float, operands: operands)])
    }
    #expect(try value(product(1.5, -2.5)) == Float(-3.75).bitPattern)
    #expect(try value(product(-1, 0)) == 0)
    #expect(throws: Undefined.inexactFloat) { try value(product(0.1, 3)) }
    #expect(throws: Undefined.inexactFloat) { try value(product(10_000, 10_000)) }
  }

  @Test func matricesTimesVectors() throws {
    // Columns (1, 2) and (3, 4): times (5, 6) that is (23, 34), and from the left (17, 39).
    let matrix = ProgramExpression(kind: .literal([1, 2, 3, 4].map { Float($0).bitPattern }), type: .matrix(columns: 2, rows: 2))
    let vector = ProgramExpression(kind: .literal([5, 6].map { Float($0).bitPattern }), type: .vector(.float, 2))
    func component(_ operands: [ProgramExpression], _ index: UInt32) throws -> UInt32 {
      let product = ProgramExpression(kind: .binary(.multiply), type: .vector(.float, 2), operands: operands)
      let scalar = ProgramExpression(kind: .element, type: .float, operands: [product, .literal(index)])
      return try value(ProgramExpression(kind: .convert, type: .uint, operands: [scalar]))
    }
    #expect(try component([matrix, vector], 0) == 23 && component([matrix, vector], 1) == 34)
    #expect(try component([vector, matrix], 0) == 17 && component([vector, matrix], 1) == 39)
  }

  // MARK: Control flow

  /// The results for x = 0, 1 and 3 of a loop of seven rounds which adds the counter, skips round 2, and leaves where the counter is `x`.
  @Test(
    arguments: [
      (.counted, [0, 0, 1]), (.endless, [0, 0, 1]), (.whileFirst, [26, 0, 1]), (.whileLast, [26, 0, 1]),
    ] as [(Statement.Loop, [UInt32])])
  func loopsWithJumps(_ loop: Statement.Loop, _ expected: [UInt32]) throws {
    let sum = 2, counter = 3
    func same(_ x: ProgramExpression, _ y: ProgramExpression) -> ProgramExpression {
      ProgramExpression(kind: .binary(.equal), type: .bool, operands: [x, y])
    }
    func when(_ condition: ProgramExpression, _ kind: Statement.Kind) -> Statement {
      Statement(kind: .branch, expressions: [condition], blocks: [[Statement(kind: kind)], []])
    }
    let body = [
      when(same(Programs.variable(counter), .literal(UInt32(2))), .nextRound),
      when(same(Programs.variable(counter), Programs.variable(0)), .leaveScope),
      Statement(
        kind: .assign,
        expressions: [
          Programs.variable(sum),
          ProgramExpression(kind: .binary(.add), type: .uint, operands: [Programs.variable(sum), Programs.variable(counter)]),
        ]),
    ]
    let program = Programs.program(
      [
        Statement(kind: .declare(sum), expressions: [.literal(UInt32(0))]),
        Statement(kind: .loop(loop, counter: counter, mask: 7), expressions: [.literal(UInt32(7)), .literal(true)], blocks: [body]),
      ], locals: 2, end: Programs.variable(sum))
    let row = Array(try words(of: program).prefix(4))
    // Round 2 is skipped: x = 2 never leaves, and has the sum of all the others.
    let all: UInt32 = loop == .counted || loop == .endless ? 21 - 2 : 28 - 2
    #expect(row == [expected[0], expected[1], all, expected[2]])
  }

  @Test func switchesFallThroughAndHaveADefaultAnywhere() throws {
    // switch (int(x)) { case 1: r += 1; default: r += 10; break; case 3: r += 100; }
    let result = 2
    func add(_ amount: UInt32) -> Statement {
      let sum = ProgramExpression(kind: .binary(.add), type: .uint, operands: [Programs.variable(result), .literal(amount)])
      return Statement(kind: .assign, expressions: [Programs.variable(result), sum])
    }
    let selector = ProgramExpression(kind: .convert, type: .int, operands: [Programs.variable(0)])
    let choice = Statement(
      kind: .choose([[1], [nil], [3]]), expressions: [selector],
      blocks: [[add(1)], [add(10), Statement(kind: .leaveScope)], [add(100)]])
    let program = Programs.program(
      [Statement(kind: .declare(result), expressions: [.literal(UInt32(0))]), choice], locals: 1, end: Programs.variable(result))
    #expect(try Array(words(of: program).prefix(4)) == [10, 11, 10, 100])
  }

  @Test func indicesTakeTheRemainder() throws {
    let array = ProgramExpression(kind: .literal([4, 5, 6]), type: .array(.uint, 3))
    #expect(try value(ProgramExpression(kind: .element, type: .uint, operands: [array, .literal(UInt32(7))])) == 5)
  }

  // MARK: Invocations that wait for each other

  @Test func quadsExchangeTheirPixels() throws {
    let place = ProgramExpression(
      kind: .binary(.add), type: .uint,
      operands: [
        Programs.variable(0),
        ProgramExpression(kind: .binary(.multiply), type: .uint, operands: [Programs.variable(1), .literal(UInt32(10))]),
      ])
    for (direction, change) in [(1, (1, 0)), (2, (0, 1)), (3, (1, 1))] {
      var program = Programs.program([], end: ProgramExpression(kind: .quadSwap(direction), type: .uint, operands: [place]))
      program.coverage = .picture(width: 5, height: 4, isInQuads: true)
      let words = try words(of: program)
      for y in 0..<4 { for x in 0..<5 { #expect(words[(3 - y) * 5 + x] == UInt32((x ^ change.0) + 10 * (y ^ change.1))) } }
    }
  }

  @Test func subgroupsKnowWhoIsThere() throws {
    // if (x is odd) r = subgroupAdd(x);
    let result = 2
    let isOdd = ProgramExpression(
      kind: .convert, type: .bool,
      operands: [ProgramExpression(kind: .binary(.and), type: .uint, operands: [Programs.variable(0), .literal(UInt32(1))])])
    let sum = ProgramExpression(kind: .subgroup(.add), type: .uint, operands: [Programs.variable(0)])
    var program = Programs.program(
      [
        Statement(kind: .declare(result), expressions: [.literal(UInt32(7))]),
        Statement(
          kind: .branch, expressions: [isOdd], blocks: [[Statement(kind: .assign, expressions: [Programs.variable(result), sum])], []]),
      ], locals: 1, end: Programs.variable(result))
    program.coverage = .workgroups(size: 8, count: 1)
    #expect(try ProgramEvaluator.words(of: program, subgroupSize: 32) == [7, 16, 7, 16, 7, 16, 7, 16])
    #expect(try ProgramEvaluator.words(of: program, subgroupSize: 4) == [7, 4, 7, 4, 7, 12, 7, 12])
  }

  @Test func exchangesGoRoundTheWorkgroup() throws {
    let result = 2
    var program = Programs.program(
      [
        Statement(kind: .declare(result), expressions: [.literal(UInt32(0))]),
        Statement(kind: .exchange(distance: 3), expressions: [Programs.variable(result), Programs.variable(0)]),
      ], locals: 1, end: Programs.variable(result))
    program.coverage = .workgroups(size: 5, count: 2)
    program.sharedCount = 5
    #expect(try words(of: program) == [3, 4, 0, 1, 2, 3, 4, 0, 1, 2])
  }

  @Test func aBarrierThatSomeDoNotReachIsUndefined() throws {
    let exchange = Statement(kind: .exchange(distance: 1), expressions: [Programs.variable(0), Programs.variable(0)])
    let isFirst = ProgramExpression(kind: .binary(.less), type: .bool, operands: [Programs.variable(0), .literal(UInt32(2))])
    var program = Programs.program([Statement(kind: .branch, expressions: [isFirst], blocks: [[exchange], []])], end: Programs.variable(0))
    program.coverage = .workgroups(size: 4, count: 1)
    program.sharedCount = 4
    #expect(throws: Undefined.divergentBarrier) { try words(of: program) }
  }
}

/// Programs for tests.
enum Programs {
  static func variable(_ number: Int) -> ProgramExpression { ProgramExpression(kind: .variable(number), type: .uint) }

  static func bits(_ expression: ProgramExpression) -> ProgramExpression {
    ProgramExpression(kind: .convert, type: .uint, operands: [expression])
  }

  /// A function of a pixel, variables 0 and 1, with some variables of its own, over four by three pixels.
  static func program(_ body: [Statement], locals: Int = 0, end: ProgramExpression) -> RandomProgram {
    var program = RandomProgram(coverage: .picture(width: 4, height: 3, isInQuads: false))
    program.variables = (0..<2 + locals).map { .init(type: .uint, storage: $0 < 2 ? .parameter(.copied) : .local) }
    program.uniforms = Array(repeating: 0, count: 12)
    program.functions = [
      .init(result: .uint, parameters: [0, 1], body: body, end: end, isUniform: true, hasEffects: true, requiredCount: 0)
    ]
    return program
  }
}
