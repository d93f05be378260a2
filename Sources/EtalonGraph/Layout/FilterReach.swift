internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// How far from its own position a filter reads its pictures.
struct FilterReach {
  private let filter: GraphFilter
  private let values: ParameterValues
  private let size: Size
  private let evaluator: any ExpressionEvaluator

  /// - Parameter size: the size of the main picture, which expressions may mention.
  init(_ filter: GraphFilter, _ values: ParameterValues, around size: Size, _ evaluator: any ExpressionEvaluator) {
    self.filter = filter
    self.values = values
    self.size = size
    self.evaluator = evaluator
  }

  /// How far all passes together reach, in pixels of the result, as even numbers, so that quads stay quads; passes that read anything anywhere
  /// count as none.
  func total() throws -> (x: Int, y: Int) {
    let manifest = filter.manifest
    let extents = try FilterExtents(manifest, output: size, values: values, evaluator: evaluator)
    var sum = (x: 0.0, y: 0.0)
    for pass in manifest.passes {
      guard let (x, y) = try pixels(of: pass) else { continue }
      let target = (pass.target ?? pass.stores.first?.target).flatMap { extents.targets[$0] } ?? size
      sum.x += Double(max(0, x) * pass.iterations * size.width) / Double(target.width)
      sum.y += Double(max(0, y) * pass.iterations * size.height) / Double(target.height)
    }
    return (Self.even(sum.x), Self.even(sum.y))
  }

  /// How far a pass reaches, in pixels of what it writes; nil for anywhere, and below 0 where nothing needs what it reads.
  func pixels(of pass: PassSource) throws -> (x: Int, y: Int)? {
    guard case .pixels(let x, let y) = pass.reach else { return nil }
    return (try number(x, of: pass), try number(y, of: pass))
  }

  private func number(_ expression: ExpressionText, of pass: PassSource) throws -> Int {
    if let number = Int(expression.text), expression.place == nil { return number }
    let scope = FilterExtents.Scope(filter.manifest, output: size, values: values, evaluator: evaluator)
    let reaches = -FilterExtents.largestSide...FilterExtents.largestSide
    return try scope.number(expression, what: "the reach of '\(pass.name)'", in: reaches, rounding: .up)
  }

  private static func even(_ reach: Double) -> Int { Int(min(reach / 2, Double(FilterExtents.largestSide / 2)).rounded(.up)) * 2 }
}
