internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// Keeps what one pixel of a pass assigns.
struct PassProbe: PassObserver {
  private let log: ProbeLog
  private let kernel: Kernel
  private let sites: [ProbeSite]
  private let records: ProbeRecords
  let workgroups: ByteBlock?

  /// Nil for a pass without the pixel that is looked at.
  init?(_ log: ProbeLog, _ pass: Plan.Pass, kernel: Kernel, program: Program, counts: (x: Int, y: Int, z: Int)) throws(RenderError) {
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
