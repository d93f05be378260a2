import EtalonPlan
import EtalonTypes
import Testing

/// Shared memory, barriers, atomics, and operations on the lanes of quads and subgroups.
@Suite struct WorkgroupTests {
  private static let size = Size(32, 32)
  private static let rows = OperandSet.small.rows

  /// The place in the picture of each invocation of each of the four workgroups, as indices of rows.
  private static let groups: [[Int]] = (0..<4).map { group in
    (0..<256).map { lane in
      let quad = lane / 4
      let x = group % 2 * 16 + 2 * (quad % 8) + lane % 2, y = group / 2 * 16 + 2 * (quad / 8) + lane / 2 % 2
      return y * 32 + x
    }
  }

  private func run(_ name: String, on executor: Executor) throws -> [[UInt32]] {
    let results = try executor.backend().words(
      of: Plan(KernelFile(name).kernel(), size: Self.size), uniforms: [littleEndian(Self.rows.joined())])
    try executor.checkValidation()
    return results
  }

  /// Compares a kernel whose result depends on the whole workgroup; `expected` gets the rows of the workgroup and a lane.
  private func check(_ name: String, on executor: Executor, _ expected: ([[UInt32]], Int) -> [UInt32]) throws {
    let results = try run(name, on: executor)
    for group in Self.groups {
      let rows = group.map { Self.rows[$0] }
      for (lane, pixel) in group.enumerated() { #expect(results[pixel] == expected(rows, lane), "\(name), lane \(lane)") }
    }
  }

  // MARK: Shared memory

  @Test(arguments: Executor.allCases)
  func reduction(on executor: Executor) throws {
    try check("shared/reduction.comp", on: executor) { rows, lane in
      let sum = rows.reduce(0) { $0 + $1[0] }, largest = rows.map { $0[1] }.max() ?? 0
      return [sum, largest] + rows[255 - lane][2...]
    }
  }

  @Test(arguments: Executor.allCases)
  func atomics(on executor: Executor) throws {
    try check("shared/atomics.comp", on: executor) { rows, _ in
      let x = rows.map { Int($0[0]) - 8 }, y = rows.map { $0[1] }
      let low = UInt32((x.min() ?? 0) + 100), high = UInt32((x.max() ?? 0) + 100)
      let all = rows.reduce(UInt32.max) { $0 & ($1[2] | 2) }, any = rows.reduce(UInt32(0)) { $0 | UInt32(1) << $1[2] }
      let parity = rows.reduce(UInt32(0)) { $0 ^ $1[3] }, count = rows.reduce(UInt32(0)) { $0 + $1[3] }
      let limits: UInt32 = low | high << 8 | (y.min() ?? 0) << 16 | (y.max() ?? 0) << 24
      return [limits, all ^ any, parity | count << 8, 5 + 78 + 1]
    }
  }

  @Test(arguments: Executor.allCases)
  func structures(on executor: Executor) throws {
    let results = try run("shared/structures.comp", on: executor)
    for group in Self.groups {
      let rows = group.map { Self.rows[$0].map { Float($0) } }
      for (lane, pixel) in group.enumerated() {
        let other = rows[lane ^ 5], words = Self.rows[pixel]
        let values = results[pixel].map { Float(bitPattern: $0) }
        #expect(values[0...2] == [other[2], other[3] + Float(lane ^ 5), rows[255 - lane][lane % 3]])
        // Several lanes write each entry of the table: one of them wins.
        let winner = Int(values[3])
        #expect(winner & 3 == Int(words[0] & 3) && winner >> 6 == Int(words[1] & 3))
      }
    }
  }

  @Test func outOfRange() throws {
    try check("shared/out-of-range.comp", on: .cpu) { rows, lane in [rows[lane][0], 15, 15, rows[lane][2]] }
  }

  // MARK: Quads and subgroups

  @Test(arguments: Executor.allCases)
  func quads(on executor: Executor) throws {
    try check("subgroup/quads.comp", on: executor) { rows, lane in
      [rows[lane ^ 1][0], rows[lane ^ 2][0], rows[lane ^ 3][0], rows[lane & ~3 | 2][0]]
    }
  }

  /// As `check`, for each subgroup of the size that the kernel writes to the fourth word.
  private func checkSubgroups(_ name: String, on executor: Executor, _ expected: ([[UInt32]], Int) -> [UInt32]) throws {
    let results = try run(name, on: executor)
    let subgroupSize = Int(results[0][3])
    try #require(executor == .vulkan || subgroupSize == 32)
    for group in Self.groups {
      for start in stride(from: 0, to: 256, by: subgroupSize) {
        let pixels = group[start..<start + subgroupSize], rows = pixels.map { Self.rows[$0] }
        for (lane, pixel) in pixels.enumerated() {
          #expect(Array(results[pixel][0..<3]) == expected(rows, lane), "\(name), lane \(lane) of \(subgroupSize)")
        }
      }
    }
  }

  @Test(arguments: Executor.allCases)
  func subgroupSums(on executor: Executor) throws {
    try checkSubgroups("subgroup/sums.comp", on: executor) { rows, lane in
      let x = rows.map { $0[0] }
      return [x.reduce(0, +), x[...lane].reduce(0, +), x[..<lane].reduce(0, +)]
    }
  }

  @Test(arguments: Executor.allCases)
  func subgroupLimits(on executor: Executor) throws {
    try checkSubgroups("subgroup/limits.comp", on: executor) { rows, _ in
      let product = rows.reduce(UInt32(1)) { $0 &* ($1[2] | 1) }
      let smallest = rows.map { $0[0] }.min() ?? 0, largest = rows.map { $0[1] }.max() ?? 0
      let limits: UInt32 = smallest | largest << 8 | product << 16
      let all = rows.reduce(UInt32.max) { $0 & ($1[0] | 4) }, any = rows.reduce(UInt32(0)) { $0 | UInt32(1) << $1[1] }
      return [limits, all ^ any, rows.reduce(UInt32(0)) { $0 ^ $1[3] }]
    }
  }

  @Test(arguments: Executor.allCases)
  func activeLanes(on executor: Executor) throws {
    try checkSubgroups("subgroup/active-lanes.comp", on: executor) { rows, lane in
      let first = rows.filter { $0[1] > 7 }, second = rows.filter { $0[1] <= 7 && $0[2] > 7 }
      if rows[lane][1] > 7 { return [first.reduce(0) { $0 + $1[0] }, 0, 0] }
      return [rows[lane][2] > 7 ? 200 + (second.map { $0[0] }.max() ?? 0) : 100, 0, 0]
    }
  }

  @Test(arguments: Executor.allCases)
  func ballots(on executor: Executor) throws {
    try checkSubgroups("subgroup/ballots.comp", on: executor) { rows, lane in
      let x = rows.map { $0[0] }, above = x.map { $0 > 7 }
      let votes = [x.contains(15), x.allSatisfy { $0 < 15 }, x.allSatisfy { $0 == x[0] }]
      let flags = bitMask(votes + [lane == 0, above[lane]])
      let counts = UInt32(above.count { $0 }) << 8 | UInt32(above[..<lane].count { $0 }) << 16
      return [bitMask(above), flags | counts, rows[0][1] | rows[3][1] << 8]
    }
  }

  @Test(arguments: Executor.allCases)
  func shuffles(on executor: Executor) throws {
    try checkSubgroups("subgroup/shuffles.comp", on: executor) { rows, lane in
      [rows[Int(rows[lane][1] & 7)][0], rows[lane ^ 5][0], lane < 2 ? 0 : rows[lane - 2][0]]
    }
  }
}
