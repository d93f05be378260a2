/// What the kernels about the flow of control and about what the specification leaves undefined write.
enum ControlKernels {
  private static func integers(_ body: @escaping @Sendable ([Int]) -> [Int]) -> CompositeKernels.Kernel {
    { words in body(words.map(Int.init)).map { .word(UInt32(truncatingIfNeeded: $0)) } }
  }

  static let flow: [String: CompositeKernels.Kernel] = [
    "branches": integers { w in
      var result = 1
      if w[0] > w[1] {
        result += 10 + (w[2] > 7 ? 100 : w[3] > 3 ? 200 : 300)
      } else if w[0] == w[1] {
        result += 20
      } else {
        result += 30
        if w[2] < w[3] { result *= 2 }
      }
      return [result, w[0] > 7 ? w[1] > 7 ? 1 : 2 : 3, w[0] & 1 == 0 && w[1] & 1 == 0 ? 5 : 6, result ^ 1]
    },
    "loops": integers { w in
      var a = 0, b = 0, c = 0, d = w[3], m = w[1]
      for n in 0..<w[0] {
        if n % 3 == 1 { continue }
        if n > 11 { break }
        a += n
      }
      while m > 2 {
        b += m
        m -= 2
        if b > 30 { break }
      }
      repeat {
        c = c * 2 + 1
        d += 1
      } while d < 10
      repeat { d += 3 } while d <= w[2] + 20
      return [a, b, c, d]
    },
    "nested-loops": integers(nestedLoops),
    "switches": integers { w in
      let a = [0: 11, 1: 10, 2: 100, 3: 100, 4: 4, 9: 1000][w[0]] ?? 1007
      var b = 0
      for n in 0..<6 {
        switch (w[1] + n) & 3 {
        case 0: continue
        case 1: b += 1
        case 2: b += 110
        default: b += 100
        }
        if b > 250 { break }
      }
      let c = [0: 1, 7: 2, 15: 3][w[2]] ?? 5
      return [a, b, c + 10, a + b]
    },
    "collatz": integers { w in
      w.map { start in
        var n = start + 1, steps = 0
        while n != 1 { (n, steps) = (n % 2 == 0 ? n / 2 : 3 * n + 1, steps + 1) }
        return steps
      }
    },
    "early-exit": integers { w in
      if w[0] > 11 { return [1, 2, 3, 4] }
      var sum = 0
      for n in 0..<w[1] {
        sum += n
        if sum > 3 * w[2] + 20 { return [sum, n, 5, 6] }
      }
      return [sum, w[1], w[0], 7]
    },
    "loop-values": integers { w in
      var last = 0, sum = 0, scale: Float = 1, n = 0
      while true {
        last = n * n
        sum += last
        scale *= 0.5
        if last > w[0] * 5 { break }
        if n == w[1] {
          sum += 1000
          break
        }
        n += 1
      }
      return [last, sum, Int(scale.bitPattern), last + sum]
    },
  ]

  private static let nestedLoops: @Sendable ([Int]) -> [Int] = { w in
    var total = 0, rounds = 0
    for i in 0..<w[0] + 1 {
      if i == w[3] { continue }
      for j in stride(from: i, to: w[1] + 4, by: 1) {
        rounds += 1
        if i * j % 7 == 6 { break }
        for k in 0..<3 {
          if k == w[2] % 3 { continue }
          total += i + 2 * j + k
          if total % 11 == 5 { break }
        }
        if total > 400 { break }
      }
      if rounds > 60 { break }
    }
    return [total, rounds, total ^ rounds, total + rounds]
  }

  static let undefined: [String: CompositeKernels.Kernel] = [
    "known-divisions": { _ in [.word(0x8000_0000), .word(0), .word(0x8000_0000), .word(0x8000_0000)] },
    "undefined-integers": { w in
      let i = w.map { Int32(bitPattern: $0) }
      let unsigned = w[1] == 0 ? 0 : w[0] / w[1] ^ w[0] % w[1]
      let signed = IntegerFunctions.quotient(i[0], i[1]) ^ IntegerFunctions.modulo(i[0], i[1])
      let shifts = w[0] << (w[1] & 31) ^ w[0] >> (w[2] & 31) ^ UInt32(bitPattern: i[0] >> Int32(w[3] & 31))
      let fields =
        IntegerFunctions.extract(w[0], w[1], w[2]) ^ IntegerFunctions.insert(w[0], w[1], w[2], w[3])
        ^ IntegerFunctions.extractSigned(w[0], w[3], w[2])
      return [.word(unsigned), .signed(signed), .word(shifts), .word(fields)]
    },
    "undefined-floats": { words in
      let base = Double(Float(bitPattern: words[0]).magnitude + 1)
      return [Expectation.float(0, within: nil), .float(.nan, within: nil), .near(base * base, within: nil), .float(-3, within: nil)]
    },
    "uninitialized": { _ in [0, 0, 0, 0].map { (word: UInt32) in .word(word) } },
    "uniform-out-of-range": { _ in OperandSet.words.rows[1023].map { .word($0) } },
    "half-arithmetic": { words in
      let v = words.map { Float16(Float(bitPattern: $0)) }
      func rounded(_ value: Float) -> Float { Float(Float16(value)) }
      let a = Float(v[0]), b = Float(v[1]), c = Float(v[2])
      let results = [rounded(a + b), rounded(rounded(a * b) + c), rounded(a / c), rounded(a.magnitude.squareRoot())]
      return results.map { .float($0, within: nil) }
    },
  ]
}
