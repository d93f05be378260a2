internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
package import EtalonSPIRV
internal import EtalonTypes
internal import Synchronization

/// Collects what one pixel assigns to the variables of a kernel.
///
/// ```swift
/// let log = ProbeLog(x: 80, y: 45) { kernel, line in isAuthored(kernel, line) }
/// let backend = CPUBackend(.init(), probe: log)
/// ```
///
/// **Concurrency**: usable from every thread.
package final class ProbeLog: Sendable {
  /// One assignment.
  package struct Assignment: Sendable {
    package let site: ProbeSite
    /// The number of the site among those of its kernel.
    package let number: Int
    /// What was assigned to: an index into the site's names.
    package let place: Int
    /// The bits of what was assigned.
    package let words: [UInt32]

    /// The variable, or the part of it.
    package var name: String { site.names[min(place, site.names.count - 1)] }
  }

  /// What a pixel did in one run of a pass.
  package struct Trace: Sendable {
    package let kernel: Kernel
    package let frame: Int
    /// In the order in which they were made.
    package let assignments: [Assignment]
    /// How many there were; those beyond the limit are not told.
    package let count: Int
  }

  /// The most assignments that are kept.
  package static let limit = 1 << 20

  /// The name of the pass; nil for the one that renders the result.
  let pass: String?
  /// The pixel, from the lower left corner.
  let x: Int
  let y: Int
  let isAuthored: @Sendable (Kernel, Int) -> Bool
  private let known = Mutex<Trace?>(nil)

  /// - Parameters:
  ///   - pass: the name of a pass; nil for the one that renders the result.
  ///   - isAuthored: whether the author wrote what a kernel does at a debug line.
  package init(pass: String? = nil, x: Int, y: Int, isAuthored: @escaping @Sendable (Kernel, Int) -> Bool) {
    self.pass = pass
    self.x = x
    self.y = y
    self.isAuthored = isAuthored
  }

  /// What the pixel did when its pass ran last; nil where it did not run.
  package var trace: Trace? { known.withLock(\.self) }

  func set(_ trace: Trace) { known.withLock { $0 = trace } }
}

/// A place in a kernel where a variable, or a part of one, is assigned.
package struct ProbeSite: Sendable, Hashable {
  /// The debug line.
  package let line: Int
  /// What may be assigned there: `color`, `hit.normal`, or all elements of an array.
  package let names: [String]
  /// How to read the numbers that are assigned.
  package let scalar: WatchSite.Scalar
  /// How many numbers that are.
  package let count: Int
}

// MARK: - Lowering

/// What lowering remembers of a kernel that is probed.
struct LoweringProbe {
  /// Whether the author wrote what stands at a debug line.
  let isAuthored: (Int) -> Bool
  /// The variables that only carry arguments into calls.
  private let carriers: Set<Id>
  private(set) var sites: [ProbeSite] = []

  /// What the compiler calls variables of its own: copies of arguments, and of constant arrays that are indexed.
  static let carrierName = "param"
  private static let copyName = "indexable"

  init(_ module: SPIRVModule, isAuthored: @escaping (Int) -> Bool) {
    self.isAuthored = isAuthored
    carriers = Self.carriers(in: module)
  }

  /// The variables that the compiler made for arguments of calls.
  static func carriers(in module: SPIRVModule) -> Set<Id> {
    var carriers: Set<Id> = []
    for position in 0..<module.instructionCount where module[position].opcode == .OpFunctionCall {
      carriers.formUnion(module[position].ids(from: 1).filter { module.name($0) == carrierName })
    }
    return carriers
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
  func probeStore(_ instruction: Instruction, to pointer: LoweredPointer) throws(Unsupported) {
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
  private func names(of leaf: Leaf, _ pointer: LoweredPointer, _ name: String, in pointee: Id) -> (names: [String], place: ValueId) {
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

  private func scalar(of type: Id, at instruction: Int) throws(Unsupported) -> WatchSite.Scalar {
    switch try scalarKind(type, at: instruction) {
    case .bool: .boolean
    case .float, .half: .float
    case .int(let isSigned): isSigned ? .signed : .unsigned
    }
  }
}

// MARK: - Passes

/// Keeps what one pixel of a pass assigns.
struct PassProbe: PassObserver {
  private let log: ProbeLog
  private let kernel: Kernel
  private let sites: [ProbeSite]
  private let records: ProbeRecords
  let workgroups: ByteBlock?

  /// Nil for a pass without the pixel that is looked at.
  init?(_ log: ProbeLog, _ pass: Plan.Pass, kernel: Kernel, program: LaneProgram, counts: (x: Int, y: Int, z: Int)) throws(RenderError) {
    let isMeant = log.pass.map { $0 == pass.name } ?? pass.bindings.values.contains(.output(0))
    guard isMeant, case .pixels(let size) = pass.coverage, log.x < size.width, log.y < size.height else { return nil }
    self.log = log
    self.kernel = kernel
    sites = program.sites.assignments
    let order = InvocationOrder(program, counts: counts)
    records = try ProbeRecords(of: order.number(ofPixelAtX: log.x, y: log.y), capacity: ProbeLog.limit)
    let workgroup = UInt32(order.workgroup(ofPixelAtX: log.x, y: log.y))
    workgroups = pass.sizeOfFinalPixels == nil ? nil : try .of([workgroup], name: "the probe of pass '\(pass.name)'")
  }

  func begin() { records.clear() }

  func attach(to watch: inout lane_watch) { unsafe watch.probed = records.probed }

  func report(_ notes: [[lane_note]], frame: Int) {
    let assignments = records.all.map { record in
      let site = sites[Int(record.site)]
      let words = [record.operands.0, record.operands.1, record.operands.2, record.operands.3]
      return ProbeLog.Assignment(site: site, number: Int(record.site), place: Int(record.place), words: Array(words.prefix(site.count)))
    }
    log.set(ProbeLog.Trace(kernel: kernel, frame: frame, assignments: assignments, count: records.count))
  }
}

/// Owns the memory that the lane kernels write assignments to.
///
/// **Concurrency**: written by the one thread that runs the invocation; read when all threads have ended.
@safe private final class ProbeRecords: @unchecked Sendable {
  let probed: UnsafeMutablePointer<lane_probed>
  private let block: ByteBlock

  init(of invocation: Int, capacity: Int) throws(RenderError) {
    block = try ByteBlock(byteCount: capacity * MemoryLayout<lane_record>.stride, name: "the assignments of a pixel")
    unsafe probed = .allocate(capacity: 1)
    let records = unsafe UnsafeMutableRawPointer(block.start).bindMemory(to: lane_record.self, capacity: capacity)
    unsafe probed.initialize(to: lane_probed(invocation: Int64(invocation), records: records, capacity: UInt64(capacity), count: 0))
  }

  deinit { unsafe probed.deallocate() }

  /// How many assignments there were.
  var count: Int { unsafe Int(probed.pointee.count) }

  /// Those that were kept.
  var all: [lane_record] {
    unsafe Array(UnsafeBufferPointer(start: probed.pointee.records, count: min(count, Int(probed.pointee.capacity))))
  }

  func clear() { unsafe probed.pointee.count = 0 }
}
