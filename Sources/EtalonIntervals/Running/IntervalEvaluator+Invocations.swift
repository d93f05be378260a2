internal import EtalonSPIRV

/// Where an invocation lies among the others.
extension IntervalEvaluator {
  func builtIn(_ builtIn: BuiltIn, _ operation: IntervalOperation) throws(Stop) -> [Interval] {
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

  /// Whether the value in the author's text depends on the device: the size of subgroups and, in quads, which invocation is where.
  private func isOpen(_ builtIn: BuiltIn) -> Bool {
    guard !isInEtalonsFunction else { return false }
    switch builtIn {
    case .LocalInvocationId, .LocalInvocationIndex, .GlobalInvocationId: return program.isInQuads
    default: return builtIn.isAboutSubgroups
    }
  }

  private var isInEtalonsFunction: Bool { current?.isEtalons ?? false }
}

// MARK: - Quads

/// Operations that look at other invocations of the quad, which is all of the subgroup here.
///
/// A ballot depends on the size of the subgroup: only Etalon's own functions may ask for one, because they use the bits of their quad alone.
extension IntervalEvaluator {
  /// Whether the operation was one of them.
  func runTogether(_ operation: IntervalOperation) throws(Stop) -> Bool {
    switch operation.opcode {
    case .OpGroupNonUniformQuadSwap:
      guard let direction = constant(operation, 2, below: 3) else { throw unknown("a quad swap in no certain direction", operation) }
      try exchange(operation) { $0 ^ (direction + 1) }
    case .OpGroupNonUniformQuadBroadcast:
      guard let source = constant(operation, 2, below: 4) else { throw unknown("a broadcast from no certain invocation", operation) }
      try exchange(operation) { $0 & ~3 | source }
    case .OpGroupNonUniformBallot where isInEtalonsFunction: ballot(operation)
    case .OpGroupNonUniformBallotBitExtract where isInEtalonsFunction:
      for lane in here {
        self.lane = lane
        write(operation, 0, bit(value(operation, 1, 0), at: value(operation, 2, 0)))
      }
    case .OpGroupNonUniformBallot, .OpGroupNonUniformBallotBitExtract, .OpGroupNonUniformElect, .OpGroupNonUniformAll,
      .OpGroupNonUniformAny, .OpGroupNonUniformAllEqual,
      .OpGroupNonUniformBroadcast, .OpGroupNonUniformBroadcastFirst, .OpGroupNonUniformShuffle, .OpGroupNonUniformShuffleXor,
      .OpGroupNonUniformShuffleUp, .OpGroupNonUniformShuffleDown, .OpGroupNonUniformIAdd, .OpGroupNonUniformFAdd:
      throw unknown("'\(operation.opcode)', whose result hangs on the size of subgroups,", operation)
    default: return false
    }
    return true
  }

  private var here: [Int] { (0..<laneCount).filter { path.presence[$0] != .absent } }

  /// The number of the invocation that gives a value; nil where it is not certain, and where a quad has no such invocation.
  private func constant(_ operation: IntervalOperation, _ position: Int, below count: UInt32) -> Int? {
    self.lane = here.first ?? 0
    return value(operation, position, 0).word.flatMap { $0 < count ? Int($0) : nil }
  }

  /// Gives every invocation the value of another one; the value of an invocation that is not here is undefined.
  private func exchange(_ operation: IntervalOperation, _ partner: (Int) -> Int) throws(Stop) {
    guard laneCount == 4 else { throw unknown("an exchange outside of a quad", operation) }
    var results: [(Int, [Interval])] = []
    for lane in here {
      self.lane = lane
      let other = partner(lane)
      guard path.presence[other] != .absent else {
        results.append((lane, program.globals.unwritten(operation.resultType)))
        continue
      }
      self.lane = other
      let theirs = values(operation, 1)
      let cause = path.causes[other], isSure = path.presence[other] == .certain
      let absent = isSure ? [] : program.globals.unwritten(operation.resultType)
      results.append((lane, isSure ? theirs : zip(theirs, absent).map { $0.joined($1, because: cause) }))
    }
    for (lane, values) in results {
      self.lane = lane
      write(operation, values)
    }
  }

  /// A bit for each invocation that certainly votes so, and in the upper end one for each that possibly does.
  private func ballot(_ operation: IntervalOperation) {
    var (certain, possible) = (0, 0)
    var cause: Cause?
    for lane in here {
      self.lane = lane
      let vote = value(operation, 1, 0)
      if vote.high == 1 { possible |= 1 << lane }
      if vote.low == 1, path.presence[lane] == .certain { certain |= 1 << lane } else { cause = cause ?? vote.cause ?? path.causes[lane] }
    }
    var bits = Interval(Double(certain), Double(possible))
    if certain != possible { bits.cause = cause }
    for lane in here {
      self.lane = lane
      write(operation, [bits] + [Interval](repeating: Interval(0), count: 3))
    }
  }

  private func bit(_ ballot: Interval, at index: Interval) -> Interval {
    guard let index = index.word, index < 32 else { return Interval(0, 1, like: index).because(.index) }
    if ballot.low >= 0, UInt32(ballot.low) >> index & 1 == 1 { return .trueValue }
    if ballot.low >= 0, UInt32(ballot.high) >> index & 1 == 0 { return .falseValue }
    return Interval(0, 1, like: ballot).because(.comparison)
  }
}
