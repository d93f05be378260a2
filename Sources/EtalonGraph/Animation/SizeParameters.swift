internal import EtalonManifest

extension GraphFilter {
  /// The parameters of whose values sizes, or the numbers of workgroups, are made; those of 'resize' decide about a picture in between, too.
  package var sizeParameters: Set<String> {
    let names = Set(manifest.parameters.map(\.name))
    let own: Set<String> = self == ImageOperation.resize.filter ? ["filter"] : []
    return manifest.sizeExpressions.reduce(into: own) { $0.formUnion($1.names(among: names)) }
  }
}

extension FilterManifest {
  fileprivate var sizeExpressions: [ExpressionText] {
    var expressions = targets.flatMap(\.extent.expressions) + buffers.map(\.count)
    for pass in passes {
      switch pass.coverage {
      case .pixels: break
      case .workgroups(_, let extent): expressions += extent.expressions
      case .dispatch(_, let counts): expressions += counts
      }
      if case .pixels(let x, let y) = pass.reach { expressions += [x, y] }
    }
    if case .rectangle(let x, let y, let width, let height) = extent { expressions += [x, y, width, height] }
    return expressions
  }
}

extension FilterTarget.Extent {
  fileprivate var expressions: [ExpressionText] {
    if case .expressions(let width, let height) = self { [width, height].compactMap(\.self) } else { [] }
  }
}
