/// What the kernels about arrays, structures and functions write.
enum ArrayKernels {
  private static func integers(_ body: @escaping @Sendable ([Int]) -> [Int]) -> CompositeKernels.Kernel {
    { words in body(words.map(Int.init)).map { .word(UInt32(truncatingIfNeeded: $0)) } }
  }

  static let arrays: [String: CompositeKernels.Kernel] = [
    "small-array": integers { w in
      var a = [10, 11, 12, 13, 14]
      a[w[0] % 5] = w[1]
      a[w[2] % 5] += 100
      return [a[w[3] % 5], a[w[0] % 5], a[0] + a[4], a[(w[1] + w[2]) % 5]]
    },
    "large-array": integers { w in
      var a = (0..<40).map { $0 * $0 }
      a[w[0] * 2] = 1000
      for n in 0..<w[1] { a[n + 3] += a[n] }
      return [a[w[2]], a[w[3] + 20], a[w[0] * 2], a[39]]
    },
    "constant-table": integers { w in
      let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]
      return [primes[w[0] & 15], primes[w[1] & 15] + primes[w[2] & 15], 53, primes[w[3] & 7]]
    },
    "nested-array": { words in
      let w = words.map(Int.init)
      let a = (0..<3).map { i in (0..<4).map { j in [Float(i), Float(j)] } }
      var b = a
      b[w[0] % 3][w[1] & 3][1] = 50
      b[w[2] % 3] = a[w[3] % 3]
      let results = b[w[1] % 3][w[2] & 3] + [a[w[0] % 3][w[1] & 3][1], b[w[0] % 3][w[1] & 3][1]]
      return results.map { .float($0, within: 0) }
    },
    "array-out-of-range": integers { w in
      let table = Array(1...12)
      var few = [10, 20, 30, 40], many = Array(0..<20)
      many[min(w[1], 19)] = 99
      few[min(w[3], 3)] = 77
      return [table[min(w[0], 11)], few[min(w[0], 3)], many[min(w[2], 19)], few[3] + many[19]]
    },
  ]

  static let structures: [String: CompositeKernels.Kernel] = [
    "nested-structure": integers { w in
      var values = [w[0], w[0] + 1, w[0] + 2]
      let isSame = values[w[1] % 3] == w[2]
      values[w[1] % 3] = w[2]
      return [values[w[3] % 3], w[0] + 1, Int(Float(w[0]).bitPattern), 1 | (isSame ? 2 : 0)]
    },
    "function-references": integers { w in
      var w = w, values = [1, 2, 3, 4]
      w.swapAt(0, 1)
      for n in 0..<4 { values[n] += w[3] + n }
      values.swapAt(w[0] & 3, w[1] & 3)
      let pair = (a: w[1], b: w[0] + 1)
      return [pair.a * 100 + pair.b, 2 * w[2] + w[2] * w[2], values[w[0] & 3], values[w[2] & 3]]
    },
    "early-returns": integers { w in [classified(w[0]), found(w[0] + w[1]), classified(w[2]) + classified(w[3]), found(w[2] + w[3])] },
  ]

  private static func classified(_ x: Int) -> Int {
    if x == 0 { return 1 }
    if x < 4 { return x == 2 ? 22 : 20 }
    return (2..<x).first { x % $0 == 0 }.map { 30 + $0 } ?? 40
  }

  private static func found(_ sum: Int) -> Int {
    for i in 0..<6 { for j in 0..<6 where i * j == sum { return i * 10 + j } }
    return 99
  }
}
