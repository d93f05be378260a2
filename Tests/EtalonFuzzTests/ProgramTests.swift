import Testing

@testable import EtalonFuzz

/// Random programs on the CPU executor, and whether the fuzzer would notice if they were wrong.
@Suite struct ProgramTests {
  /// The same programs in every run; `etalon-fuzz programs` tries others.
  @Test(arguments: 0..<6)
  func executorAndEvaluatorAgree(part: UInt64) throws {
    let trial = Trial(laboratory: try Laboratory(), subjects: Subject.executor)
    let first = 1_700_000 + part * 40
    var reports: [String] = []
    let summary = Campaign(trial: trial).run(first..<first + 40) { reports.append($0.report(devices: "cpu")) }
    #expect(reports.isEmpty, "\(reports.joined(separator: "\n"))")
    #expect(summary.ran == 40 && summary.leftOut.isEmpty)
  }

  /// Two of these programs have workgroups that are larger than the driver can require full subgroups for.
  @Test func vulkanAndEvaluatorAgree() throws {
    let trial = Trial(laboratory: try Laboratory(usesVulkan: true), subjects: [.vulkan])
    var reports: [String] = []
    let summary = Campaign(trial: trial, reduces: false).run(168..<180) { reports.append($0.report(devices: "vulkan")) }
    #expect(reports.isEmpty, "\(reports.joined(separator: "\n"))")
    #expect(summary.ran == 12)
  }

  @Test func aSeedMakesTheSameProgram() {
    let programs = (1...30).map { Generator.program(seed: $0) }
    #expect(programs == (1...30).map { Generator.program(seed: $0) })
    #expect(Set(programs).count == 30)
  }

  /// What several hundred programs are made of: everything that there is.
  @Test func everyKindOfStatementAndExpressionComes() {
    var text = ""
    for seed in UInt64(1)...300 { text += ProgramPrinter.kernel(Generator.program(seed: seed)) }
    let words = [
      "break;", "continue;", "return;", "default:", "case -1:", "while (", "do {", "for (", "else", "?", "&&", "||", "^^", "barrier();",
      "atomicAdd(",
      "atomicMin(", "subgroupAdd(", "subgroupExclusiveAdd(", "subgroupQuadSwapDiagonal(", "texelFetch(", "transpose(", "mat2x3", "mat3x3",
      "struct S1",
      "inout ", "out ", "scratch[", "const ", "bitsOf((", "sin(", "mix(", "clamp(", "dot(", "floor(", "fract(", "bitfieldReverse(",
      "bitCount(", "findMSB(", "any(", "lessThan(", "not(", ">>", "<<", " % ", " / ", "int[20]", ".zyx", "bvec3(", "void f",
    ]
    #expect(words.filter { !text.contains($0) } == [])
  }

  /// Everything that a device answers is compared.
  @Test func otherWordsFindingsAndErrorsAreDifferences() throws {
    let program = Programs.program([], end: Programs.variable(0)), subject = Subject.cpu("baseline", threads: 1, tile: nil)
    let words = try ProgramEvaluator.words(of: program)
    #expect(Trial.difference(.words(words), words, program.place, subject) == nil)
    var other = words
    other[6] += 1
    #expect(
      Trial.difference(.words(other), words, program.place, subject)?.text == "pixel (2, 1): 3, expected 2; 1 of 12 words differ")
    #expect(Trial.difference(.words([]), words, program.place, subject)?.kind == .wrongWord)
    #expect(Trial.difference(.findings(["shift-range"]), words, program.place, subject)?.kind == .finding)
    #expect(Trial.difference(.error("lost"), words, program.place, subject)?.kind == .error)
  }

  // MARK: Planted defects

  /// An executor that is wrong in one way, made of the real one by changing the program before it is compiled.
  private static func difference(_ laboratory: Laboratory, planting plant: @escaping (RandomProgram) -> RandomProgram) -> (RandomProgram) ->
    Bool
  {
    { program in
      let subject = Subject.executor[0]
      let planted = plant(program)
      guard planted != program, case .success(let kernel) = laboratory.kernel(of: planted),
        let words = try? ProgramEvaluator.words(of: program)
      else { return false }
      return Trial.difference(laboratory.run(planted, kernel, on: subject), words, program.place, subject)?.kind == .wrongWord
    }
  }

  /// Finds a program that shows a planted defect, and takes out of it what can be taken out.
  private static func reduced(planting plant: @escaping (RandomProgram) -> RandomProgram) throws -> RandomProgram {
    let differs = difference(try Laboratory(), planting: plant)
    let program = try #require((UInt64(1)...400).lazy.map { Generator.program(seed: $0) }.first(where: differs))
    let reduced = Reducer.reduce(program, while: differs)
    #expect(differs(reduced))
    return reduced
  }

  /// A part of a loop with `continue` in it, and what stood in a `switch` with `break`, are no programs.
  @Test func whatIsTriedIsAProgram() {
    for seed in UInt64(1)...12 {
      var count = 0
      _ = Reducer.reduce(Generator.program(seed: seed)) { candidate in
        count += 1
        if count < 40 { _ = try? ProgramEvaluator.words(of: candidate) }
        return !candidate.jumpsAreEnclosed
      }
      #expect(count > 0)
    }
  }

  @Test(arguments: [
    (ProgramExpression.Kind.binary(.subtract), ProgramExpression.Kind.binary(.add)), (.binary(.lessEqual), .binary(.less)),
    (.binary(.shiftRight), .binary(.shiftLeft)), (.binary(.logicalAnd), .binary(.logicalOr)), (.binary(.max), .binary(.min)),
  ])
  func aPlantedDefectIsFoundAndReduced(_ kind: ProgramExpression.Kind, _ other: ProgramExpression.Kind) throws {
    let reduced = try Self.reduced { program in
      program.replacingAll { expression in
        var copy = expression
        if copy.kind == kind { copy.kind = other }
        return copy
      }
    }
    // What is left is the operation, its operands, and next to nothing around it.
    #expect(reduced.statementCount <= 4 && reduced.expressionCount <= 20, "\(ProgramPrinter.kernel(reduced))")
    #expect(reduced.functions.count == 1 && reduced.invocationCount <= 12)
  }

  /// Ways to take control flow wrong.
  enum ControlDefect: CaseIterable {
    /// `continue` leaves the loop.
    case nextRoundLeaves
    /// A group of labels does not fall through to the next one.
    case noFallThrough
    /// The body of `do` does not run before its condition is looked at.
    case lastConditionFirst
    /// `return` inside of a loop or a switch leaves that only.
    case returnLeavesScope

    func planted(in program: RandomProgram) -> RandomProgram {
      var copy = program
      for index in copy.functions.indices { copy.functions[index].body = planted(in: copy.functions[index].body, isInScope: false) }
      return copy
    }

    private func planted(in block: [Statement], isInScope: Bool) -> [Statement] {
      block.map { statement in
        var copy = statement
        var isInner = isInScope
        switch (self, statement.kind) {
        case (.nextRoundLeaves, .nextRound): copy.kind = .leaveScope
        case (.returnLeavesScope, .leave) where isInScope: copy = Statement(kind: .leaveScope)
        case (.lastConditionFirst, .loop(.whileLast, let counter, let mask)):
          copy.kind = .loop(.whileFirst, counter: counter, mask: mask)
        case (_, .loop), (_, .choose): isInner = true
        default: break
        }
        copy.blocks = copy.blocks.map { planted(in: $0, isInScope: isInner) }
        if self == .noFallThrough, case .choose = copy.kind { copy.blocks = copy.blocks.map { $0 + [Statement(kind: .leaveScope)] } }
        return copy
      }
    }
  }

  /// Where no expression is wrong by itself, what is left is the control flow that shows it.
  @Test(arguments: ControlDefect.allCases)
  func aPlantedDefectOfControlFlowIsReduced(_ defect: ControlDefect) throws {
    let reduced = try Self.reduced { defect.planted(in: $0) }
    #expect(reduced.statementCount <= 5 && reduced.expressionCount <= 20, "\(ProgramPrinter.kernel(reduced))")
    #expect(reduced.functions.count == 1 && reduced.invocationCount <= 12)
  }
}
