internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

extension ImageGraph {
  /// The same with the way in which it gets the size that was asked for, decided once for all frames: with the values of the shot's first frame.
  func fitted(for request: RenderRequest, _ evaluator: any ExpressionEvaluator) -> ImageGraph {
    guard size != nil, fit == nil else { return self }
    var values: [ContentHash: ParameterValues] = [:]
    if uses.contains(where: { !$0.animated.isEmpty }) {
      var natural = self
      natural.size = nil
      let first = ClockReading(frame: request.clock.first, clock: request.clock, range: request.shotRange)
      // What is wrong with values and sizes is told where they are checked on all frames.
      let animation = try? GraphAnimation(natural, at: [first], clock: request.clock, evaluator: evaluator)
      values = animation?.values(onFrame: first.frame) ?? [:]
    }
    var graph = self
    graph.fit = SizeFit(self, values: values, evaluator: evaluator)
    return graph
  }
}
