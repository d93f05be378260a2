internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// How far from its own position a filter reads its pictures.
struct FilterReach {
  private let use: FilterUse
  private let size: Size
  private let evaluator: any ExpressionEvaluator

  /// - Parameter size: the size of the main picture, which expressions may mention.
  init(_ use: FilterUse, around size: Size, _ evaluator: any ExpressionEvaluator) {
    self.use = use
    self.size = size
    self.evaluator = evaluator
  }

  /// How far all passes together reach, in pixels of the result, as even numbers, so that quads stay quads; passes that read anything anywhere
  /// count as none.
  func total() throws -> (x: Int, y: Int) {
    let manifest = use.filter.manifest
    let extents = try FilterExtents(manifest, output: size, values: use.values, evaluator: evaluator)
    let scope = FilterExtents.Scope(manifest, output: size, values: use.values, evaluator: evaluator)
    let reaches = 0...FilterExtents.largestSide
    var sum = (x: 0.0, y: 0.0)
    for pass in manifest.passes {
      guard case .pixels(let x, let y) = pass.reach else { continue }
      let target = (pass.target ?? pass.stores.first?.target).flatMap { extents.targets[$0] } ?? size
      let what = "the reach of '\(pass.name)'"
      let horizontal = try scope.number(x, what: what, in: reaches, rounding: .up)
      let vertical = try scope.number(y, what: what, in: reaches, rounding: .up)
      sum.x += Double(horizontal * pass.iterations * size.width) / Double(target.width)
      sum.y += Double(vertical * pass.iterations * size.height) / Double(target.height)
    }
    return (Self.even(sum.x), Self.even(sum.y))
  }

  private static func even(_ reach: Double) -> Int { Int(min(reach / 2, Double(FilterExtents.largestSide / 2)).rounded(.up)) * 2 }
}
