internal import EtalonSPIRV

/// Questions about control flow that have to be answered before it is lowered.
struct ControlFlowScan {
  let flow: StructuredControlFlow

  /// Whether control can reach the end of a region; true when in doubt.
  func fallsThrough(_ region: StructuredControlFlow.RegionId) -> Bool {
    switch flow[region].last {
    case .exit: false
    case .selection(let selection): fallsThrough(selection.accept) || fallsThrough(selection.reject)
    default: true
    }
  }

  /// Whether a region holds a `continue` of its own loop.
  func continues(_ region: StructuredControlFlow.RegionId) -> Bool {
    flow[region].contains { statement in
      switch statement {
      case .exit(.continueLoop): true
      case .selection(let selection): continues(selection.accept) || continues(selection.reject)
      case .switching(let cases): cases.cases.contains { continues($0.body) }
      case .block, .edge, .loop, .exit: false
      }
    }
  }

  /// Whether a region returns from the function other than at its very end.
  func returnsEarly(_ region: StructuredControlFlow.RegionId, isTail: Bool) -> Bool {
    returnsEarly(flow[region][...], isTail: isTail)
  }

  private func returnsEarly(_ statements: ArraySlice<StructuredControlFlow.Statement>, isTail: Bool) -> Bool {
    for (position, statement) in zip(statements.indices, statements) {
      let isLast = position == statements.endIndex - 1
      switch statement {
      case .exit(.return), .exit(.returnValue), .exit(.unreachable): return !isTail
      case .block, .edge, .exit: continue
      case .loop(let loop):
        if returnsEarly(loop.body, isTail: false) || returnsEarly(loop.continuing, isTail: false) { return true }
      case .switching(let cases):
        let isTail = isTail && isLast && !cases.cases.contains { $0.fallsThrough }
        if cases.cases.contains(where: { returnsEarly($0.body, isTail: isTail) }) { return true }
      case .selection(let selection):
        // Where only one arm reaches the end of the selection, the rest follows that arm; the other arm is then at the end of the region.
        let acceptFalls = fallsThrough(selection.accept), rejectFalls = fallsThrough(selection.reject)
        let isAcceptTail = isTail && (isLast || (!acceptFalls && rejectFalls))
        let isRejectTail = isTail && (isLast || (acceptFalls && !rejectFalls))
        if returnsEarly(selection.accept, isTail: isAcceptTail) || returnsEarly(selection.reject, isTail: isRejectTail) { return true }
      }
    }
    return false
  }

  /// The blocks of a region and of all regions in it.
  func blocks(_ region: StructuredControlFlow.RegionId) -> [Int] {
    var found: [Int] = []
    var open = [region]
    while let next = open.popLast() {
      for statement in flow[next] {
        switch statement {
        case .block(let block): found.append(block)
        case .selection(let selection): open += [selection.accept, selection.reject]
        case .loop(let loop): open += [loop.body, loop.continuing]
        case .switching(let cases): open += cases.cases.map(\.body)
        case .edge, .exit: break
        }
      }
    }
    return found
  }

  /// The blocks whose `OpPhi`s are assigned within a region.
  func phiBlocks(_ region: StructuredControlFlow.RegionId) -> Set<Int> {
    var found: Set<Int> = []
    var open = [region]
    while let next = open.popLast() {
      for statement in flow[next] {
        switch statement {
        case .edge(_, let block): found.insert(block)
        case .selection(let selection): open += [selection.accept, selection.reject]
        case .loop(let loop): open += [loop.body, loop.continuing]
        case .switching(let cases): open += cases.cases.map(\.body)
        case .block, .exit: break
        }
      }
    }
    return found
  }

  /// For each block the loops around it, from the outside in, named by their headers.
  func loopsAround(blockCount: Int) -> [[Int]] {
    var around = [[Int]](repeating: [], count: blockCount)
    var open: [(StructuredControlFlow.RegionId, [Int])] = [(flow.root, [])]
    while let (next, loops) = open.popLast() {
      for statement in flow[next] {
        switch statement {
        case .block(let block): around[block] = loops
        case .selection(let selection): open += [(selection.accept, loops), (selection.reject, loops)]
        case .loop(let loop): open += [(loop.body, loops + [loop.header]), (loop.continuing, loops + [loop.header])]
        case .switching(let cases): open += cases.cases.map { ($0.body, loops) }
        case .edge, .exit: break
        }
      }
    }
    return around
  }
}
