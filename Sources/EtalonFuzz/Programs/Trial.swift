/// How a device differs from the evaluator.
struct Difference: Sendable {
  enum Kind: String, Codable, Sendable {
    case wrongWord = "wrong word"
    case finding = "false finding"
    case error = "error"
    case refused = "refused by the compiler"
    case crash = "crash"
  }

  let kind: Kind
  /// Nil where no device was reached.
  let subject: Subject?
  /// What is different, such as `pixel (3, 4): 7, expected 9; 12 of 240 words differ`.
  let text: String

  /// What two differences of one cause have in common.
  var signature: String {
    switch kind {
    case .wrongWord, .crash: kind.rawValue
    // Behind the first number or the first operand, a smaller program says other things.
    case .finding: kind.rawValue + text.prefix { $0 != " " }
    case .error: kind.rawValue + text.prefix { !$0.isNumber && $0 != "'" }
    case .refused: kind.rawValue + text.prefix { $0 != "'" && $0 != "\n" }
    }
  }
}

/// Runs one program everywhere and compares.
struct Trial {
  enum Outcome {
    case alike
    /// The program has no exact result, and was not run.
    case leftOut(Undefined)
    case different([Difference])
  }

  let laboratory: Laboratory
  let subjects: [Subject]

  func run(_ specimen: Specimen) -> Outcome {
    switch specimen {
    case .program(let program): run(program)
    case .chain(let chain): run(chain)
    }
  }

  private func run(_ chain: FilterChain) -> Outcome {
    let expected: [UInt32]
    do { expected = try chain.words() } catch { return .leftOut(error) }
    var differences: [Difference] = []
    for subject in subjects where subject.takesChains {
      switch laboratory.run(chain, on: subject) {
      case .failure(let error): differences.append(Difference(kind: .refused, subject: subject, text: error.text))
      case .success(let answer):
        let place = { (word: Int) in "pixel (\(word / 4 % chain.width), \(chain.height - 1 - word / 4 / chain.width)), channel \(word % 4)"
        }
        if let difference = Self.difference(answer, expected, place, subject) { differences.append(difference) }
      }
    }
    return differences.isEmpty ? .alike : .different(differences)
  }

  func run(_ program: RandomProgram) -> Outcome {
    var expected: [Int: [UInt32]] = [:]
    func words(_ size: Int) throws(Undefined) -> [UInt32] {
      // Only where subgroups are seen does their size matter.
      let size = program.features.usesSubgroups ? size : 32
      if let known = expected[size] { return known }
      let words = try ProgramEvaluator.words(of: program, subgroupSize: size)
      expected[size] = words
      return words
    }
    switch laboratory.kernel(of: program) {
    case .failure(let error): return .different([Difference(kind: .refused, subject: nil, text: error.text)])
    case .success(let kernel):
      var differences: [Difference] = []
      for subject in subjects where subject.takes(program) {
        let wanted: [UInt32]
        do { wanted = try words(laboratory.subgroupSize(of: subject)) } catch { return .leftOut(error) }
        if let difference = Self.difference(laboratory.run(program, kernel, on: subject), wanted, program.place, subject) {
          differences.append(difference)
        }
      }
      return differences.isEmpty ? .alike : .different(differences)
    }
  }

  /// A smaller program that differs in the same way.
  func reduced(_ specimen: Specimen, _ difference: Difference) -> Specimen {
    let trial = Trial(laboratory: laboratory, subjects: difference.subject.map { [$0] } ?? [])
    return Reducer.reduce(specimen) { candidate in
      guard case .different(let differences) = trial.run(candidate) else { return false }
      return differences.contains { $0.signature == difference.signature }
    }
  }

  /// How an answer differs from what is expected; nil where it does not.
  static func difference(_ answer: Laboratory.Answer, _ wanted: [UInt32], _ place: (Int) -> String, _ subject: Subject) -> Difference? {
    switch answer {
    case .error(let text): return Difference(kind: .error, subject: subject, text: text)
    case .findings(let texts): return Difference(kind: .finding, subject: subject, text: texts.joined(separator: "\n"))
    case .words(let words):
      guard words.count == wanted.count else {
        return Difference(kind: .wrongWord, subject: subject, text: "\(words.count) words, expected \(wanted.count)")
      }
      let wrong = words.indices.filter { words[$0] != wanted[$0] }
      guard let first = wrong.first else { return nil }
      return Difference(
        kind: .wrongWord, subject: subject,
        text: "\(place(first)): \(words[first]), expected \(wanted[first]); \(wrong.count) of \(words.count) words differ")
    }
  }
}

extension RandomProgram {
  /// Where a word comes from: `pixel (3, 4)`, from the lower left corner.
  func place(of word: Int) -> String {
    switch coverage {
    case .picture(let width, let height, _): "pixel (\(word % width), \(height - 1 - word / width))"
    case .workgroups(let size, _): "invocation \(word % size) of workgroup \(word / size)"
    }
  }
}
