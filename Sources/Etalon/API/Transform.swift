internal import Foundation

/// An affine map of the plane, in pixels; the origin is the lower left corner of the image that is transformed.
///
/// ```swift
/// let turned = try photo.transformed(by: Transform.rotation(degrees: 30).then(.translation(x: 100, y: 0)))
/// ```
///
/// **Concurrency**: an immutable value.
public struct Transform: Sendable, Hashable {
  /// Where the point (1, 0) comes to lie, seen from where the origin does.
  public let xAxis: SIMD2<Double>
  /// Where the point (0, 1) comes to lie, seen from where the origin does.
  public let yAxis: SIMD2<Double>
  /// Where the origin comes to lie.
  public let offset: SIMD2<Double>

  /// Changes nothing.
  public static let identity = Transform(xAxis: [1, 0], yAxis: [0, 1])

  /// Makes a map from where it brings the axes and the origin.
  public init(xAxis: SIMD2<Double>, yAxis: SIMD2<Double>, offset: SIMD2<Double> = .zero) {
    self.xAxis = xAxis
    self.yAxis = yAxis
    self.offset = offset
  }

  /// Moves to the right and up, in pixels.
  public static func translation(x: Double, y: Double) -> Transform { Transform(xAxis: [1, 0], yAxis: [0, 1], offset: [x, y]) }

  /// Makes wider and higher around the origin; below 0 mirrors.
  public static func scale(x: Double, y: Double) -> Transform { Transform(xAxis: [x, 0], yAxis: [0, y]) }

  /// Turns counterclockwise around the origin; quarter turns are exact.
  public static func rotation(degrees: Double) -> Transform {
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    let quarters: [Double: SIMD2<Double>] = [0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1]]
    let axis = quarters[turn < 0 ? turn + 360 : turn] ?? [cos(turn * .pi / 180), sin(turn * .pi / 180)]
    return Transform(xAxis: axis, yAxis: [-axis.y, axis.x])
  }

  /// This map, and another one after it.
  public func then(_ next: Transform) -> Transform {
    Transform(xAxis: next.turned(xAxis), yAxis: next.turned(yAxis), offset: next.turned(offset) + next.offset)
  }

  private func turned(_ vector: SIMD2<Double>) -> SIMD2<Double> { vector.x * xAxis + vector.y * yAxis }

  /// The axes of the map back; nil when all points come to lie on a line.
  var inverseAxes: [Double]? {
    let area = xAxis.x * yAxis.y - xAxis.y * yAxis.x
    let axes = [yAxis.y / area, -xAxis.y / area, -yAxis.x / area, xAxis.x / area]
    return (axes + [offset.x, offset.y]).allSatisfy(\.isFinite) ? axes : nil
  }
}
