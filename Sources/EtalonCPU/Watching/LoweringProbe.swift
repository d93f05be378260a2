internal import CLaneKernels
internal import EtalonSPIRV

/// What lowering keeps in mind of a kernel that is probed.
struct LoweringProbe {
  /// Whether a person wrote what stands at a debug line.
  let isAuthored: (Int) -> Bool
  /// The variables that only carry arguments into calls.
  private let carriers: Set<Id>
  private(set) var sites: [ProbeSite] = []

  /// What the compiler calls variables of its own: copies of arguments, and of constant arrays that are indexed.
  static let carrierName = "param"
  private static let copyName = "indexable"

  init(_ module: SPIRVModule, isAuthored: @escaping (Int) -> Bool) {
    self.isAuthored = isAuthored
    var carriers: Set<Id> = []
    for position in 0..<module.instructionCount where module[position].opcode == .OpFunctionCall {
      carriers.formUnion(module[position].ids(from: 1).filter { module.name($0) == Self.carrierName })
    }
    self.carriers = carriers
  }

  /// The author's name of a variable; nil for one that no author named.
  func name(of variable: Id, in module: SPIRVModule) -> String? {
    let name = module.name(variable)
    return name.isEmpty || name == Self.copyName || carriers.contains(variable) ? nil : name
  }

  /// The number of a new site: a function has its own wherever it is called.
  mutating func add(_ site: ProbeSite) -> Int {
    sites.append(site)
    return sites.count - 1
  }
}

extension KernelLowering {
  /// A number or a vector among the scalars of a type.
  private struct Leaf {
    let type: Id
    let offset: Int
    let count: Int
  }

  /// The most numbers and vectors of one assignment that are told of.
  private static let mostLeaves = 64
  /// The most elements of an array that are told apart where an index chooses among them.
  private static let mostPlaces = 1024

  /// Keeps what a store assigns.
  func probeStore(_ instruction: Instruction, to pointer: Pointer) throws(Refusal) {
    guard let line = module.location(instruction.index)?.line, let probe, probe.isAuthored(line) else { return }
    let variable = summaries.root(instruction.id(0))
    guard let name = probe.name(of: variable, in: module), let type = module.typeOfValue(variable),
      case .pointer(_, let pointee) = module.type(type)
    else { return }
    let values = try scalars(instruction.id(1), at: instruction.index)
    var leaves: [Leaf] = []
    addLeaves(of: pointer.type, at: 0, to: &leaves)
    for leaf in leaves where leaf.offset + leaf.count <= values.count {
      let (names, place) = names(of: leaf, pointer, name, in: pointee)
      let site = ProbeSite(line: line, names: names, scalar: try scalar(of: leaf.type, at: instruction.index), count: leaf.count)
      guard let number = self.probe?.add(site) else { return }
      let operands = values[leaf.offset..<leaf.offset + leaf.count]
      _ = builder.add(LANE_OP_probe, [place] + operands, immediate: UInt32(number), effect: .writes)
    }
  }

  /// What a leaf may be called, and which of the names it is.
  private func names(of leaf: Leaf, _ pointer: Pointer, _ name: String, in pointee: Id) -> (names: [String], place: ValueId) {
    // Offsets in buffers are bytes.
    if case .buffer = pointer.root { return ([name], word(0)) }
    let start = pointer.offset + leaf.offset
    guard let dynamic = pointer.dynamic else {
      return ([name + module.partName(of: start, in: pointee, whole: leaf.type)], word(0))
    }
    let count = module.scalarCount(pointee)
    guard count <= Self.mostPlaces else { return (["\(name)[…]"], word(0)) }
    return ((0..<count).map { name + module.partName(of: start + $0, in: pointee, whole: leaf.type) }, dynamic)
  }

  private func addLeaves(of type: Id, at offset: Int, to leaves: inout [Leaf]) {
    guard leaves.count < Self.mostLeaves else { return }
    switch module.type(type) {
    case .matrix(let part, let count), .array(let part, let count):
      for index in 0..<min(count, Self.mostLeaves) { addLeaves(of: part, at: offset + index * module.scalarCount(part), to: &leaves) }
    case .structure(let members):
      for index in members.indices { addLeaves(of: members[index], at: offset + scalarOffset(of: index, in: type), to: &leaves) }
    default: leaves.append(Leaf(type: type, offset: offset, count: module.scalarCount(type)))
    }
  }

  private func scalar(of type: Id, at instruction: Int) throws(Refusal) -> WatchSite.Scalar {
    switch try scalarKind(type, at: instruction) {
    case .bool: .boolean
    case .float, .half: .float
    case .int(let isSigned): isSigned ? .signed : .unsigned
    }
  }
}
