internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

extension ImageGraph {
  /// The same with the way in which it gets the size that was asked for, decided once for all frames: with the values of the shot's first frame.
  func fitted(for request: RenderRequest, _ evaluator: any ExpressionEvaluator) -> ImageGraph {
    guard size != nil, fit == nil else { return self }
    let isAnimated = uses.contains { !$0.animated.isEmpty }
    let first = ClockReading(frame: request.clock.first, clock: request.clock, range: request.shotRange)
    var graph = self
    graph.fit = SizeFit(
      self,
      values: { tried in
        guard isAnimated else { return [:] }
        // What is wrong with values and sizes is told where they are checked on all frames.
        let animation = try? GraphAnimation(tried, at: [first], clock: request.clock, evaluator: evaluator)
        return animation?.values(onFrame: first.frame) ?? [:]
      }, evaluator: evaluator)
    return graph
  }
}
