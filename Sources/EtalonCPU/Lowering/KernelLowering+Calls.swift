internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonSPIRV

/// A function that is being inlined.
struct Activation {
  let function: Function
  let scan: ControlFlowScan
  let summary: VariableSummaries.Summary
  /// Where the result goes.
  let resultSlots: Range<Int>
  /// Where its shadow goes; empty in kernels that are not watched.
  let resultShadows: Range<Int>
  /// The slot that says in which lanes no `return` gave the result; nil in kernels that are not watched.
  let missingReturn: Int?
  /// The first slots of the `OpPhi`s of blocks.
  var phiSlots: [Id: Int] = [:]
}

extension KernelLowering {
  /// Lowers a function in place of a call and returns its result.
  func inline(_ function: Function, arguments: [Binding]) throws(Unsupported) -> [ValueId] {
    try enterNesting(at: function.instruction)
    try spend(1, at: function.instruction)
    let caller = call
    call = callCount
    callCount += 1
    defer {
      nesting -= 1
      call = caller
    }
    let flow = try controlFlow(of: function)
    for (parameter, argument) in zip(function.parameters, arguments) { self[parameter] = argument }
    let firstSlot = slots.count
    let resultCount = module.type(function.resultType) == .void ? 0 : try scalarCount(function.resultType, at: function.instruction)
    let zero = builder.constant(UInt32(0))
    let first = slots.allocate([ValueId](repeating: zero, count: resultCount * (watch == nil ? 1 : 2)))
    var activation = Activation(
      function: function, scan: ControlFlowScan(flow: flow), summary: summaries[function.id],
      resultSlots: first..<first + resultCount, resultShadows: first + resultCount..<first + resultCount * (watch == nil ? 1 : 2),
      missingReturn: watch == nil || resultCount == 0 ? nil : slots.allocate([written]))
    try allocateVariables(&activation)
    try lowerBody(activation)
    let result = activation.resultSlots.map { slots[$0] }
    watch?.returned = activation.resultShadows.map { slots[$0] }
    if let slot = activation.missingReturn { watchReturn(of: function, isMissing: slots[slot], result) }
    for id in carriersOf(function) { carriers[id] = nil }
    slots.release(from: firstSlot)
    return result
  }

  private func lowerBody(_ activation: Activation) throws(Unsupported) {
    let root = activation.scan.flow.root
    guard activation.scan.returnsEarly(root, isTail: true) else {
      _ = try lower(root, in: activation, tail: [.functionEnd])
      return
    }
    let scope = openScope(.function)
    let falls = try lower(root, in: activation, tail: [.functionEnd])
    closePlainScope(scope, bodyFallsThrough: falls)
  }

  func enterNesting(at instruction: Int?) throws(Unsupported) {
    nesting += 1
    guard nesting <= Limits.nesting else { throw Unsupported("calls and branches nested deeper than \(Limits.nesting)", at: instruction) }
    guard builder.graph.nodes.count <= Limits.nodes else {
      throw Unsupported("more than \(Limits.nodes) operations after inlining every call", at: instruction)
    }
  }

  private func controlFlow(of function: Function) throws(Unsupported) -> StructuredControlFlow {
    if let known = controlFlows[function.id] { return known }
    do throws(DiagnosticsError) {
      let flow = try StructuredControlFlow(function, in: module)
      controlFlows[function.id] = flow
      return flow
    } catch {
      throw Unsupported(error.diagnostics.first?.message ?? "this control flow", at: function.instruction)
    }
  }

  // MARK: Local variables

  private func allocateVariables(_ activation: inout Activation) throws(Unsupported) {
    let function = activation.function
    for block in function.blocks {
      for phi in module[block.phis] {
        guard let id = phi.result, let type = phi.resultType else { continue }
        if case .pointer = module.type(type) { throw Unsupported("OpPhi of pointers", at: phi.index) }
        activation.phiSlots[id] = slots.allocate(try zeros(type, at: phi.index))
      }
      for instruction in module[block.body] where instruction.opcode == .OpVariable {
        try allocateVariable(instruction, summary: activation.summary)
      }
    }
    for id in carriersOf(function) {
      guard let type = module.typeOfValue(id), let kind = module.typeIfAny(type) else { continue }
      switch kind {
      case .pointer, .image, .sampledImage, .sampler, .void: continue
      default: carriers[id] = slots.allocate(try zeros(type, at: function.instruction))
      }
    }
  }

  func zeros(_ type: Id, at instruction: Int) throws(Unsupported) -> [ValueId] {
    [ValueId](repeating: builder.constant(UInt32(0)), count: try scalarCount(type, at: instruction))
  }

  /// Values that are used outside the loop in which they are computed: they travel in slots, so that leaving the loop keeps them.
  private func carriersOf(_ function: Function) -> [Id] {
    if let known = carrierIds[function.id] { return known }
    var found: Set<Id> = []
    let hasLoop = function.blocks.contains { if case .loop? = $0.merge { true } else { false } }
    if hasLoop, let flow = controlFlows[function.id] {
      let loops = ControlFlowScan(flow: flow).loopsAround(blockCount: function.blocks.count)
      var home: [Id: Int] = [:]
      for (position, block) in function.blocks.enumerated() where !loops[position].isEmpty {
        for instruction in module[block.phis.lowerBound..<block.body.upperBound] {
          if let id = instruction.result { home[id] = position }
        }
      }
      for (position, block) in function.blocks.enumerated() {
        for instruction in module[block.phis.lowerBound..<block.terminator + 1] where instruction.operandCount > 0 {
          for word in instruction.operands {
            // A literal may be taken for an id: then a value travels in slots without need, which is harmless.
            guard let definition = home[Id(word)], !loops[position].starts(with: loops[definition]) else { continue }
            found.insert(Id(word))
          }
        }
      }
    }
    let sorted = found.sorted()
    carrierIds[function.id] = sorted
    return sorted
  }
}
