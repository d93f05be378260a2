import EtalonDiagnostics
import EtalonManifest
import EtalonPlan
import EtalonTypes
import Testing

@testable import EtalonGraph

/// A filter with parameters of all kinds, and words for reading values of them.
struct AnimationFixture {
  let manifest: FilterManifest
  let clock: ShotClock
  var tables: [String: String] = [:]

  init(rate: String = "24", first: Int = 0) throws {
    func parameter(_ name: String, _ kind: ParameterKind, _ value: [Double], _ range: ClosedRange<Double>? = nil) -> FilterParameter {
      var parameter = FilterParameter(name: name, kind: kind, defaultValue: Value(kind.valueType, value))
      parameter.minimum = range.map { range in Value(kind.valueType, value.map { _ in range.lowerBound }) }
      parameter.maximum = range.map { range in Value(kind.valueType, value.map { _ in range.upperBound }) }
      return parameter
    }
    var parameters = [
      parameter("radius", .float, [1], 0...10), parameter("speed", .float, [2]), parameter("count", .int, [3], 1...8),
      parameter("isOn", .bool, [0]), parameter("center", .point, [0.5, 0.25], 0...1), parameter("tint", .color, [1, 1, 1, 1]),
      parameter("edges", .choice, [0]), parameter("level", .float, [0]), parameter("progress", .float, [0], 0...1),
      parameter("turn", .mat2, [1, 0, 0, 1]),
    ]
    parameters[6].choices = [.init(value: 0, label: "clamp"), .init(value: 2, label: "mirror")]
    parameters[7].step = 0.25
    parameters[8].followsClock = true
    manifest = FilterManifest(
      name: "test", dialect: .native, kind: .generator, inputs: [], parameters: parameters, targets: [], passes: [])
    clock = ShotClock(first: first, rate: try #require(FrameRate(rate)))
  }

  func parameter(_ name: String) throws -> FilterParameter { try #require(manifest.parameters.first { $0.name == name }) }

  func parse(_ name: String, _ text: String) throws -> AnimatedValue {
    let place = SettingText.places(name: name, value: text).value
    return try AnimatedValue.parse(text: text, at: place, for: parameter(name), tracks: Tables(texts: tables))
  }

  func animation(_ texts: [String: String], evaluator: any ExpressionEvaluator = SumEvaluator()) throws -> Animation {
    var values: [String: AnimatedValue] = [:]
    for (name, text) in texts { values[name] = try parse(name, text) }
    return try Animation(
      values, of: manifest, over: ParameterValues(defaultsOf: manifest), clock: clock, size: Size(64, 32), evaluator: evaluator)
  }

  func readings(_ frames: ClosedRange<Int>) -> [ClockReading] { frames.map { ClockReading(frame: $0, clock: clock, range: frames) } }

  /// The components of a parameter on some frames.
  func components(of name: String, _ text: String, frames: ClosedRange<Int>) throws -> [[Double]] {
    try animation([name: text]).values(at: readings(frames)).map { $0[name]?.components ?? [] }
  }

  /// What is printed when something is refused.
  func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing is refused"
    } catch let error as DiagnosticsError {
      return DiagnosticPrinter().text(error.diagnostics)
    } catch AnimatedValue.ReadingError.diagnostics(let error) {
      return DiagnosticPrinter().text(error.diagnostics)
    } catch {
      return "\(error)"
    }
  }

  struct Tables: TrackFiles {
    let texts: [String: String]

    func table(_ path: String, from base: String?, at place: SourceRange) throws(AnimatedValue.ReadingError) -> TrackTable {
      guard let text = texts[path] else { throw .failure(RenderError(.missingInput, "no table '\(path)'")) }
      do throws(DiagnosticsError) { return try TrackTable(SourceText(path: path, text: text)) } catch { throw .diagnostics(error) }
    }
  }
}

/// Stands in for the compiler: sums and quotients of two names or numbers.
struct SumEvaluator: ExpressionEvaluator {
  struct Compiled: CompiledExpressions {
    let expressions: [GLSLExpression]

    func values(_ names: [String: Value]) throws(RenderError) -> [Value] {
      expressions.map { expression in
        let words = expression.text.split(separator: " ").map(String.init)
        func number(_ word: String) -> Double { Double(word) ?? names[word]?.components[0] ?? .nan }
        guard words.count == 3 else { return Value(expression.type, [number(words[0])]) }
        return Value(expression.type, [words[1] == "/" ? number(words[0]) / number(words[2]) : number(words[0]) + number(words[2])])
      }
    }
  }

  func compile(_ expressions: [GLSLExpression], names: [String: ValueType]) throws -> any CompiledExpressions {
    Compiled(expressions: expressions)
  }
}
