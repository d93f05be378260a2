import EtalonTypes
import Testing

/// Branches, loops, calls and arrays in integers, pixel by pixel against the same function in Swift.
@Suite struct ControlFlowTests {
  private func check(_ text: String, _ expected: (UInt32, UInt32) -> UInt32, location: SourceLocation = #_sourceLocation) throws {
    let size = Size(33, 18)
    let words = try GLSL.run(GLSL.kernel("control-flow", text), size: size)
    var wrong: [String] = []
    for row in 0..<size.height {
      for x in 0..<size.width {
        let y = size.height - 1 - row
        let actual = words[row * size.width + x], wanted = expected(UInt32(x), UInt32(y))
        if actual != wanted { wrong.append("(\(x), \(y)): \(actual), expected \(wanted)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) pixels differ, first \(wrong.first ?? "")", sourceLocation: location)
  }

  @Test func nestedBranches() throws {
    try check("uint result(uint x, uint y) { if (x > y) { if (x % 3u == 0u) return 1u; x += 7u; } else if (y > 9u) x = y * 2u; return x; }")
    {
      var x = $0
      let y = $1
      if x > y {
        if x % 3 == 0 { return 1 }
        x += 7
      } else if y > 9 {
        x = y * 2
      }
      return x
    }
  }

  @Test func chainOfReturnsWithMoreBehindIt() throws {
    try check("uint result(uint x, uint y) { if (x < 9u) return 1u; else if (y < 7u) return 2u; else if (x < 20u) x += y; return x; }") {
      if $0 < 9 { return 1 }
      if $1 < 7 { return 2 }
      return $0 < 20 ? $0 + $1 : $0
    }
  }

  @Test func returnInTheArmThatComesBack() throws {
    let text = """
      uint result(uint x, uint y) {
        uint sum = y;
        if (x > 12u) { if (y > 12u) { sum += 5u; } else { if (x > 25u) return sum; sum *= 3u; } } else { return 7u; }
        for (uint i = 0u; i < 3u; i++) { if (sum > 40u) { if (y == i) return 1u; sum -= x; } else if (sum == 9u) return 2u; sum++; }
        return sum;
      }
      """
    try check(text) { x, y in
      var sum = y
      guard x > 12 else { return 7 }
      if y > 12 {
        sum += 5
      } else {
        if x > 25 { return sum }
        sum *= 3
      }
      for i in UInt32(0)..<3 {
        if sum > 40 {
          if y == i { return 1 }
          sum -= x
        } else if sum == 9 {
          return 2
        }
        sum += 1
      }
      return sum
    }
  }

  @Test func loopWithBreakContinueAndReturn() throws {
    let text = """
      uint f(uint x, uint y) {
        uint sum = 0u;
        for (uint i = 0u; i < x; i++) {
          if (i % 4u == y % 4u) continue;
          if (sum > 60u + y) break;
          sum += i;
          if (sum == 21u) return 1000u + i;
        }
        return sum;
      }
      uint result(uint x, uint y) { return f(x, y) * 2u + f(y, x); }
      """
    func f(_ x: UInt32, _ y: UInt32) -> UInt32 {
      var sum: UInt32 = 0
      for i in 0..<x {
        if i % 4 == y % 4 { continue }
        if sum > 60 + y { break }
        sum += i
        if sum == 21 { return 1000 + i }
      }
      return sum
    }
    try check(text) { f($0, $1) * 2 + f($1, $0) }
  }

  @Test func nestedLoopsThatExchangeTheirVariables() throws {
    let text = """
      uint result(uint x, uint y) {
        uint a = x, b = y, rounds = 0u;
        while (b != 0u) {
          for (uint k = 0u; ; k++) { if (k >= b % 3u) break; rounds += k + 1u; }
          uint rest = a % b; a = b; b = rest;
        }
        return a * 256u + rounds;
      }
      """
    try check(text) {
      var (a, b, rounds): (UInt32, UInt32, UInt32) = ($0, $1, 0)
      while b != 0 {
        var k: UInt32 = 0
        while k < b % 3 {
          rounds += k + 1
          k += 1
        }
        (a, b) = (b, a % b)
      }
      return a * 256 + rounds
    }
  }

  @Test func doLoopWithUniformExit() throws {
    let text = """
      uint result(uint x, uint y) {
        uint n = 0u, i = 0u;
        do { i++; if (i == 5u) break; if ((x + i) % 2u == 0u) continue; n += i * y; } while (i < 20u);
        return n + i;
      }
      """
    try check(text) { x, y in
      var (n, i): (UInt32, UInt32) = (0, 0)
      repeat {
        i += 1
        if i == 5 { break }
        if (x + i) % 2 == 0 { continue }
        n += i * y
      } while i < 20
      return n + i
    }
  }

  /// An arm that is entered by all or by none, with a jump that only some lanes take, something costly that is worth skipping where no lane is
  /// left, and a jump of all others at its end.
  @Test(arguments: [(5, 3), (5, 30), (50, 3)], [2, 40] as [UInt32])
  func aJumpOfSomeLanesInAnArmThatEndsInAJump(_ sides: (width: Int, height: Int), _ column: UInt32) throws {
    let isWide = sides.width == 5, isHigh = sides.height == 3
    let costly = "a += 31u + uint(sin(v) + cos(v * 2.0) + exp(v * 0.01) + tan(v * 0.01) > 100.0);"
    let start = "uint result(uint x, uint y) { uint a = 1u; float v = float(x);"
    let arm = "if (etalonEnd.x > \(sides.width)) { if (x > \(column)u) { if (etalonEnd.y > \(sides.height)) JUMP; } \(costly) JUMP; }"
    func leaves(_ x: UInt32) -> Bool { x > column && isHigh }
    // The picture has 33 by 18 pixels.
    let loop = "\(start) for (int i = 0; i < 3; i++) { \(arm) a += 7u; } return a; }"
    try check(loop.replacing("JUMP", with: "break")) { x, _ in isWide ? (leaves(x) ? 1 : 32) : 22 }
    try check(loop.replacing("JUMP", with: "continue")) { x, _ in isWide ? (leaves(x) ? 1 : 94) : 22 }
    let function = "\(start) \(arm.replacing("JUMP", with: "return a")) return a + 7u; }"
    try check(function) { x, _ in isWide ? (leaves(x) ? 1 : 32) : 8 }
    let choice = """
      \(start)
      switch (etalonEnd.x & 1) {
        case 1: if (y < 9u) a += 100u; \(arm.replacing("JUMP", with: "break")) a += 7u;
        case 0: a += 1000u; break;
        default: a += 5u;
      }
      return a; }
      """
    try check(choice) { x, y in (y < 9 ? 100 : 0) + (isWide ? (leaves(x) ? 1 : 32) : 1008) }
  }

  /// A `continue` that all lanes take or none, in a loop that some lanes have left for its next round before or leave in the other arm.
  @Test(arguments: [5, 100], ["", "a += 100u;"]) func aContinueOfAllLanesBesideOneOfSome(_ width: Int, _ tail: String) throws {
    let isTaken = width == 5, later: UInt32 = tail.isEmpty ? 0 : 100
    let jumps: [(text: String, adds: UInt32)] = [
      ("continue;", 0), ("if (true) { continue; }", 0), ("if (i < 9u) { continue; }", 0), ("switch (int(i)) { default: continue; }", 0),
      ("switch (0) { default: case 8: case 6: a += 2u; continue; }", 2),
    ]
    for jump in jumps {
      let other = "else { switch (int(y)) { case 8: a += 1u; continue; } a += 3u; }"
      for (arms, otherwise) in [("{ \(jump.text) a = 0u; }", false), ("{ if (i > 9u) a = 0u; else { \(jump.text) } } \(other)", true)] {
        let text = """
          uint result(uint x, uint y) {
            uint a = 1u;
            for (uint i = 0u; i < 7u; i++) {
              a += 10u;
              if (y == 7u) continue;
              if (etalonEnd.x > \(width)) \(arms)
              \(tail)
            }
            return a;
          }
          """
        try check(text) { _, y in
          if y == 7 { return 71 }
          if isTaken { return 71 + 7 * jump.adds }
          return 71 + 7 * (!otherwise ? later : y == 8 ? 1 : 3 + later)
        }
      }
    }
  }

  /// The same with the jump in either arm, and where what follows both arms sees who is left.
  @Test func lanesThatAreLeftBehindAnArmThatEndsInAJump() throws {
    let text = """
      uint result(uint x, uint y) {
        uint a = 0u;
        float v = float(x);
        for (uint i = 0u; i < 4u; i++) {
          if (etalonEnd.x + int(i) > 34) {
            if (y % 3u == i % 3u) continue;
            a += 3u + uint(sin(v) + cos(v * 2.0) + exp(v * 0.01) + tan(v * 0.01) > 100.0);
            if (etalonEnd.y > 100) break;
          } else {
            if (x % 4u == i) { if (etalonEnd.y < 30) break; }
            a += 50u + uint(sin(v) + cos(v * 2.0) + exp(v * 0.01) + tan(v * 0.01) > 100.0);
            continue;
          }
          a += subgroupAdd(1u) > 0u ? 1000u : 0u;
        }
        return a;
      }
      """
    try check(text) { x, y in
      var a: UInt32 = 0
      for i in UInt32(0)..<4 {
        if 33 + i > 34 {
          if y % 3 == i % 3 { continue }
          a += 3
        } else {
          if x % 4 == i { break }
          a += 50
          continue
        }
        a += 1000
      }
      return a
    }
  }

  @Test func switchesThatFallThrough() throws {
    let text = """
      uint g(uint x) { switch (x) { case 0u: return 9u; case 7u: case 8u: x += 1u; break; default: return x; } return x * 3u; }
      uint result(uint x, uint y) {
        uint n = 0u;
        for (uint i = 0u; i < 4u; i++) {
          switch ((x + i) % 6u) {
            case 0u: n += 1u;
            case 1u: n += 10u; break;
            case 2u: if (y > 8u) break; n += 100u;
            case 3u: n += 1000u; continue;
            default: n += 5u;
          }
          n += i;
        }
        return n * 16u + g(y);
      }
      """
    func g(_ x: UInt32) -> UInt32 { x == 0 ? 9 : x == 7 || x == 8 ? (x + 1) * 3 : x }
    try check(text) { x, y in
      var n: UInt32 = 0
      for i in 0..<UInt32(4) {
        switch (x + i) % 6 {
        case 0: n += 11
        case 1: n += 10
        case 2:
          if y <= 8 {
            n += 1100
            continue
          }
        case 3:
          n += 1000
          continue
        default: n += 5
        }
        n += i
      }
      return n * 16 + g(y)
    }
  }

  @Test func arraysThatAreIndexedWhileTheShaderRuns() throws {
    let text = """
      const uint table[12] = uint[](5u, 3u, 8u, 1u, 9u, 2u, 7u, 4u, 6u, 0u, 11u, 10u);
      struct Pair { uint a[20]; uvec3 v; };
      void add(inout Pair pair, uint at) { pair.a[at % 20u] += at; pair.v[at % 3u] += 1u; }
      uint result(uint x, uint y) {
        Pair pair;
        for (uint i = 0u; i < 20u; i++) pair.a[i] = table[i % 12u];
        pair.v = uvec3(0u);
        for (uint i = 0u; i < y; i++) add(pair, x + i * i);
        return pair.a[x % 20u] + 100u * pair.v[y % 3u] + table[(x * y) % 12u];
      }
      """
    try check(text) { x, y in
      let table: [UInt32] = [5, 3, 8, 1, 9, 2, 7, 4, 6, 0, 11, 10]
      var a = (0..<20).map { table[$0 % 12] }
      var v: [UInt32] = [0, 0, 0]
      for i in 0..<y {
        let at = x + i * i
        a[Int(at % 20)] += at
        v[Int(at % 3)] += 1
      }
      return a[Int(x % 20)] + 100 * v[Int(y % 3)] + table[Int(x * y % 12)]
    }
  }

  @Test func indicesOutOfRangeMeanTheLastElement() throws {
    let text = """
      uint result(uint x, uint y) {
        uint a[16];
        for (uint i = 0u; i < 16u; i++) a[i] = i * i;
        a[x + 4u] = 7u;
        return a[y * 2u];
      }
      """
    try check(text) { x, y in
      let written = min(x + 4, 15), read = min(y * 2, 15)
      return written == read ? 7 : read * read
    }
  }

  @Test func subgroupsSeeOnlyActiveLanes() throws {
    let text = """
      uint result(uint x, uint y) {
        uint n = 0u;
        if (x % 3u == 0u) n = subgroupAdd(1u) * 100u + subgroupBallotBitCount(subgroupBallot(y % 2u == 0u));
        return n + subgroupQuadSwapHorizontal(gl_SubgroupInvocationID % 4u);
      }
      """
    let words = try GLSL.run(GLSL.kernel("subgroups", text), size: Size(16, 16))
    // A subgroup is two rows of sixteen pixels: six columns of each are multiples of three, and one of the rows is even.
    for row in 0..<16 {
      for x in 0..<16 {
        let active: UInt32 = x % 3 == 0 ? 12 * 100 + 6 : 0
        #expect(words[row * 16 + x] == active + UInt32(x % 4 ^ 1), "(\(x), \(15 - row))")
      }
    }
  }

  @Test func sharedMemoryAndBarriers() throws {
    let text = """
      shared uint counts[16];
      shared uint total;
      uint result(uint x, uint y) {
        if (gl_LocalInvocationIndex < 16u) counts[gl_LocalInvocationIndex] = 0u;
        if (gl_LocalInvocationIndex == 0u) total = 0u;
        barrier();
        atomicAdd(counts[x % 16u], y);
        atomicMax(total, x * y);
        barrier();
        return counts[(x + 1u) % 16u] + 10000u * total;
      }
      """
    let words = try GLSL.run(GLSL.kernel("shared", text), size: Size(16, 16))
    #expect(words.allSatisfy { $0 == 120 + 10000 * 225 })
  }
}
