internal import CLaneKernels
internal import EtalonSPIRV

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
    _ kind: FaultKind, _ condition: ValueId, origin: Int, variable: String? = nil, operands: [(WatchSite.Operand, ValueId)] = [],
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
