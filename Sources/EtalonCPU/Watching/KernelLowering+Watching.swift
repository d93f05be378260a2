internal import CLaneKernels
internal import EtalonSPIRV

/// What lowering remembers of a kernel that is watched.
///
/// Each scalar of a local variable has a shadow: a mask of the lanes in which it was never written. Shadows travel with loads, stores and
/// composites; whatever computes with a value reports its shadow.
struct LoweringWatch {
  /// A scalar of a value that may not have been written.
  struct Part {
    /// The lanes in which it was not.
    let flag: ValueId
    /// What the author calls it: `color.a`; nil for what has no name.
    let name: String?
    /// Where it was loaded.
    let origin: Int
  }

  var table = WatchTable()
  let countsOperations: Bool
  /// Whether numbers that are read and not finite are noted.
  let notesReads: Bool
  /// Whether a zero that is stored at a debug line is one that no author wrote.
  let isAddedZero: (Int) -> Bool
  /// Whether an author wrote what stands at a debug line.
  let isAuthored: (Int) -> Bool
  /// The global variable that says whether a pixel is discarded.
  let discardFlag: String
  /// The slot of this variable; nil where no pixel is discarded.
  var discardSlot: Int?
  /// The author's function that the entry point called last: it has to write the result.
  var resultOrigin: Int?
  /// For each scalar of a value its shadow, nil for one that was written for certain; values of which all were are not in it.
  var shadows: [Id: [Part?]] = [:]
  /// The first shadow by the first slot, and by the first row, of variables.
  var shadowSlots: [Int: Int] = [:]
  var shadowRows: [Int: Int] = [:]
  /// What was last stored to a slot of a shadow without having been written: copies are reported as what they are copies of.
  var copied: [Int: Part] = [:]
  /// While parts are moved: the ids whose scalars were asked for, in place of which numbers below 0 stand.
  var moved: [Part?]?
  /// What the author calls shared variables, by their first words.
  var sharedNames: [Int: String] = [:]
  /// Which stores copy arguments of calls back to places that they share.
  let copiedArguments: CopiedArguments
  /// The variables that the compiler made for arguments of calls.
  let carriers: Set<Id>
  /// The first site that stores texels of each texture.
  private(set) var storeSites: [Int: Int] = [:]
  /// The shadow of what the last call returned.
  var returned: [ValueId] = []

  mutating func keep(storeSite site: Int, of texture: Int) { if storeSites[texture] == nil { storeSites[texture] = site } }

  init(
    _ module: SPIRVModule, countsOperations: Bool, notesReads: Bool, discardFlag: String, isAuthored: @escaping (Int) -> Bool,
    isAddedZero: @escaping (Int) -> Bool
  ) {
    (self.countsOperations, self.notesReads, self.discardFlag) = (countsOperations, notesReads, discardFlag)
    (self.isAuthored, self.isAddedZero) = (isAuthored, isAddedZero)
    copiedArguments = CopiedArguments(module)
    carriers = LoweringProbe.carriers(in: module)
  }
}

// MARK: - Instructions, calls and indices

/// What a watched kernel reports while its instructions are lowered; operations are watched in `GraphWatch`.
extension KernelLowering {
  /// Says where the nodes that follow come from, and watches operands of instructions without a result.
  func watchOperands(of instruction: Instruction) throws(Unsupported) {
    guard watch != nil, let origin = watch?.table.origin(of: instruction.index) else { return }
    builder.origin = Int32(origin)
    guard let watch else { return }
    switch instruction.opcode {
    case .OpAccessChain, .OpInBoundsAccessChain:
      for index in instruction.ids(from: 1) {
        report(watch.shadows[index], watching: nil)
      }
    case .OpImageWrite, .OpAtomicStore:
      for operand in module.idOperands(instruction) {
        report(watch.shadows[operand], watching: nil)
      }
    default: break
    }
  }

  /// Lowers a call; what it does is reported at its line too.
  func watchingCall(_ call: Instruction, _ body: () throws(Unsupported) -> [ValueId]) throws(Unsupported) -> [ValueId] {
    guard watch != nil else { return try body() }
    let origin = builder.origin
    watch?.table.enter(call: call.index)
    noteResultFunction(module.function(call.id(0)))
    let values = try body()
    watch?.table.leaveCall()
    builder.origin = origin
    guard let result = call.result, let returned = watch?.returned else { return values }
    watch?.returned = []
    let name = module.name(call.id(0)).prefix { $0 != "(" } + "()", type = module.function(call.id(0)).resultType
    let place = origin.map(Int.init) ?? -1
    let parts = returned.enumerated().map { part, flag -> LoweringWatch.Part? in
      flag == word(0) ? nil : .init(flag: flag, name: name + module.partName(of: part, in: type), origin: place)
    }
    keep(parts, of: result)
    return values
  }

  /// Remembers the author's function that the entry point calls.
  private func noteResultFunction(_ function: Function) {
    // The entry point itself is the first that is entered.
    guard nesting == 1, let line = module.location(function.instruction)?.line, watch?.isAuthored(line) ?? false else { return }
    let origin = watch?.table.origin(of: function.instruction)
    watch?.resultOrigin = origin
  }

  // MARK: Returns

  /// Notes that lanes leave a function here without a result.
  func markMissingReturn(_ activation: Activation) {
    if let slot = activation.missingReturn { slots[slot] = unwritten }
  }

  /// Watches the results that no `return` gave, where they are used.
  func watchReturn(of function: Function, isMissing: ValueId, _ results: [ValueId]) {
    guard isMissing != written, let origin = watch?.table.origin(of: function.instruction) else { return }
    let before = builder.origin
    builder.origin = Int32(origin)
    for result in results { note(.missingReturn, isMissing, origin: origin, variable: name(of: function), watched: result) }
    builder.origin = before
  }

  /// What the author calls a function: `shade()`.
  private func name(of function: Function) -> String { module.name(function.id).prefix { $0 != "(" } + "()" }

  // MARK: Conditions and indices

  /// Watches the condition of a branch.
  func watchCondition(_ id: Id, at terminator: Int) {
    guard let shadow = watch?.shadows[id] else { return }
    if let origin = watch?.table.origin(of: terminator) { builder.origin = Int32(origin) }
    report(shadow, watching: nil)
  }

  /// Watches an index that has to be below a number.
  func watchIndex(_ index: ValueId, limit: Int, at instruction: Int) {
    guard let origin = watch?.table.origin(of: instruction) else { return }
    let operands = [
      (WatchSite.Operand(name: "index", scalar: .signed), index), (WatchSite.Operand(name: "length", scalar: .unsigned), word(limit)),
    ]
    note(.index, add(LANE_OP_ule, word(limit), index), origin: origin, operands: operands)
  }

  /// Watches the level that is asked for of a texture.
  func watchLevel(_ texture: Int, _ level: ValueId, at instruction: Int) {
    guard let origin = watch?.table.origin(of: instruction), builder.graph.constantWord(level) != 0 else { return }
    let count = textureSize(texture, level: word(0), axis: 3)
    let operands = [
      (WatchSite.Operand(name: "lod", scalar: .signed), level), (WatchSite.Operand(name: "levels", scalar: .signed), count),
    ]
    note(.level, add(LANE_OP_ule, count, level), origin: origin, operands: operands)
  }

  /// Watches the texel that a fetch reads.
  func watchTexel(_ texture: Int, _ position: [ValueId], level: ValueId, axes: Int, at instruction: Int) {
    guard let origin = watch?.table.origin(of: instruction) else { return }
    var outside = word(0)
    for axis in 0..<axes {
      outside = add(LANE_OP_or, outside, add(LANE_OP_ule, textureSize(texture, level: level, axis: axis), position[axis]))
    }
    let names = ["x", "y", "z"]
    let operands = (0..<axes).map { (WatchSite.Operand(name: names[$0], scalar: .signed), position[$0]) }
    note(.texel, outside, origin: origin, operands: operands)
  }
}

// MARK: - Loops

/// Loops that take a good part of all the rounds that a workgroup may take: where they are watched, their lanes leave and the rest of the shader
/// goes on.
extension KernelLowering {
  /// The slot that counts the rounds of a loop that begins here; nil in kernels that are not watched.
  func startCounting() -> Int? { watch == nil ? nil : slots.allocate([word(0)]) }

  /// Counts a round that is followed by another, and lets the lanes leave that have no rounds left.
  func watchRound(of loop: Tree.Loop, _ rounds: Int, in activation: Activation) throws(Unsupported) {
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

// MARK: - Reach

/// Reads of textures farther from the pixel than the filter says.
extension KernelLowering {
  /// Watches a read at a normalized position, where what was read matters.
  func watchReach(_ texture: Int, _ position: [ValueId], reading read: ValueId, at instruction: Int) {
    let names = ["x away", "y away", "x reach", "y reach"]
    guard let origin = watch?.table.origin(of: instruction), position.count >= 2 else { return }
    let module = module
    let operands = names.map { WatchSite.Operand(name: $0, scalar: .float) }
    guard let site = watch?.table.site(.reach, origin: origin, operands: operands, result: nil, line: { module.location($0)?.line }) else {
      return
    }
    var arguments = [position[0], position[1], builder.constant(UInt32(texture))]
    while arguments.count < ShaderGraph.watchedPosition { arguments.append(ValueId(raw: -1)) }
    arguments.append(read)
    _ = builder.add(LANE_OP_watch_reach, arguments, immediate: UInt32(site), effect: .writes)
  }

  /// Watches a read with an offset: of the position so many texels of its coarser level away.
  func watchReach(_ texture: Int, _ position: [ValueId], steps: [ValueId], level: ValueId, reading read: ValueId, at instruction: Int) {
    guard watch != nil, !steps.isEmpty else { return watchReach(texture, position, reading: read, at: instruction) }
    let coarser = add(LANE_OP_f2i, add(LANE_OP_ceil, level))
    let moved = (0..<2).map { axis in
      let texels = add(LANE_OP_i2f, textureSize(texture, level: coarser, axis: axis))
      return add(LANE_OP_fadd, position[axis], add(LANE_OP_fdiv, add(LANE_OP_i2f, steps[axis]), texels))
    }
    watchReach(texture, moved, reading: read, at: instruction)
  }

  /// Watches a read of a whole texel: of its middle.
  func watchReach(_ texture: Int, texel: [ValueId], level: ValueId, reading read: ValueId, at instruction: Int) {
    guard watch != nil else { return }
    let position = (0..<2).map { axis in
      let middle = add(LANE_OP_fadd, add(LANE_OP_i2f, texel[axis]), number(0.5))
      return add(LANE_OP_fdiv, middle, add(LANE_OP_i2f, textureSize(texture, level: level, axis: axis)))
    }
    watchReach(texture, position, reading: read, at: instruction)
  }
}

// MARK: - Shared memory

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
    guard let name = watch?.sharedNames[first].map({ $0.isEmpty ? nil : $0 }),
      let site = site(.sharedRace, at: instruction, variable: name)
    else { return }
    let place = first == 0 ? index : add(LANE_OP_iadd, index, word(first))
    let second = value ?? self.site(.uninitializedShared, at: instruction, variable: name).map { word($0) } ?? word(0)
    let arguments = [place, second, builder.constant(access.rawValue)]
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

  /// The number of a site; nil in kernels that are not watched.
  private func site(_ kind: FindingKind, at instruction: Int, variable: String? = nil, operands: [WatchSite.Operand] = []) -> Int? {
    guard let origin = watch?.table.origin(of: instruction) else { return nil }
    let module = module
    return watch?.table.site(kind, origin: origin, variable: variable, operands: operands, result: nil) { module.location($0)?.line }
  }
}
