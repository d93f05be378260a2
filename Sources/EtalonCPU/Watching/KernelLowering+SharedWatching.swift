internal import CLaneKernels
internal import EtalonSPIRV

/// How an invocation touches shared memory.
package enum SharedAccess: UInt32, Sendable, Hashable {
  case reads = 0
  case writes = 1
  case isAtomic = 2
}

/// What a watched kernel reports of memory that its invocations have in common.
extension KernelLowering {
  /// Watches an access to a word of shared memory.
  ///
  /// - Parameters:
  ///   - first: the first word of the variable.
  ///   - value: what is written.
  func watchShared(_ index: ValueId, first: Int, _ access: SharedAccess, value: ValueId?, at instruction: Int) {
    guard let name = watch?.sharedNames[first], let site = site(.sharedRace, at: instruction, variable: name.isEmpty ? nil : name) else {
      return
    }
    let place = first == 0 ? index : add(LANE_OP_iadd, index, word(first))
    let arguments = [place, value ?? word(0), builder.constant(access.rawValue)]
    _ = builder.add(LANE_OP_watch_shared, arguments, immediate: UInt32(site), effect: .writes)
  }

  /// Watches a barrier of workgroups.
  func watchBarrier(_ instruction: Instruction) {
    let workgroupScope: UInt64 = 2
    guard module.scalarConstant(instruction.id(0)) == workgroupScope, let site = site(.divergentBarrier, at: instruction.index) else {
      return
    }
    _ = builder.add(LANE_OP_watch_barrier, [word(0)], immediate: UInt32(site), effect: .writes)
  }

  /// Watches the texel that is stored.
  func watchStore(_ texture: Int, _ position: [ValueId], at instruction: Int) {
    let operands = ["x", "y"].map { WatchSite.Operand(name: $0, scalar: .signed) }
    guard let site = site(.storedTwice, at: instruction, operands: operands) else { return }
    watch?.keep(storeSite: site, of: texture)
    let arguments = [position[0], position[1], builder.constant(UInt32(texture))]
    _ = builder.add(LANE_OP_watch_stored, arguments, immediate: UInt32(site), effect: .writes)
  }

  /// The number of a site; nil in kernels that nobody watches.
  private func site(_ kind: FaultKind, at instruction: Int, variable: String? = nil, operands: [WatchSite.Operand] = []) -> Int? {
    guard let origin = watch?.table.origin(of: instruction) else { return nil }
    let module = module
    return watch?.table.site(kind, origin: origin, variable: variable, operands: operands, result: nil) { module.location($0)?.line }
  }
}
