internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
package import EtalonSPIRV
package import EtalonTypes
internal import Synchronization

/// Collects what every pixel of a pass assigned last to one variable.
///
/// **Concurrency**: usable from every thread.
package final class VariableLog: Sendable {
  /// The variable over the picture.
  package struct Picture: Sendable {
    package let frame: Int
    package let size: Size
    /// How many of the four numbers of each pixel are used.
    package let componentCount: Int
    package let scalar: WatchSite.Scalar
    /// Four numbers for each pixel, the top row first.
    package let words: [UInt32]
    /// For each pixel whether it got to a line that assigns the variable.
    package let isAssigned: [Bool]
  }

  /// What the author calls the variable: `color`, `hit.normal`.
  let variable: String
  /// The name of the pass; nil for the one that renders the result.
  let pass: String?
  /// Whether the author wrote what a kernel does at a debug line, and wants to see it.
  let isAuthored: @Sendable (Kernel, Int) -> Bool
  private let shown = Mutex<Picture?>(nil)
  private let known = Mutex<Set<String>>([])

  package init(_ variable: String, pass: String? = nil, isAuthored: @escaping @Sendable (Kernel, Int) -> Bool) {
    self.variable = variable
    self.pass = pass
    self.isAuthored = isAuthored
  }

  /// What was assigned in the frame that was rendered last; nil where nothing assigns the variable.
  package var picture: Picture? { shown.withLock(\.self) }
  /// The variables that the pass assigns.
  package var names: [String] { known.withLock { $0.sorted() } }

  func show(_ picture: Picture) { shown.withLock { $0 = picture } }
  func add(names: some Sequence<String>) { known.withLock { $0.formUnion(names) } }
}

// MARK: - Passes

/// Keeps what all pixels of a pass assign to a variable.
struct PassVariable: PassObserver {
  private let log: VariableLog
  private let size: Size
  private let order: InvocationOrder
  private let inside: ByteBlock
  private let memory: VariableMemory
  private let componentCount: Int
  private let scalar: WatchSite.Scalar
  let workgroups: ByteBlock? = nil

  /// Nil for a pass that is not meant, or that does not assign the variable.
  init?(_ log: VariableLog, _ pass: Plan.Pass, kernel: Kernel, program: LaneProgram, counts: (x: Int, y: Int, z: Int)) throws(RenderError) {
    let isMeant = log.pass.map { $0 == pass.name } ?? pass.bindings.values.contains(.output(0))
    guard isMeant, case .pixels(let size) = pass.coverage else { return nil }
    let sites = program.sites.assignments
    log.add(names: sites.flatMap(\.names))
    let components = sites.map { site in site.names.map { Self.component(of: log.variable, in: $0) } }
    let used = zip(sites, components).filter { !$1.allSatisfy { $0 < 0 } }
    guard let first = used.first else { return nil }
    self.log = log
    self.size = size
    order = InvocationOrder(program, counts: counts)
    scalar = first.0.scalar
    componentCount = min(used.map { site, places in Int(places.max() ?? 0) + site.count }.max() ?? 1, 4)
    let name = "the picture of '\(log.variable)'"
    inside = try ByteBlock(byteCount: order.count, name: name)
    inside.fill { [order] number in
      let (x, y) = order.pixel(of: number)
      return x < size.width && y < size.height ? 1 : 0
    }
    memory = try VariableMemory(components, invocations: order.count, name: name)
  }

  /// Which component of a variable a name stands for: 0 for itself, 2 for its `.z`; -1 for none.
  private static func component(of variable: String, in name: String) -> Int8 {
    guard name.hasPrefix(variable) else { return -1 }
    let rest = name.dropFirst(variable.count)
    if rest.isEmpty { return 0 }
    return [".x", ".y", ".z", ".w"].firstIndex { $0 == rest }.map(Int8.init) ?? -1
  }

  func begin() { memory.clear() }

  func attach(to watch: inout lane_watch) {
    unsafe watch.inside = UnsafePointer(inside.start)
    unsafe watch.pictured = UnsafePointer(memory.pictured)
  }

  func report(_ notes: [[lane_note]], frame: Int) {
    let words = order.pixels(of: size) { number in (0..<4).map { unsafe memory.values.words[4 * number + $0] } }
    let isAssigned = order.pixels(of: size) { unsafe memory.isAssigned.start[$0] != 0 }
    log.show(
      VariableLog.Picture(
        frame: frame, size: size, componentCount: componentCount, scalar: scalar, words: words.flatMap(\.self), isAssigned: isAssigned))
  }
}

/// Owns the memory that the lane kernels write the values of a variable to.
///
/// **Concurrency**: each invocation writes its own part; read when all threads have ended.
@safe private final class VariableMemory: @unchecked Sendable {
  let pictured: UnsafeMutablePointer<lane_pictured>
  let values: ByteBlock
  let isAssigned: ByteBlock
  private let components: ByteBlock
  private let starts: ByteBlock

  /// - Parameter components: of each site and each of its places.
  init(_ components: [[Int8]], invocations: Int, name: String) throws(RenderError) {
    var starts: [UInt32] = [0]
    // Places of sites that are not of the variable need not be told apart.
    let kept = components.map { $0.allSatisfy { $0 < 0 } ? [] : $0 }
    for places in kept { starts.append(starts[starts.count - 1] + UInt32(places.count)) }
    self.components = try ByteBlock(byteCount: max(Int(starts[starts.count - 1]), 1), name: name)
    self.components.write(kept.flatMap { $0.map { UInt8(bitPattern: $0) } })
    self.starts = try .of(starts, name: name)
    values = try ByteBlock(byteCount: invocations * 16, name: name)
    isAssigned = try ByteBlock(byteCount: invocations, name: name)
    unsafe pictured = .allocate(capacity: 1)
    let places = unsafe UnsafeMutableRawPointer(self.components.start).bindMemory(to: Int8.self, capacity: self.components.byteCount)
    unsafe pictured.initialize(
      to: lane_pictured(components: places, starts: self.starts.words, values: values.words, is_assigned: isAssigned.start))
  }

  deinit { unsafe pictured.deallocate() }

  func clear() {
    values.clear()
    isAssigned.clear()
  }
}
