/// What the kernels about vectors, matrices, arrays, structures and functions write, one function for each file.
enum CompositeKernels {
  typealias Kernel = @Sendable ([UInt32]) -> [Expectation]

  /// A kernel of floats whose results are made with the documented formulas; `scale` bounds the size of every intermediate result.
  static func floats(scale: Float = 0, ulps: Double = 8, _ body: @escaping @Sendable ([Float]) -> [Float]) -> Kernel {
    { words in
      let v = words.map(Float.init(bitPattern:)), largest = v.map(\.magnitude).max() ?? 0
      return body(v).map {
        let size = Double(max($0.magnitude, scale, largest, largest * largest))
        return Expectation.float($0, within: size.isFinite ? ulps * ulp(size) : nil).forOperands(v)
      }
    }
  }

  /// A kernel of integers.
  static func integers(onVulkan isDefined: Bool = true, _ body: @escaping @Sendable ([UInt32]) -> [UInt32]) -> Kernel {
    { words in body(words).map { .word($0, isDefined: isDefined) } }
  }

  private static func dot(_ a: [Float], _ b: [Float]) -> Float {
    let products = zip(a, b).map { $0 * $1 }
    return products.dropFirst().reduce(products[0], +)
  }

  private static func length(_ a: [Float]) -> Float { dot(a, a).squareRoot() }
  private static func normalized(_ a: [Float]) -> [Float] {
    let scale = 1 / dot(a, a).squareRoot()
    return a.map { $0 * scale }
  }

  private static func cross(_ a: [Float], _ b: [Float]) -> [Float] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  }

  // MARK: Vectors

  static let vectors: [String: Kernel] = [
    "cross-products": floats { v in
      let first = cross(Array(v[0..<3]), Array(v[1..<4])), second = cross(Array(v[0..<3]), [v[3], v[0], v[1]])
      return first + [dot(second, [1, 0, 0])]
    }, "unit-vectors": floats(scale: 1) { v in normalized(Array(v[0..<3])) + [normalized(Array(v[2..<4]))[1]] },
    "reflections": floats(scale: 4) { v in
      let normal: [Float] = [0.6, 0.8], twice = 2 * dot(normal, Array(v[0..<2]))
      let isFacing = dot(Array(v[0..<2]), [0, 1]) < 0
      return [v[0] - twice * normal[0], v[1] - twice * normal[1], isFacing ? v[2] : -v[2], isFacing ? v[3] : -v[3]]
    },
    "refractions": { words in
      let v = words.map(Float.init(bitPattern:))
      return refracted(Array(v[0..<2]), [0, 1], 1.5) + refracted(Array(v[2..<4]), [0.6, 0.8], 0.75)
    },
    "swizzles": integers { w in
      var a = [w[3], w[2], w[1], w[0]]
      (a[1], a[3]) = (a[3] &+ 1, a[0] &+ 1)
      (a[0], a[1], a[2]) = (a[2], a[0], a[1])
      a[2] = w[1]
      return a
    },
    "vector-components": integers { w in
      var a: [Float] = [10, 20, 30, 40], b: [UInt32] = [1, 2, 3, 4]
      a[Int(w[0] & 3)] = 7
      a[Int(w[1] & 3)] += 1
      b[Int(w[2] & 3)] = 9
      return [a[Int(w[2] & 3)].bitPattern, a[Int(w[3] & 3)].bitPattern, b[Int(w[0] & 3)], b[Int(w[3] & 3)]]
    },
    "vector-mix": floats { v in
      (0..<4).map { k in
        let a = 2 * v[k] + Float(k + 1), b = max(a, 0.5) - v[0]
        return v[k] < v[(k + 1) % 4] ? b : a
      }
    },
  ]

  /// The two components of a refraction; where the root comes close to zero Vulkan may be far off or see a total reflection.
  private static func refracted(_ incident: [Float], _ normal: [Float], _ ratio: Float) -> [Expectation] {
    let along = dot(normal, incident), k = 1 - ratio * ratio * (1 - along * along)
    return (0..<2).map { part in
      let bent = ratio * incident[part] - (ratio * along + k.squareRoot()) * normal[part]
      return .float(k < 0 ? 0 : bent, within: k.magnitude > 1e-3 ? 1e-4 : nil)
    }
  }

  // MARK: Matrices, which are lists of columns

  static let matrices: [String: Kernel] = [
    "matrix-vectors": floats(scale: 100) { v in
      let m: [[Float]] = [[v[0], v[1], v[2]], [v[3], 2, -3]]
      let a = (0..<3).map { row in dot([m[0][row], m[1][row]], [v[0], v[1]]) }
      return [a[0] + a[1], a[2]] + m.map { dot(Array(v[0..<3]), $0) }
    },
    "matrix-products": floats(scale: 100) { v in
      let a: [[Float]] = [[v[0], v[1]], [v[2], v[3]]], b: [[Float]] = [[v[3], 1], [v[0], -2]]
      let c = b.map { column in (0..<2).map { dot([a[0][$0], a[1][$0]], column) } }
      func entry(_ i: Int, _ j: Int) -> Float {
        let sum: Float = a[j][i] + b[i][j] * 2
        return sum - a[i][j] * b[i][j]
      }
      return [c[0][1], c[1][0], entry(0, 1), entry(1, 1)]
    },
    "matrix-inverses": { words in
      let v = words.map { Double(Float(bitPattern: $0)) }
      let a: [[Double]] = [[v[0] + 4, v[1]], [v[2], v[3] + 4]]
      let b: [[Double]] = [[4 + v[0], v[1], 0.5], [v[2], 5, v[3]], [-0.25, v[0], 6]]
      let c: [[Double]] = [[6, v[0], v[1], 0], [v[2], 5, 0.5, v[3]], [0, v[0], 7, 0.25], [v[1], 0, v[2], 8]]
      let exact = [determinant(a), determinant(b), inverseEntry(b, 1, 2), inverseEntry(c, 2, 1) + inverseEntry(a, 0, 1)]
      return exact.enumerated().map { .roughly($0.element, within: $0.offset == 0 ? 1e-5 : $0.offset == 1 ? 1e-4 : 2e-6) }
    },
    "matrix-columns": integers { w in
      var m = (0..<4).map { column in (0..<3).map { Float(10 * column + $0) } }
      let i = w.map { Int($0 & 3) }, j = w.map { Int($0 % 3) }
      for row in 0..<3 { m[i[0]][row] *= 2 }
      m[i[1]][j[2]] += 100
      let o: [[Float]] = [[10, 15], [14, 21], [22, 33]]
      return [m[i[2]][j[3]], m[i[3]][0], o[j[0]][Int(w[1] & 1)], m[i[1]][j[2]]].map(\.bitPattern)
    },
  ]

  private static func determinant(_ m: [[Double]]) -> Double {
    if m.count == 1 { return m[0][0] }
    return m.indices.reduce(0.0) { sum, column in
      let part = m[column][0] * determinant(minor(m, column, 0))
      return column % 2 == 0 ? sum + part : sum - part
    }
  }

  private static func minor(_ m: [[Double]], _ column: Int, _ row: Int) -> [[Double]] {
    m.indices.filter { $0 != column }.map { c in m.indices.filter { $0 != row }.map { m[c][$0] } }
  }

  /// The entry of the inverse in a column and a row.
  private static func inverseEntry(_ m: [[Double]], _ column: Int, _ row: Int) -> Double {
    let quotient = determinant(minor(m, row, column)) / determinant(m)
    return (column + row) % 2 == 0 ? quotient : -quotient
  }
}
