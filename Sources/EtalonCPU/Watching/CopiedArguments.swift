internal import CLaneKernels
internal import EtalonSPIRV

/// Arguments of one call that are copied back to one place.
///
/// The compiler gives each `out` and `inout` parameter a variable of its own, and copies it to the argument behind the call. GLSL leaves the order of
/// the copies open, so that two different values for one place have no defined result.
struct CopiedArguments {
  /// An earlier copy that may have gone to the same place.
  struct Meeting {
    let call: Int
    /// What the earlier one stores.
    let value: Id
    /// The indices that have to be equal for that.
    let indices: [(Id, Id)]
  }

  private var meetings: [Int: [Meeting]] = [:]

  init(_ module: SPIRVModule) {
    for position in 0..<module.instructionCount where module[position].opcode == .OpFunctionCall {
      let copies = Self.copies(behind: module[position], in: module)
      for (number, later) in copies.enumerated() {
        for earlier in copies[..<number] where earlier.argument != later.argument {
          guard let indices = Self.meetingIndices(earlier, later, in: module) else { continue }
          meetings[later.store, default: []].append(Meeting(call: position, value: earlier.value, indices: indices))
        }
      }
    }
  }

  /// The copies that come before a store and may have gone to its place.
  func meetings(at store: Int) -> [Meeting] { meetings[store] ?? [] }

  private struct Copy {
    let store: Int
    let value: Id
    /// The compiler's variable for the argument.
    let argument: Id
    let root: Id
    /// The indices that lead from the root to the place.
    let path: [Id]
  }

  private static let conversions: Set<Opcode> = [
    .OpCompositeExtract, .OpVectorShuffle, .OpConvertSToF, .OpConvertUToF, .OpConvertFToS, .OpConvertFToU, .OpBitcast, .OpSelect,
    .OpCompositeConstruct,
  ]

  /// What follows a call up to the first instruction that is no part of copying its arguments back.
  private static func copies(behind call: Instruction, in module: SPIRVModule) -> [Copy] {
    let arguments = Set(call.ids(from: 1).filter { module.definitionIfAny($0)?.opcode == .OpVariable })
    guard arguments.count > 1 else { return [] }
    var sources: [Id: Id] = [:]
    var copies: [Copy] = []
    for position in call.index + 1..<module.instructionCount {
      let instruction = module[position]
      switch instruction.opcode {
      case .OpLine, .OpNoLine, .OpAccessChain, .OpInBoundsAccessChain: continue
      case .OpLoad:
        if let result = instruction.result, arguments.contains(instruction.id(0)) { sources[result] = instruction.id(0) }
      case .OpStore:
        guard let argument = sources[instruction.id(1)] else { return copies }
        let (root, path) = place(of: instruction.id(0), in: module)
        copies.append(Copy(store: position, value: instruction.id(1), argument: argument, root: root, path: path))
      case let opcode where conversions.contains(opcode):
        if let result = instruction.result, let source = module.idOperands(instruction).lazy.compactMap({ sources[$0] }).first {
          sources[result] = source
        }
      default: return copies
      }
    }
    return copies
  }

  /// The variable that a pointer leads to, and the indices on the way.
  private static func place(of pointer: Id, in module: SPIRVModule) -> (root: Id, path: [Id]) {
    var (root, path): (Id, [Id]) = (pointer, [])
    while let chain = module.definitionIfAny(root), [.OpAccessChain, .OpInBoundsAccessChain].contains(chain.opcode) {
      path = chain.ids(from: 1) + path
      root = chain.id(0)
    }
    return (root, path)
  }

  /// The pairs of indices that have to be equal so that two places have something in common; nil where they never have.
  private static func meetingIndices(_ a: Copy, _ b: Copy, in module: SPIRVModule) -> [(Id, Id)]? {
    guard a.root == b.root else { return nil }
    var open: [(Id, Id)] = []
    for (first, second) in zip(a.path, b.path) where first != second {
      guard let x = module.scalarConstant(first), let y = module.scalarConstant(second) else {
        open.append((first, second))
        continue
      }
      if x != y { return nil }
    }
    return open
  }
}

extension KernelLowering {
  /// Watches a copy of an argument to a place that another argument of the same call was copied to.
  func watchCopy(by store: Instruction) throws(Unsupported) {
    guard let meetings = watch?.copiedArguments.meetings(at: store.index), !meetings.isEmpty else { return }
    let values = try scalars(store.id(1), at: store.index)
    let name = module.name(summaries.root(store.id(0)))
    for meeting in meetings {
      guard let origin = watch?.table.origin(of: meeting.call) else { continue }
      var meets = word(-1)
      for (a, b) in meeting.indices {
        guard let first = try scalars(a, at: store.index).first, let second = try scalars(b, at: store.index).first else { continue }
        meets = add(LANE_OP_and, meets, add(LANE_OP_ieq, first, second))
      }
      let others = try scalars(meeting.value, at: store.index)
      for (part, value) in values.enumerated() {
        // Of a whole and a part of it, it is not known which numbers meet.
        let differs = others.count == values.count ? add(LANE_OP_ine, value, others[part]) : word(-1)
        note(
          .copyOutOrder, add(LANE_OP_and, meets, differs), origin: origin, variable: name.isEmpty ? nil : name, watched: value)
      }
    }
  }
}
