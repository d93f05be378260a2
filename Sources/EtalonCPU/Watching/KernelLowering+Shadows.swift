internal import CLaneKernels
internal import EtalonSPIRV

/// Shadows of variables: which of their scalars were never written.
extension KernelLowering {
  var written: ValueId { word(0) }
  var unwritten: ValueId { word(-1) }

  // MARK: Variables

  /// The shadows that follow the scalars of a variable in its slots.
  func shadowsOfVariable(count: Int, isInitialized: Bool) -> [ValueId] {
    watch == nil ? [] : [ValueId](repeating: isInitialized ? written : unwritten, count: count)
  }

  func noteShadows(ofSlots first: Int, count: Int) {
    guard watch != nil else { return }
    watch?.shadowSlots[first] = first + count
    for slot in first + count..<first + 2 * count { watch?.copied[slot] = nil }
  }

  /// Makes the shadows of a local array, in rows of its own, where there is room for them.
  func makeShadows(ofRows first: Int, count: Int) {
    guard watch != nil, count <= Limits.rows - resources.rowCount else { return }
    let shadow = resources.rowCount
    resources.rowCount += count
    _ = builder.add(LANE_OP_fill_rows, [], immediate: UInt32(shadow), second: UInt32(count), effect: .writes)
    watch?.shadowRows[first] = shadow
  }

  /// Where the shadows of what a pointer leads to lie; nil where there are none.
  private func shadow(of pointer: LoweredPointer) -> LoweredPointer? {
    guard let watch else { return nil }
    switch pointer.root {
    case .slots(let first, let count):
      guard let shadow = watch.shadowSlots[first] else { return nil }
      return LoweredPointer(root: .slots(first: shadow, count: count), type: pointer.type, offset: pointer.offset, dynamic: pointer.dynamic)
    case .rows(let first, let count):
      guard let shadow = watch.shadowRows[first] else { return nil }
      return LoweredPointer(root: .rows(first: shadow, count: count), type: pointer.type, offset: pointer.offset, dynamic: pointer.dynamic)
    default: return nil
    }
  }

  private func isInRows(_ pointer: LoweredPointer) -> Bool {
    if case .rows = pointer.root { true } else { false }
  }

  // MARK: Loads and stores

  /// Keeps the shadow of what was loaded.
  func loadShadows(of result: Id, from pointer: LoweredPointer, root: Id) {
    guard watch != nil else { return }
    watch?.shadows[result] = nil
    guard let place = shadow(of: pointer), let loaded = try? load(place, at: 0) else { return }
    // Rows start with zeros, so there a written scalar is what is not 0.
    let flags = isInRows(pointer) ? loaded.map { add(LANE_OP_not, $0) } : loaded
    let origin = builder.origin.map(Int.init) ?? -1
    let parts = flags.enumerated().map { part, flag -> LoweringWatch.Part? in
      guard flag != written else { return nil }
      // Where control flowed together, it is no longer only the copy that may not have been written.
      if let known = copied(place, part), known.flag == flag { return .init(flag: flag, name: known.name, origin: known.origin) }
      return .init(flag: flag, name: name(of: root, scalar: pointer.offset + part, isChosen: pointer.dynamic != nil), origin: origin)
    }
    keep(parts, of: result)
  }

  /// The slot of a part of a shadow; nil where it is chosen while the shader runs.
  private func slot(_ place: LoweredPointer, _ part: Int) -> Int? {
    guard case .slots(let first, _) = place.root, place.dynamic == nil else { return nil }
    return first + place.offset + part
  }

  private func copied(_ place: LoweredPointer, _ part: Int) -> LoweringWatch.Part? { slot(place, part).flatMap { watch?.copied[$0] } }

  /// Stores the shadow of a value with it, or reports it where it leaves the variables.
  func storeShadows(of instruction: Instruction, to pointer: LoweredPointer) throws(Unsupported) {
    guard let watch else { return }
    let value = instruction.id(1)
    guard let place = shadow(of: pointer) else { return report(watch.shadows[value], watching: nil) }
    var flags =
      watch.shadows[value]?.map { $0?.flag ?? written } ?? [ValueId](repeating: written, count: module.scalarCount(pointer.type))
    if isAddedZero(instruction) { flags = flags.map { _ in unwritten } }
    for part in flags.indices {
      if let slot = slot(place, part) { self.watch?.copied[slot] = named(watch.shadows[value]?[part], instruction, pointer, part) }
    }
    if isInRows(pointer) { flags = flags.map { add(LANE_OP_not, $0) } }
    try store(flags, to: place, at: instruction.index)
  }

  /// A part that is stored: a value that a call left in the compiler's copy of an argument has the name of that argument.
  private func named(_ part: LoweringWatch.Part?, _ store: Instruction, _ target: LoweredPointer, _ place: Int) -> LoweringWatch.Part? {
    guard let part, let old = part.name, old.prefix(while: { $0 != "." && $0 != "[" }) == LoweringProbe.carrierName,
      target.dynamic == nil, let new = name(of: summaries.root(store.id(0)), scalar: target.offset + place)
    else { return part }
    return .init(flag: part.flag, name: new, origin: part.origin)
  }

  /// Notes that a value without a shadow was stored.
  func markWritten(_ pointer: LoweredPointer, at instruction: Int) throws(Unsupported) {
    guard let place = shadow(of: pointer) else { return }
    let flags = [ValueId](repeating: isInRows(pointer) ? unwritten : written, count: module.scalarCount(pointer.type))
    try store(flags, to: place, at: instruction)
  }

  /// Whether a store is the zero that a declaration without a value was given; global variables that Etalon adds start with their right values, and arguments
  /// of calls have theirs.
  private func isAddedZero(_ instruction: Instruction) -> Bool {
    guard let watch, !watch.carriers.contains(summaries.root(instruction.id(0))), module.constant(instruction.id(1)) != nil,
      let words = try? constantWords(instruction.id(1)),
      words.allSatisfy({ $0 == 0 }), let line = module.location(instruction.index)?.line
    else { return false }
    if let type = module.typeOfValue(instruction.id(0)), case .pointer(.Private, _) = module.type(type), !watch.isAuthored(line) {
      return false
    }
    return watch.isAddedZero(line)
  }
}

// MARK: - Values

/// Shadows of values: what becomes of them in instructions.
extension KernelLowering {
  /// Keeps the shadow of a value, unless every scalar was written or it has to outlive a loop.
  func keep(_ parts: [LoweringWatch.Part?], of id: Id) {
    watch?.shadows[id] = carriers[id] == nil && parts.contains { $0 != nil } ? parts : nil
  }

  /// The flags of a value.
  func flags(_ id: Id) -> [ValueId] {
    if let parts = watch?.shadows[id] { return parts.map { $0?.flag ?? written } }
    guard let type = module.typeOfValue(id) else { return [] }
    return [ValueId](repeating: written, count: module.scalarCount(type))
  }

  private static let moving: Set<Opcode> = [
    .OpCompositeConstruct, .OpCompositeExtract, .OpCompositeInsert, .OpVectorShuffle, .OpTranspose, .OpCopyLogical,
  ]

  /// What becomes of the shadows of the operands of an instruction with a result.
  func watchResult(of instruction: Instruction, type: Id) throws(Unsupported) {
    guard let watch, let result = instruction.result else { return }
    self.watch?.shadows[result] = nil
    let shadowed = module.idOperands(instruction).filter { watch.shadows[$0] != nil }
    guard !shadowed.isEmpty else { return }
    if Self.moving.contains(instruction.opcode) { return keep(try moved(instruction, type: type), of: result) }
    let results = try scalars(result, at: instruction.index)
    guard instruction.opcode == .OpSelect else {
      for id in shadowed { report(watch.shadows[id], watching: results) }
      return
    }
    report(watch.shadows[instruction.id(0)], watching: results)
    keep(try selected(instruction), of: result)
  }

  private func selected(_ instruction: Instruction) throws(Unsupported) -> [LoweringWatch.Part?] {
    let conditions = try scalars(instruction.id(0), at: instruction.index)
    let a = flags(instruction.id(1)), b = flags(instruction.id(2))
    let parts = (watch?.shadows[instruction.id(1)], watch?.shadows[instruction.id(2)])
    guard a.count == b.count, !conditions.isEmpty else { throw misfit(instruction) }
    return a.indices.map { place in
      guard let known = parts.0?[place] ?? parts.1?[place] else { return nil }
      let flag = add(LANE_OP_select, conditions[min(place, conditions.count - 1)], a[place], b[place])
      return .init(flag: flag, name: known.name, origin: known.origin)
    }
  }

  /// The parts of a composite: it is put together from numbers that stand for the parts of its operands.
  private func moved(_ instruction: Instruction, type: Id) throws(Unsupported) -> [LoweringWatch.Part?] {
    watch?.moved = []
    defer { watch?.moved = nil }
    let numbers = try composite(instruction, type: type) ?? []
    let parts = watch?.moved ?? []
    return numbers.map { number in
      let place = -2 - Int(number.index)
      return parts.indices.contains(place) ? parts[place] : nil
    }
  }

  /// Numbers for the parts of a value that is being moved.
  func movedScalars(_ id: Id, at instruction: Int?) throws(Unsupported) -> [ValueId] {
    guard let type = module.typeOfValue(id) else { throw Unsupported("a value without a type", at: instruction) }
    let start = watch?.moved?.count ?? 0, count = try scalarCount(type, at: instruction)
    let parts = watch?.shadows[id] ?? [LoweringWatch.Part?](repeating: nil, count: count)
    watch?.moved? += parts
    return (0..<count).map { ValueId(raw: Int32(-2 - start - $0)) }
  }
}

// MARK: - Reports

/// Watches for what shadows tell, with the author's names.
extension KernelLowering {
  /// Watches the scalars of a shadow, each where what it leads to matters.
  ///
  /// - Parameter results: what is computed from them; nil where their use cannot be dropped.
  func report(_ parts: [LoweringWatch.Part?]?, watching results: [ValueId]?) {
    guard let parts else { return }
    for (place, part) in parts.enumerated() {
      guard let part, part.flag != written else { continue }
      var watched: ValueId?
      if let results { watched = results.count == parts.count ? results[place] : results.first }
      if let result = resultOrigin(readAt: part.origin) {
        // A pixel that is discarded needs no result.
        let isMissing = watch?.discardSlot.map { add(LANE_OP_and, part.flag, add(LANE_OP_not, slots[$0])) } ?? part.flag
        note(.unwrittenResult, isMissing, origin: result, variable: part.name, watched: watched)
      } else {
        note(.uninitialized, part.flag, origin: part.origin, variable: part.name, watched: watched)
      }
    }
  }

  /// The author's function that has to write what is read at an origin; nil where the author reads it.
  private func resultOrigin(readAt origin: Int) -> Int? {
    guard let watch, origin >= 0, let result = watch.resultOrigin else { return nil }
    let lines = watch.table.lines(of: origin) { module.location($0)?.line }
    return lines.contains(where: watch.isAuthored) ? nil : result
  }

  /// The author's name for a scalar of a variable: `color.a`, `weights[3]`.
  ///
  /// - Parameter isChosen: whether an index that is only known while the shader runs chooses the element: `weights[…]`.
  func name(of variable: Id, scalar: Int, isChosen: Bool = false) -> String? {
    let name = module.name(variable)
    guard !name.isEmpty, let pointer = module.typeOfValue(variable), case .pointer(_, let pointee) = module.type(pointer) else {
      return nil
    }
    let part = module.partName(of: scalar, in: pointee)
    guard isChosen else { return name + part }
    return part.contains("[0]") ? name + part.replacing("[0]", with: "[…]") : name
  }

  /// Adds a watch.
  func note(
    _ kind: FindingKind, _ condition: ValueId, origin: Int, variable: String? = nil, operands: [(WatchSite.Operand, ValueId)] = [],
    watched: ValueId? = nil
  ) {
    guard watch != nil, origin >= 0 else { return }
    let module = module
    guard
      let site = watch?.table.site(
        kind, origin: origin, variable: variable, operands: operands.map(\.0), result: nil, line: { module.location($0)?.line })
    else { return }
    var arguments = [condition] + operands.prefix(4).map(\.1)
    if let watched {
      while arguments.count < ShaderGraph.watchedPosition { arguments.append(ValueId(raw: -1)) }
      arguments.append(watched)
    }
    _ = builder.add(LANE_OP_watch, arguments, immediate: UInt32(site), effect: .writes)
  }
}

extension SPIRVModule {
  /// `.y`, `[2]`, `.member.x`: a scalar of a type, counted from its first; nothing for a scalar.
  ///
  /// - Parameter whole: a type whose parts are not told apart: `.member`.
  func partName(of scalar: Int, in type: Id, whole: Id? = nil) -> String {
    if type == whole { return "" }
    switch self.type(type) {
    case .vector(_, let count): return scalar < count ? ".\(["x", "y", "z", "w"][scalar])" : ""
    case .matrix(let column, let count), .array(let column, let count):
      let size = max(scalarCount(column), 1)
      return scalar / size < count ? "[\(scalar / size)]" + partName(of: scalar % size, in: column, whole: whole) : ""
    case .structure(let members):
      var rest = scalar
      for (index, member) in members.enumerated() {
        let size = scalarCount(member)
        if rest < size { return ".\(memberName(type, index))" + partName(of: rest, in: member, whole: whole) }
        rest -= size
      }
      return ""
    default: return ""
    }
  }
}
