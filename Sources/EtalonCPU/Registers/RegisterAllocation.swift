internal import CLaneKernels

/// Where each register of some code lies in the register block of a thread.
///
/// The block holds, in this order: the coordinates of the workgroup, constants, scalars, vectors, rows of local arrays.
struct RegisterAllocation: Sendable {
  /// Bytes from the start of the block by register.
  private(set) var offsets: [UInt32]
  /// Where the constants lie, with their words.
  private(set) var constants: [(offset: UInt32, word: UInt32)] = []
  private(set) var rowsStart = 0
  private(set) var byteCount = 0
  private(set) var vectorCount = 0

  /// The bytes of the coordinates of the workgroup and the number of workgroups.
  static let workgroupBytes = 6 * Int(LANE_SCALAR_BYTES)

  init(_ code: LinearCode, rowCount: Int, _ time: CompilationTime = .unlimited) throws(Refusal) {
    offsets = [UInt32](repeating: 0, count: code.registers.count)
    let ranges = try LiveRanges(code, within: time)
    var next = Self.workgroupBytes
    for (register, kind) in code.registers.enumerated() {
      switch kind {
      case .workgroup(let axis): offsets[register] = UInt32(axis * Int(LANE_SCALAR_BYTES))
      case .constant(let word):
        offsets[register] = UInt32(next)
        constants.append((UInt32(next), word))
        next += Int(LANE_SCALAR_BYTES)
      case .scalar, .vector: break
      }
    }
    let scalars = Self.scan(code, ranges, vectors: false)
    for (register, slot) in scalars.slots { offsets[register] = UInt32(next + slot * Int(LANE_SCALAR_BYTES)) }
    next += scalars.count * Int(LANE_SCALAR_BYTES)
    let vectors = Self.scan(code, ranges, vectors: true)
    vectorCount = vectors.count
    let rowBytes = Int(LANE_BATCH) * 4
    guard next + (vectors.count + rowCount) * rowBytes <= Limits.registerBytes else {
      throw Refusal("a shader that needs \(vectors.count) registers and \(rowCount) rows of local arrays")
    }
    for (register, slot) in vectors.slots { offsets[register] = UInt32(next + slot * rowBytes) }
    next += vectors.count * rowBytes
    rowsStart = next
    byteCount = next + rowCount * rowBytes
  }

  /// Gives registers of one kind slots, so that no two that are needed at the same time share one.
  private static func scan(
    _ code: LinearCode, _ ranges: LiveRanges, vectors: Bool
  ) -> (slots: [(register: Int, slot: Int)], count: Int) {
    let registers = code.registers.indices.filter { register in
      switch code.registers[register] {
      case .vector: vectors && ranges.last[register] >= 0
      case .scalar: !vectors && ranges.last[register] >= 0
      case .constant, .workgroup: false
      }
    }.sorted { (ranges.first[$0], $0) < (ranges.first[$1], $1) }
    var slots: [(register: Int, slot: Int)] = []
    slots.reserveCapacity(registers.count)
    var free: [Int] = []
    var active = ExpiryHeap()
    var count = 0
    for register in registers {
      while let slot = active.popExpired(before: ranges.first[register]) { free.append(slot) }
      let slot: Int
      if let reused = free.popLast() {
        slot = reused
      } else {
        slot = count
        count += 1
      }
      active.insert(end: ranges.last[register], slot: slot)
      slots.append((register, slot))
    }
    return (slots, count)
  }
}

/// Slots in the order in which they become free.
private struct ExpiryHeap {
  private var items: [(end: Int32, slot: Int)] = []

  mutating func insert(end: Int32, slot: Int) {
    items.append((end, slot))
    var child = items.count - 1
    while child > 0, items[(child - 1) / 2].end > items[child].end {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the slot that has been free for longest, if one is free before a position.
  mutating func popExpired(before position: Int32) -> Int? {
    guard let top = items.first, top.end < position else { return nil }
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < items.count && items[child].end < items[least].end { least = child }
      guard least != parent else { return top.slot }
      items.swapAt(least, parent)
      parent = least
    }
  }
}
