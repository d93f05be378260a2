/// Functions of whole vectors.
extension [Interval] {
  /// The sum of the products, in any order.
  func dot(_ other: [Interval], _ width: FloatWidth) -> Interval { sum(of: zip(self, other).map { $0.times($1, width) }, width) }

  func squaredLength(_ width: FloatWidth) -> Interval { sum(of: map { $0.squared(width) }, width) }

  /// Any association: the roundings of partial sums may be larger in another order.
  private func sum(of products: [Interval], _ width: FloatWidth) -> Interval {
    guard let first = products.first else { return Interval(0) }
    let sum = products.dropFirst().reduce(first) { $0.plus($1, width) }
    guard products.count > 2, !sum.mayBeNaN else { return sum }
    let largest = products.reduce(0) { $0 + Swift.max($1.low.magnitude, $1.high.magnitude) }
    return sum.widened(by: width.ulp(largest) * Double(products.count - 2), width)
  }

  /// As sqrt(dot(x, x)).
  func length(_ width: FloatWidth) -> Interval { squaredLength(width).root(width) }

  func minus(_ other: [Interval], _ width: FloatWidth) -> [Interval] { zip(self, other).map { $0.minus($1, width) } }

  /// As x inversesqrt(dot(x, x)).
  func normalized(_ width: FloatWidth) -> [Interval] {
    let squares = map { $0.squared(width) }
    let scale = squaredLength(width).inverseRoot(width)
    guard !scale.mayBeNaN else { return map { _ in scale } }
    return indices.map { part in
      let naive = self[part].times(scale, width)
      guard !naive.mayBeNaN else { return naive }
      // x / sqrt(x x + r r) rises with x: with that the same x twice makes no range wider.
      let rest = squares.indices.filter { $0 != part }.reduce((low: 0.0, high: 0.0)) {
        ($0.low + squares[$1].low, $0.high + squares[$1].high)
      }
      func component(_ x: Double, _ rest: Double) -> Double { x == 0 ? 0 : x / (x * x + rest).squareRoot() }
      let low = component(self[part].low, self[part].low > 0 ? rest.high : rest.low)
      let high = component(self[part].high, self[part].high > 0 ? rest.low : rest.high)
      let error = Double(count + 6) * width.ulp(1)
      return naive.clipped(low - error * Swift.max(low.magnitude, 0x1p-20), high + error * Swift.max(high.magnitude, 0x1p-20)).rounded(
        width)
    }
  }

  func cross(_ other: [Interval], _ width: FloatWidth) -> [Interval] {
    [(1, 2), (2, 0), (0, 1)].map { i, j in self[i].times(other[j], width).minus(self[j].times(other[i], width), width) }
  }

  /// I - 2 dot(N, I) N, or that as a sum of products, in any order; along an axis nothing is rounded.
  func reflected(_ normal: [Interval], _ width: FloatWidth) -> [Interval] {
    let twice = Interval(2).times(normal.dot(self, width), width)
    let naive = indices.map { self[$0].minus(twice.times(normal[$0], width), width) }
    let isAxis = normal.allSatisfy { $0.isExact && [-1, 0, 1].contains($0.low) } && normal.count { $0.low != 0 } <= 1
    let products = 2 * largestSum(normal)
    return isAxis
      ? naive
      : indices.map { part in
        guard normal[part].largest > 0 else { return naive[part] }
        let all = self[part].largest + products * normal[part].largest
        return naive[part].widened(by: width.ulp(all) * Double(count + 4), width)
      }
  }

  /// The largest that the products of a scalar product may be together.
  private func largestSum(_ other: [Interval]) -> Double { zip(self, other).reduce(0) { $0 + $1.0.largest * $1.1.largest } }

  /// eta I - (eta dot(N, I) + sqrt(k)) N with k = 1 - eta eta (1 - dot(N, I) dot(N, I)), or these as sums of products.
  func refracted(_ normal: [Interval], _ ratio: Interval, _ width: FloatWidth) -> [Interval] {
    let along = normal.dot(self, width)
    let sine = ratio.squared(width).times(Interval(1).minus(along.squared(width), width), width)
    let products = largestSum(normal), eta = ratio.largest
    let k = Interval(1).minus(sine, width)
      .widened(by: width.ulp(1 + eta * eta * (1 + products * products)) * Double(count * count + 8), width)
    let isReflected = k.isLess(than: Interval(0))
    guard isReflected.low == 0 else { return map { _ in Interval(0) } }
    let root = k.mayBeNaN ? k : k.clipped(0, .infinity).root(width)
    let factor = ratio.times(along, width).plus(root, width)
    return indices.map { part in
      let all = eta * self[part].largest + (eta * products + root.largest) * normal[part].largest
      let bent = ratio.times(self[part], width).minus(factor.times(normal[part], width), width)
        .widened(by: width.ulp(all) * Double(count + 8), width)
      return isReflected.select(Interval(0), bent)
    }
  }

  /// The vector, or the opposite where `incident` and `reference` do not face each other.
  func faced(_ incident: [Interval], _ reference: [Interval], _ width: FloatWidth) -> [Interval] {
    let isFacing = reference.dot(incident, width).isLess(than: Interval(0))
    return map { isFacing.select($0, $0.negated) }
  }

  // MARK: Matrices, column by column

  func matrixTimes(vector: [Interval], _ width: FloatWidth) -> [Interval] {
    let rows = count / vector.count
    return (0..<rows).map { row in vector.indices.map { self[$0 * rows + row] }.dot(vector, width) }
  }

  func vectorTimes(matrix: [Interval], _ width: FloatWidth) -> [Interval] {
    (0..<matrix.count / count).map { column in dot(Array(matrix[column * count..<(column + 1) * count]), width) }
  }

  func matrixTimes(matrix: [Interval], rows: Int, _ width: FloatWidth) -> [Interval] {
    let inner = count / rows
    return (0..<matrix.count / inner).flatMap { column in
      matrixTimes(vector: Array(matrix[column * inner..<(column + 1) * inner]), width)
    }
  }

  func transposed(rows: Int) -> [Interval] {
    let columns = count / rows
    return (0..<rows).flatMap { row in (0..<columns).map { self[$0 * rows + row] } }
  }
}
