import Etalon
import EtalonDiagnostics
import EtalonPlan
import EtalonTypes
import Testing

@Suite struct ExpressionTests {
  private let evaluator = GLSLExpressionEvaluator(cache: nil)
  private let names: [String: ValueType] = ["time": .float, "frame": .int, "width": .float, "mix": .float, "center": .vec2, "on": .bool]
  private let values: [String: Value] = [
    "time": Value(.float, [0.5]), "frame": Value(.int, [7]), "width": Value(.float, [641]), "mix": Value(.float, [0.25]),
    "center": Value(.vec2, [3, 4]), "on": Value(.bool, [1]),
  ]

  private func value(_ text: String, as type: ValueType = .float) throws -> [Double] {
    try evaluator.compile([GLSLExpression(text, as: type, place: nil)], names: names).values(values)[0].components
  }

  @Test(arguments: [
    ("1/2", 0.5), ("frame/24", Double(Float(7) / 24)), ("4 + 2*(time - 0.25)", 4.5), ("floor(width/16.0)", 40),
    ("max(width*0.25, 1.0)", 160.25),
    ("length(center)", 5), ("mix(1, 3, mix)", 1.5), ("center[1]", 4), ("center.x", 3), ("on ? 1 : 0", 1), ("-time", -0.5), (" 0.75 ", 0.75),
  ])
  func readsNumbersAsAPersonMeansThem(_ text: String, _ expected: Double) throws {
    #expect(try value(text) == [expected])
  }

  @Test func evaluatesManyTogether() throws {
    let compiled = try evaluator.compile(
      [
        GLSLExpression("frame % 4", as: .int, place: nil), GLSLExpression("center*2", as: .vec2, place: nil),
        GLSLExpression("vec4(center, time, 1)", as: .vec4, place: nil), GLSLExpression("time > 0.4", as: .bool, place: nil),
        GLSLExpression("width/2", as: .int, place: nil), GLSLExpression("ivec2(-3, frame)", as: .ivec2, place: nil),
      ], names: names)
    let results = try compiled.values(values).map(\.components)
    #expect(results == [[3], [6, 8], [3, 4, 0.5, 1], [1], [320], [-3, 7]])
    var later = values
    later["frame"] = Value(.int, [-1])
    #expect(try compiled.values(later)[5].components == [-3, -1])
  }

  /// More sets than a run takes, and one that is not full.
  @Test func evaluatesManySetsOfValues() throws {
    let compiled = try evaluator.compile(
      [GLSLExpression("frame*0.5 + center.y", as: .float, place: nil), GLSLExpression("on ? frame : -frame", as: .int, place: nil)],
      names: names)
    let sets = (0..<37).map { index in
      var set = values
      set["frame"] = Value(.int, [Double(index)])
      set["center"] = Value(.vec2, [0, Double(100 * index)])
      set["on"] = Value(.bool, [Double(index % 2)])
      return set
    }
    let results = try compiled.values(sets)
    #expect(results.count == 37)
    for (index, result) in results.enumerated() {
      let turned = index % 2 == 1 ? index : -index
      let expected: [Double] = [100.5 * Double(index), Double(turned)]
      #expect(result.map { $0.components[0] } == expected)
    }
    #expect(try compiled.values(sets[5]) == results[5])
  }

  @Test func plainNumbersNeedNoKernel() throws {
    #expect(try evaluator.compile([GLSLExpression("12", as: .float, place: nil)], names: [:]).values([:])[0].components == [12])
  }

  @Test(arguments: [
    ("time + wdith", "graph.yaml:2:9: error: undeclared identifier 'wdith'"), ("vec2(1, 2)", "graph.yaml:2:2: error: "),
    ("1 + ", "graph.yaml:2:"), ("", "graph.yaml:2:2: error: an empty expression [expression.form]"),
    ("(1", "graph.yaml:2:2: error: a bracket that is never closed"), ("1); }", "graph.yaml:2:3: error: a bracket that was never opened"),
    ("1, 2", "graph.yaml:2:3: error: two expressions where one is expected"), ("time = 2", "graph.yaml:2:7: error: an expression cannot"),
    ("1; 2", "graph.yaml:2:3: error: ';' cannot be part"), ("\"a\"", "graph.yaml:2:2: error: "),
  ])
  func pointsIntoTheDocument(_ text: String, _ expected: String) throws {
    let source = SourceText(path: "graph.yaml", text: "scale:\n(\(text))\n")
    let place = GLSLExpression.Place(source, 8..<8 + text.utf8.count)
    let error = #expect(throws: DiagnosticsError.self) {
      try evaluator.compile([GLSLExpression(text, as: .float, place: place)], names: names)
    }
    let printed = DiagnosticPrinter().text(error?.diagnostics ?? [])
    #expect(printed.hasPrefix(expected), "\(printed)")
  }

  @Test func tellsTheNamesWhereNoneIsNear() {
    let error = #expect(throws: DiagnosticsError.self) {
      try evaluator.compile([GLSLExpression("sin(qqq)", as: .float, place: nil)], names: names)
    }
    let note = error?.diagnostics.first?.notes.first ?? ""
    #expect(note.hasPrefix("expressions know ") && names.keys.allSatisfy { note.contains($0) }, "\(note)")
  }
}
