import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Testing

@testable import EtalonManifest

/// Curves and matrices as people type them, and as shaders get them.
@Suite struct ListValueTests {
  private func parameter(_ shape: ListShape) -> FilterParameter {
    let kind: ParameterKind = shape == .curve ? .curve : .matrix
    var parameter = FilterParameter(name: "p", kind: kind, defaultValue: Value(rows: [[0, 0], [1, 1]]))
    parameter.list = shape
    return parameter
  }

  private func read(_ text: String, _ shape: ListShape) throws(DiagnosticsError) -> Value {
    let source = SourceText(path: "v", text: text)
    return try ParameterCheck(parameter(shape)).read(text, at: SourceRange(source, 0..<text.utf8.count))
  }

  private static let any = ListShape.matrix(rows: 1...15, columns: 1...15)

  @Test(arguments: ["0:0,0.25:0.2,1:1", " 0 : 0 , .25:.2, 1:1", "0,0;0.25,0.2;1,1"]) func readsCurves(text: String) throws {
    let value = try read(text, .curve)
    #expect(value == Value(rows: [[0, 0], [0.25, 0.2], [1, 1]]))
    #expect(ListShape.curve.text(value) == "0:0,0.25:0.2,1:1")
    #expect(try read(ValueConversion.plainText(value), .curve) == value)
  }

  @Test(arguments: [("1", [[1.0]]), ("1,2;3,4", [[1, 2], [3, 4]]), ("1, -2e1 ,3", [[1, -20, 3]]), ("1;2", [[1], [2]])])
  func readsMatrices(text: String, rows: [[Double]]) throws {
    let value = try read(text, Self.any)
    #expect(value == Value(rows: rows))
    #expect(try read(ValueConversion.plainText(value), Self.any) == value)
  }

  @Test func readsAMatrixOfOneSizeFromOneRow() throws {
    #expect(try read("1,2,3,4", .matrix(rows: 2...2, columns: 2...2)) == Value(rows: [[1, 2], [3, 4]]))
    #expect(throws: DiagnosticsError.self) { try read("1,2,3,4", .matrix(rows: 2...3, columns: 2...2)) }
  }

  @Test(arguments: [
    ("0:0", ListShape.curve, "value.list 1:1 not from 2 to 32"), ("0:0,0:1", .curve, "value.list 1:1 not above 0"),
    ("0:0,1", .curve, "value.type 1:5 not x and y"), ("0:0,1:a", .curve, "value.type 1:7 no number"),
    ("0:0,,1:1", .curve, "value.type 1:5 a number is missing"), ("", .curve, "value.type 1:1 a number is missing"),
    ("0:0,1:1:1", .curve, "value.type 1:5 not x and y"), ("0:0,nan:1", .curve, "value.type 1:5 no number"),
    ("1,0;0", any, "value.type 1:5 1 instead of 2"), ("1,0;0,inf", any, "value.type 1:7 no number"),
    ("1,0;", any, "value.type 1:5 a number is missing"), ("1,0", .matrix(rows: 2...2, columns: 2...2), "value.list 1:1 not 2 rows of 2"),
    (String(repeating: "1,", count: 15) + "1", any, "value.list 1:1 not 1 to 15 rows of 1 to 15"),
  ]) func explainsWhatIsNone(text: String, shape: ListShape, expected: String) {
    let error = #expect(throws: DiagnosticsError.self) { try read(text, shape) }
    let found = error?.diagnostics.first
    let label = found?.labels.first
    let position = label.map { $0.source.position(at: $0.range.lowerBound) }
    #expect("\(found?.id ?? "") \(position?.line ?? 0):\(position?.column ?? 0) \(label?.message ?? "")" == expected)
  }

  // MARK: curves

  /// What a shader makes of the components, in double precision.
  private func evaluated(_ components: [Double], at x: Double) -> Double {
    let count = Int(components[0])
    func point(_ index: Int) -> [Double] { Array(components[4 * index..<4 * index + 4]) }
    let low = (1...count).last { x >= point($0)[0] } ?? 1
    let (start, way) = (point(low), x - point(low)[0])
    guard low < count, way >= 0 else { return start[1] + way * start[2] }
    let end = point(low + 1)
    let part = way / (end[0] - start[0])
    return start[1] + way * (start[2] + part * ((3 * start[3] - 2 * start[2] - end[2]) + part * (start[2] + end[2] - 2 * start[3])))
  }

  @Test func identityStaysAsItIs() {
    let components = ListPart.points.components(of: Value(rows: [[0, 0], [1, 1]]))
    #expect(components == [2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    for x in [-1, 0, 0.3, 1, 7] { #expect(evaluated(components, at: x) == x) }
  }

  @Test(arguments: [
    [[0, 0], [0.25, 0.2], [1, 1]], [[0, 0], [0.45, 0], [0.55, 1], [1, 1]], [[0, 1], [0.1, 0.95], [0.2, 0.1], [1, 0]],
    [[0, 0.5], [0.3, 0.9], [0.6, 0.1], [1, 0.5]], [[-1, -3], [0, 0], [1e-3, 5], [2, 5.001]],
  ]) func goesThroughItsPointsAndNeverBeyondThem(rows: [[Double]]) {
    let components = ListPart.points.components(of: Value(rows: rows))
    for (first, second) in zip(rows, rows.dropFirst()) {
      #expect(abs(evaluated(components, at: first[0]) - first[1]) < 1e-12)
      var before = first[1]
      for step in 1...100 {
        let y = evaluated(components, at: first[0] + (second[0] - first[0]) * Double(step) / 100)
        #expect((y - before) * (second[1] - first[1]) >= -1e-12, "at step \(step) from \(first) to \(second)")
        before = y
      }
    }
  }

  @Test func matricesOfGLSLAreFilledColumnByColumn() {
    let value = Value(rows: [[1, 2], [3, 4]])
    #expect(ListPart.columns.components(of: value) == [1, 3, 2, 4])
    #expect(ListPart.entries.components(of: value) == [1, 2, 3, 4])
    #expect(ListPart.size.components(of: Value(rows: [[1, 2, 3]])) == [3, 1])
  }
}
