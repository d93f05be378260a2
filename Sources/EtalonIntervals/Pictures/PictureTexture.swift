internal import EtalonPlan
internal import EtalonTypes

/// A texture that was filled from a picture: its texels are certain.
final class PictureTexture {
  let levels: [(size: (Int, Int, Int), texels: [Float])]
  private let most: Double?
  private let width: FloatWidth
  private var ranges: [Int: [Interval]] = [:]

  init(_ picture: PixelBuffer, for texture: Plan.Texture) {
    levels = TextureLevels(of: picture, for: texture).levels.map { layers in
      (
        size: (layers[0].size.width, layers[0].size.height, layers.count),
        texels: layers.flatMap { texture.format.texels($0) }
      )
    }
    width = texture.format.bytesPerChannel == 2 ? .half : .single
    most = texture.format.isFloat ? nil : texture.format.bytesPerChannel == 1 ? 255 : 65535
  }

  func texel(level: Int, x: Int, y: Int, z: Int) -> [Interval] {
    let (size, texels) = levels[level]
    let start = ((z * size.1 + y) * size.0 + x) * 4
    return (0..<4).map { range(texels[start + $0]) }
  }

  private func range(_ value: Float) -> Interval {
    guard !value.isNaN else { return .anything(.undefined) }
    let exact = Interval(Double(value))
    return most.map { exact.read($0) } ?? exact.withZero(width)
  }

  /// Everything between the smallest and the largest texel.
  func everything(level: Int) -> [Interval] {
    if let known = ranges[level] { return known }
    let texels = levels[level].texels
    let all = (0..<4).map { channel in
      let values = stride(from: channel, to: texels.count, by: 4).map { texels[$0] }
      guard !values.contains(where: \.isNaN) else { return Interval.anything(.undefined) }
      return range(values.min() ?? 0).hull(range(values.max() ?? 0))
    }
    ranges[level] = all
    return all
  }
}
