package import EtalonTypes

/// How far each pixel of a picture is from the same one of its reference, the rows from the top.
///
/// Differences are those that limits judge: in levels of 8 bits, absolute where a channel is a float, and infinite where finite meets not finite.
///
/// **Concurrency**: an immutable value.
package struct PixelDistances: Sendable {
  /// The largest difference of the color channels; empty where none differs.
  private let color: [Float]
  /// The difference in alpha; empty where none differs.
  private let alpha: [Float]

  /// Measures pictures of the same size.
  ///
  /// - Parameter tolerance: says what counts as different: hidden colors, numbers that are not finite, denormal ones.
  package init(_ actual: PixelBuffer, _ reference: PixelBuffer, tolerance: Tolerance = .exact) {
    let maps = DifferenceMaps(PicturePair(actual, reference, tolerance: tolerance))
    (color, alpha) = (maps.color?.values ?? [], maps.alpha?.values ?? [])
  }

  /// By how much the color of a pixel differs.
  package func color(_ pixel: Int) -> Double { color.isEmpty ? 0 : Double(color[pixel]) }

  /// By how much its alpha does.
  package func alpha(_ pixel: Int) -> Double { alpha.isEmpty ? 0 : Double(alpha[pixel]) }

  /// The larger of both.
  package func largest(_ pixel: Int) -> Double { max(color(pixel), alpha(pixel)) }

  /// Whether the color of a pixel lies beyond a level, as limits count.
  package func isColor(of pixel: Int, beyond level: Double) -> Bool { !color.isEmpty && color[pixel] > DifferenceMap.float(level) }

  /// Whether its alpha does.
  package func isAlpha(of pixel: Int, beyond level: Double) -> Bool { !alpha.isEmpty && alpha[pixel] > DifferenceMap.float(level) }
}
