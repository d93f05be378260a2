internal import CLaneKernels
internal import EtalonSPIRV

/// Shadows of variables: which of their scalars nothing was written to.
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
  private func shadow(of pointer: Pointer) -> Pointer? {
    guard let watch else { return nil }
    switch pointer.root {
    case .slots(let first, let count):
      guard let shadow = watch.shadowSlots[first] else { return nil }
      return Pointer(root: .slots(first: shadow, count: count), type: pointer.type, offset: pointer.offset, dynamic: pointer.dynamic)
    case .rows(let first, let count):
      guard let shadow = watch.shadowRows[first] else { return nil }
      return Pointer(root: .rows(first: shadow, count: count), type: pointer.type, offset: pointer.offset, dynamic: pointer.dynamic)
    default: return nil
    }
  }

  private func isInRows(_ pointer: Pointer) -> Bool {
    if case .rows = pointer.root { true } else { false }
  }

  // MARK: Loads and stores

  /// Keeps the shadow of what was loaded.
  func loadShadows(of result: Id, from pointer: Pointer, root: Id) {
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
  private func slot(_ place: Pointer, _ part: Int) -> Int? {
    guard case .slots(let first, _) = place.root, place.dynamic == nil else { return nil }
    return first + place.offset + part
  }

  private func copied(_ place: Pointer, _ part: Int) -> LoweringWatch.Part? { slot(place, part).flatMap { watch?.copied[$0] } }

  /// Stores the shadow of a value with it, or reports it where it leaves the variables.
  func storeShadows(of instruction: Instruction, to pointer: Pointer) throws(Refusal) {
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

  /// A part that is stored: what came back from a call in a copy of the compiler's has the name of the argument that it goes to.
  private func named(_ part: LoweringWatch.Part?, _ store: Instruction, _ target: Pointer, _ place: Int) -> LoweringWatch.Part? {
    guard let part, let old = part.name, old.prefix(while: { $0 != "." && $0 != "[" }) == LoweringProbe.carrierName,
      target.dynamic == nil, let new = name(of: summaries.root(store.id(0)), scalar: target.offset + place)
    else { return part }
    return .init(flag: part.flag, name: new, origin: part.origin)
  }

  /// Notes that something was stored that has no shadow.
  func markWritten(_ pointer: Pointer, at instruction: Int) throws(Refusal) {
    guard let place = shadow(of: pointer) else { return }
    let flags = [ValueId](repeating: isInRows(pointer) ? unwritten : written, count: module.scalarCount(pointer.type))
    try store(flags, to: place, at: instruction)
  }

  /// Whether a store is the zero that a declaration without a value was given; global variables of Etalon's own start as they should.
  private func isAddedZero(_ instruction: Instruction) -> Bool {
    guard let watch, module.constant(instruction.id(1)) != nil, let words = try? constantWords(instruction.id(1)),
      words.allSatisfy({ $0 == 0 }), let line = module.location(instruction.index)?.line
    else { return false }
    if let type = module.typeOfValue(instruction.id(0)), case .pointer(.Private, _) = module.type(type), !watch.isAuthored(line) {
      return false
    }
    return watch.isAddedZero(line)
  }
}
