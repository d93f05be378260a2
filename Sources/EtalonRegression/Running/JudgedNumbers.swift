internal import Etalon
internal import EtalonTypes

/// The numbers of a picture as they are compared: levels, or floats as they are.
struct JudgedNumbers {
  private let question: PixelQuestion
  private let size: Size
  /// What 1 is as a level; nil where numbers are compared as they are.
  private let most: Double?

  init(_ question: PixelQuestion) {
    (self.question, size) = (question, question.reference.size)
    most = question.reference.format == .rgba32f ? nil : question.reference.format == .rgba16 ? 65535 : 255
  }

  private func value(_ picture: PixelBuffer, _ pixel: Int, _ channel: Int) -> Double {
    let width = picture.format.bytesPerChannel, place = (pixel * 4 + channel) * width
    let bits = (0..<width).reduce(UInt32(0)) { $0 | UInt32(picture.bytes[place + $1]) << UInt32(8 * $1) }
    return picture.format == .rgba32f ? Double(Float(bitPattern: bits)) : Double(bits)
  }

  private func bounds(_ channel: PixelRange.Channel) -> (low: Double, high: Double) {
    guard let most else { return channel.mayBeNaN ? (-.infinity, .infinity) : (channel.low, channel.high) }
    let levels = channel.levels(most: most)
    return (Double(levels.lowerBound), Double(levels.upperBound))
  }

  /// How far outside of its range a channel is.
  ///
  /// What is no finite number has no level, so it is looked at as it is.
  private func distance(_ pixel: Int, _ channel: Int, _ range: PixelRange.Channel) -> Double {
    let number = Float(value(question.frame.floats, pixel, channel))
    guard number.isFinite, most != nil else {
      if range.contains(number) { return 0 }
      return number.isFinite ? max(range.low - Double(number), Double(number) - range.high) : .infinity
    }
    let (low, high) = bounds(range), now = value(question.actual, pixel, channel)
    return max(low - now, now - high, 0)
  }

  /// Whether a range is wider than what is borne, and than a level: where an open decision changes hardly anything, the pixel is determined all the same.
  func isOpen(_ range: PixelRange) -> Bool {
    let (level, unit) = most.map { (1.0, $0 / 255) } ?? (1.0 / 255, 1)
    return range.channels.enumerated().contains { channel, range in
      let (low, high) = bounds(range)
      return !(high - low <= max((channel == 3 ? question.alphaLevel : question.colorLevel) * unit, level))
    }
  }

  /// The channel that is farthest outside of its range, and by how much; the one that differs most where none is outside.
  func worst(of pixel: Int, in range: PixelRange) -> (distance: Double, value: SpecificationResult.Worst) {
    let channels = (0..<4).map { channel -> (distance: Double, difference: Double, value: SpecificationResult.Worst) in
      let (low, high) = bounds(range.channels[channel])
      let (now, wanted) = (value(question.actual, pixel, channel), value(question.reference, pixel, channel))
      let worst = SpecificationResult.Worst(
        column: pixel % size.width, rowFromTop: pixel / size.width, rowFromBottom: size.height - 1 - pixel / size.width,
        channel: ["r", "g", "b", "a"][channel], actual: now, reference: wanted, low: low, high: high)
      let difference = abs(now - wanted)
      return (distance(pixel, channel, range.channels[channel]), difference.isNaN ? .infinity : difference, worst)
    }
    let first = channels.max { ($0.distance, $0.difference) < ($1.distance, $1.difference) } ?? channels[0]
    return (first.distance, first.value)
  }
}
