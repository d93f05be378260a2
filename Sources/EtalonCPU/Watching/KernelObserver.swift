internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV

/// Who looks at what kernels do while they run.
enum KernelObserver: Sendable {
  /// What they do that has no defined result.
  case faults(WatchLog)
  /// What one pixel assigns to variables.
  case assignments(ProbeLog)
  /// What all pixels assign to one variable.
  case variable(VariableLog)

  /// What looks at one pass; nil for passes that nobody looks at.
  ///
  /// - Parameter counts: how many workgroups there are.
  func observer(
    of pass: Plan.Pass, in plan: Plan, _ program: Program, counts: (x: Int, y: Int, z: Int)
  ) throws(RenderError) -> (any PassObserver)? {
    let kernel = plan.kernels[pass.kernel]
    switch self {
    case .faults(let log): return try PassWatch(log, pass, in: plan, program: program, counts: counts)
    case .assignments(let log): return try PassProbe(log, pass, kernel: kernel, program: program, counts: counts)
    case .variable(let log): return try PassVariable(log, pass, kernel: kernel, program: program, counts: counts)
    }
  }
}

/// Looks at one pass.
///
/// **Concurrency**: `begin` before all threads, `attach` in each of them, `report` after all.
protocol PassObserver: Sendable {
  /// The numbers of the workgroups that are to run, 32 bits each; nil for all.
  var workgroups: ByteBlock? { get }
  /// Whether accesses to shared memory are compared.
  var comparesShared: Bool { get }
  func begin()
  /// Says where the thread's notes go, apart from those of sites.
  func attach(to watch: inout lane_watch)
  /// Takes what the threads noted in a frame.
  func report(_ notes: [[lane_note]], frame: Int)
}

extension PassObserver {
  var comparesShared: Bool { false }
}

extension ByteBlock {
  /// A block of 32-bit words.
  static func of(_ words: [UInt32], name: String) throws(RenderError) -> ByteBlock {
    let block = try ByteBlock(byteCount: words.count * 4, name: name)
    block.write(words)
    return block
  }

  /// A block of 64-bit words.
  static func of(_ words: [UInt64], name: String) throws(RenderError) -> ByteBlock {
    let block = try ByteBlock(byteCount: words.count * 8, name: name)
    for (place, word) in words.enumerated() { unsafe block.longWords[place] = word }
    return block
  }

  /// Its bytes as 64-bit words.
  var longWords: UnsafeMutablePointer<UInt64> { unsafe UnsafeMutableRawPointer(start).bindMemory(to: UInt64.self, capacity: byteCount / 8) }
  /// Its bytes as 32-bit words.
  var words: UnsafeMutablePointer<UInt32> { unsafe UnsafeMutableRawPointer(start).bindMemory(to: UInt32.self, capacity: byteCount / 4) }
}
