internal import CLaneKernels
internal import EtalonSPIRV

/// Loops that take a good part of all the rounds that a workgroup may take: where they are watched, their lanes leave and the rest of the shader
/// goes on.
extension KernelLowering {
  /// The slot that counts the rounds of a loop that begins here; nil in kernels that nobody watches.
  func startCounting() -> Int? { watch == nil ? nil : slots.allocate([word(0)]) }

  /// Counts a round that is followed by another, and lets the lanes leave that have no rounds left.
  func watchRound(of loop: Tree.Loop, _ rounds: Int, in activation: Activation) throws(Refusal) {
    guard let origin = watch?.table.origin(of: activation.function.blocks[loop.header].terminator) else { return }
    builder.origin = Int32(origin)
    let operands = [WatchSite.Operand(name: "rounds", scalar: .unsigned)]
    let module = module
    guard
      let site = watch?.table.site(.endlessLoop, origin: origin, operands: operands, result: nil, line: { module.location($0)?.line })
    else { return }
    let count = add(LANE_OP_iadd, slots[rounds], word(1))
    slots[rounds] = count
    let most = builder.add(LANE_OP_loop_limit, [], immediate: UInt32(site), effect: .reads)
    let isOver = add(LANE_OP_ule, most, count)
    note(.endlessLoop, isOver, origin: origin, operands: [(operands[0], count)])
    _ = try branch(
      on: isOver,
      accept: {
        leave(.loop)
        return false
      }, reject: { true })
  }
}
