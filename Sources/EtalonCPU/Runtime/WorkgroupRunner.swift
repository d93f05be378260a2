internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonSystem
internal import Synchronization

/// Runs the workgroups of a dispatch on several threads, which take one after the other.
///
/// **Concurrency**: runs one dispatch at a time.
final class WorkgroupRunner: Sendable {
  /// Why a workgroup was stopped.
  struct Stop: Sendable {
    let reason: lane_stop
    /// Its number, along x first.
    let workgroup: Int
  }

  typealias Counts = (x: Int, y: Int, z: Int)

  private let linked: LinkedProgram
  private let isReversed: Bool
  private let constants: [ByteBlock]
  /// One for each thread.
  private let registers: [RegisterBlock]

  /// - Parameters:
  ///   - counts: the most workgroups along x, y and z that are going to run at once.
  ///   - isReversed: whether they are started from the last to the first.
  init(_ linked: LinkedProgram, counts: Counts, kernel: String, threadCount: Int, isReversed: Bool) throws(RenderError) {
    self.linked = linked
    self.isReversed = isReversed
    var constants: [ByteBlock] = []
    for words in linked.program.resources.constants {
      let block = try ByteBlock(byteCount: words.count * 4, name: "a constant array of kernel '\(kernel)'")
      block.write(words)
      constants.append(block)
    }
    self.constants = constants
    var registers: [RegisterBlock] = []
    for _ in 0..<min(threadCount, counts.x * counts.y * counts.z) {
      registers.append(try RegisterBlock(for: linked.program, kernel: kernel))
    }
    self.registers = registers
  }

  /// Runs some workgroups; returns the first that was stopped.
  ///
  /// - Parameter observer: what an observed program reports to.
  func run(
    _ counts: Counts, textures: [TextureView], buffers: [ByteBlock], limits: PassLimits, observer: (any PassObserver)? = nil
  ) -> Stop? {
    let next = WorkCounter()
    let stopped = Mutex<Stop?>(nil)
    let notes = Mutex<[[lane_note]]>([])
    observer?.begin()
    defer { observer?.report(notes.withLock { $0 }, frame: limits.frame) }
    let work: @Sendable (Int) -> Void = { [self] thread in
      var noted = [lane_note](repeating: lane_note(), count: observer == nil ? 0 : max(linked.program.sites.findings.count, 1))
      let stop = unsafe noted.withUnsafeMutableBufferPointer { noted in
        unsafe runThread(registers[thread], counts, textures, buffers, next: next, limits: limits, observer, noted.baseAddress)
      }
      if observer != nil { notes.withLock { $0.append(noted) } }
      guard let stop else { return }
      stopped.withLock { known in if known.map({ $0.workgroup > stop.workgroup }) ?? true { known = stop } }
    }
    SharedWork.perform(registers.count, work)
    return stopped.withLock { $0 }
  }

  /// The share of the rounds that a workgroup may take after which long loops are left, where they are watched.
  private static let shareOfLongLoops = 16

  private func runThread(
    _ registers: RegisterBlock, _ counts: Counts, _ textures: [TextureView], _ buffers: [ByteBlock], next: WorkCounter, limits: PassLimits,
    _ observer: (any PassObserver)?, _ notes: UnsafeMutablePointer<lane_note>?
  ) -> Stop? {
    let size = linked.program.workgroupSize
    var lanes = unsafe lane_watch()
    unsafe lanes.notes = notes
    unsafe observer?.attach(to: &lanes)
    unsafe lanes.steps_in_reserve = Int64(limits.stepLimit - limits.stepLimit / Self.shareOfLongLoops)
    unsafe lanes.invocations = UInt32(size.x * size.y * size.z)
    let races = observer?.comparesShared == true ? RaceMemory(wordCount: linked.program.resources.sharedWordCount) : nil
    unsafe lanes.races = races?.races
    defer { withExtendedLifetime(races) {} }
    let textures = unsafe textures.map { unsafe $0.descriptor }
    let buffers = unsafe buffers.map { unsafe $0.descriptor }
    let constants = unsafe constants.map { unsafe $0.constants }
    return unsafe textures.withUnsafeBufferPointer { textures in
      unsafe buffers.withUnsafeBufferPointer { buffers in
        unsafe constants.withUnsafeBufferPointer { constants in
          var context = unsafe lane_context()
          unsafe context.textures = textures.baseAddress
          unsafe context.buffers = buffers.baseAddress
          unsafe context.constants = constants.baseAddress
          unsafe context.shared = registers.shared
          unsafe context.fuel = 0
          unsafe context.steps_left = Int64(limits.stepLimit)
          unsafe context.deadline = limits.deadline
          unsafe context.cancelled = limits.cancellation?.address.assumingMemoryBound(to: Int32.self)
          let stopped = unsafe withUnsafePointer(to: lanes) { lanes in
            unsafe context.watch = observer == nil ? nil : lanes
            return unsafe runWorkgroups(registers, counts, &context, next: next, stepLimit: limits.stepLimit, observer?.workgroups)
          }
          return unsafe stopped < 0 ? nil : Stop(reason: lane_stop(UInt32(context.stop)), workgroup: Int(stopped))
        }
      }
    }
  }

  private func runWorkgroups(
    _ registers: RegisterBlock, _ counts: Counts, _ context: inout lane_context, next: WorkCounter, stepLimit: Int, _ chosen: ByteBlock?
  ) -> Int64 {
    let program = linked.program
    for batch in 0..<program.batchCount { unsafe lane_run(linked.preamble, registers.registers(batch), &context) }
    var dispatch = unsafe lane_dispatch(
      program: linked.body, workgroup: 0, count_x: UInt32(counts.x), count_y: UInt32(counts.y), count_z: UInt32(counts.z),
      batch_count: UInt32(program.batchCount), register_bytes: program.registerByteCount, shared_bytes: program.sharedByteCount,
      step_limit: Int64(stepLimit), chosen: chosen.map { unsafe UnsafePointer($0.words) },
      chosen_count: Int64((chosen?.byteCount ?? 0) / 4), is_reversed: isReversed ? 1 : 0, next: next.value)
    return unsafe lane_run_dispatch(&dispatch, registers.bytes, &context)
  }
}

/// The number of the next workgroup, which threads count up.
@safe private final class WorkCounter: @unchecked Sendable {
  let value: UnsafeMutablePointer<Int64>

  init() {
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: 0)
  }

  deinit { unsafe value.deallocate() }
}

// MARK: - Registers

/// Owns the registers that one thread runs a program with, for all batches of a workgroup, and the workgroup's shared memory.
///
/// **Concurrency**: used by one thread at a time.
@safe private final class RegisterBlock: @unchecked Sendable {
  /// The registers of the first batch; those of the next ones follow.
  let bytes: UnsafeMutablePointer<CChar>
  private let program: LaneProgram

  init(for program: LaneProgram, kernel: String) throws(RenderError) {
    let registerByteCount = program.batchCount * program.registerByteCount
    guard let memory = unsafe lane_allocate(registerByteCount + program.sharedByteCount) else {
      throw RenderError(.outOfMemory, "not enough memory for the registers of kernel '\(kernel)'")
    }
    self.program = program
    unsafe bytes = memory.bindMemory(to: CChar.self, capacity: registerByteCount + program.sharedByteCount)
    for batch in 0..<program.batchCount {
      for (offset, word) in program.constants { unsafe lane_set_scalar(registers(batch), offset, word) }
    }
  }

  /// The registers of a batch.
  func registers(_ batch: Int) -> UnsafeMutablePointer<CChar> { unsafe bytes.advanced(by: batch * program.registerByteCount) }

  /// The shared memory.
  var shared: UnsafeMutablePointer<CChar> { unsafe registers(program.batchCount) }

  deinit { unsafe lane_free(bytes) }
}

/// Owns what a thread remembers of the invocations that touched the shared memory of the workgroup that it runs.
///
/// **Concurrency**: used by one thread.
@safe private final class RaceMemory {
  let races: UnsafeMutablePointer<lane_races>
  private let words: UnsafeMutablePointer<lane_shared_word>

  init(wordCount: Int) {
    unsafe words = .allocate(capacity: max(wordCount, 1))
    unsafe words.initialize(repeating: lane_shared_word(), count: max(wordCount, 1))
    unsafe races = .allocate(capacity: 1)
    unsafe races.initialize(to: lane_races())
    unsafe races.pointee.words = words
    unsafe races.pointee.word_count = UInt32(wordCount)
  }

  deinit {
    unsafe races.deallocate()
    unsafe words.deallocate()
  }
}
