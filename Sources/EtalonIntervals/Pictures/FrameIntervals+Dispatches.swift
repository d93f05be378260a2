internal import EtalonPlan
internal import EtalonTypes

/// What a dispatch that is run as a whole leaves.
struct DispatchResult {
  let targets: [FrameIntervals.PixelKey: [Int: [Interval]]]
  /// By their numbers in the plan.
  let buffers: [Int: [Interval]]
}

/// Passes over workgroups, and passes that write buffers: all of their invocations are run, in order.
extension FrameIntervals {
  func result(ofDispatch step: Int, _ pass: Plan.Pass, _ budget: Budget) throws(Stop) -> DispatchResult {
    if let known = dispatches[step] { return known }
    let program = programs[pass.kernel], surroundings = PassSurroundings(self, step, pass, budget)
    switch pass.coverage {
    case .workgroups(let columns, let rows, let layers):
      guard !program.usesSubgroups else { throw .unknown("what subgroups of workgroups do", site: program.firstSite) }
      for z in 0..<layers {
        for y in 0..<rows {
          for x in 0..<columns {
            let invocations = Invocations(workgroup: (x, y, z), of: (columns, rows, layers), size: program.workgroupSize)
            try Evaluator(program, invocations, in: surroundings, budget).run()
          }
        }
      }
    case .pixels(let size):
      for y in stride(from: 0, to: size.height, by: program.isInQuads ? 2 : 1) {
        for x in stride(from: 0, to: size.width, by: program.isInQuads ? 2 : 1) {
          let quad = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
          let invocations = Invocations(pixels: program.isInQuads ? quad : [(x, y)], isQuad: program.isInQuads, size)
          try Evaluator(program, invocations, in: surroundings, budget).run()
        }
      }
    }
    let result = DispatchResult(targets: surroundings.targets, buffers: surroundings.buffers)
    dispatches[step] = result
    return result
  }

  /// The words of a buffer when a step begins.
  func buffer(_ number: Int, before step: Int, _ budget: Budget) throws(Stop) -> [Interval] {
    let writer = (0..<step).last { plan.steps[$0].pass?.buffers.contains(number) ?? false }
    if let writer, let pass = plan.steps[writer].pass {
      if let words = try result(ofDispatch: writer, pass, budget).buffers[number] { return words }
      return try buffer(number, before: writer, budget)
    }
    if plan.buffers[number].isPersistent, let left = try bufferBefore(number, budget) { return left }
    return [Interval](repeating: Interval(0), count: plan.buffers[number].byteCount / 4)
  }
}

extension Invocations {
  /// A whole workgroup.
  init(workgroup: (Int, Int, Int), of counts: (Int, Int, Int), size: [Int]) {
    lanes = (0..<size[0] * size[1] * size[2]).map { index in
      Lane(
        workgroup: workgroup, local: (index % size[0], index / size[0] % size[1], index / size[0] / size[1]), localIndex: index,
        subgroup: index / 4, lane: index % 4)
    }
    workgroupCounts = counts
    subgroupSize = 4
  }
}
