internal import EtalonSPIRV

/// Where an invocation lies among the others.
extension Evaluator {
  func builtIn(_ builtIn: BuiltIn, _ operation: Operation) throws(Stop) -> [Interval] {
    if isOpen(builtIn) { throw unknown("'\(builtIn)', which the device chooses,", operation) }
    let own = invocations.lanes[lane], size = program.workgroupSize
    func triple(_ values: (Int, Int, Int)) -> [Interval] { [values.0, values.1, values.2].map { Interval(Double($0)) } }
    switch builtIn {
    case .WorkgroupId: return triple(own.workgroup)
    case .WorkgroupSize: return triple((size[0], size[1], size[2]))
    case .NumWorkgroups: return triple(invocations.workgroupCounts)
    case .LocalInvocationId: return triple(own.local)
    case .LocalInvocationIndex: return [Interval(Double(own.localIndex))]
    case .GlobalInvocationId:
      return triple(
        (
          own.workgroup.0 * size[0] + own.local.0, own.workgroup.1 * size[1] + own.local.1, own.workgroup.2 * size[2] + own.local.2
        ))
    case .SubgroupSize: return [Interval(Double(invocations.subgroupSize))]
    case .SubgroupId: return [Interval(Double(own.subgroup))]
    case .SubgroupLocalInvocationId: return [Interval(Double(own.lane))]
    default: throw unknown("'\(builtIn)'", operation)
    }
  }

  /// Whether devices may tell the author's text something else: how large subgroups are, and in quads which invocation is where.
  private func isOpen(_ builtIn: BuiltIn) -> Bool {
    guard !isInEtalonsFunction else { return false }
    switch builtIn {
    case .LocalInvocationId, .LocalInvocationIndex, .GlobalInvocationId: return program.isInQuads
    default: return builtIn.isAboutSubgroups
    }
  }

  var isInEtalonsFunction: Bool { current?.isEtalons ?? false }
}
