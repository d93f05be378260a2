package import EtalonTypes

/// The planes of a frame as an encoder takes them: how many there are, how large each is, and how a sample lies in memory.
///
/// Samples of 8 bits are bytes; those of more bits are words of 16 bits, the low byte first, with the value in the low bits. Rows go from the top down. Planes
/// come in the order Y, Cb, Cr, alpha, or red, green, blue, alpha. Alpha is straight.
///
/// ```
/// PlaneLayout.yuv420p8.size(ofPlane: 1, in: Size(1920, 1080))   // 960x540
/// ```
///
/// **Concurrency**: an immutable value.
package enum PlaneLayout: String, Sendable, Hashable, CaseIterable {
  case yuv420p8, yuva420p8
  case yuv420p10
  case yuv422p10
  case yuv444p10, yuva444p10
  case rgb8, rgba8
  case rgb10, rgba10
  case rgb12, rgba12
  case rgb16, rgba16

  /// The number of planes: 3, or 4 with alpha.
  package var planeCount: Int { hasAlpha ? 4 : 3 }

  package var hasAlpha: Bool {
    switch self {
    case .yuva420p8, .yuva444p10, .rgba8, .rgba10, .rgba12, .rgba16: true
    case .yuv420p8, .yuv420p10, .yuv422p10, .yuv444p10, .rgb8, .rgb10, .rgb12, .rgb16: false
    }
  }

  /// Whether the planes are red, green and blue.
  package var isRGB: Bool {
    switch self {
    case .rgb8, .rgba8, .rgb10, .rgba10, .rgb12, .rgba12, .rgb16, .rgba16: true
    case .yuv420p8, .yuva420p8, .yuv420p10, .yuv422p10, .yuv444p10, .yuva444p10: false
    }
  }

  /// The bits of a sample that count.
  package var bits: Int {
    switch self {
    case .yuv420p8, .yuva420p8, .rgb8, .rgba8: 8
    case .yuv420p10, .yuv422p10, .yuv444p10, .yuva444p10, .rgb10, .rgba10: 10
    case .rgb12, .rgba12: 12
    case .rgb16, .rgba16: 16
    }
  }

  /// The bytes of a sample: 1 or 2.
  package var bytesPerSample: Int { bits > 8 ? 2 : 1 }

  /// How many samples of luma there are for one of chroma, from left to right and from the top down.
  package var chromaStep: (x: Int, y: Int) {
    switch self {
    case .yuv420p8, .yuva420p8, .yuv420p10: (2, 2)
    case .yuv422p10: (2, 1)
    case .yuv444p10, .yuva444p10, .rgb8, .rgba8, .rgb10, .rgba10, .rgb12, .rgba12, .rgb16, .rgba16: (1, 1)
    }
  }

  /// The size of a plane of a frame; samples of chroma at the right and lower edge may stand for fewer pixels.
  package func size(ofPlane plane: Int, in size: Size) -> Size {
    guard plane == 1 || plane == 2 else { return size }
    let step = chromaStep
    return Size((size.width + step.x - 1) / step.x, (size.height + step.y - 1) / step.y)
  }

  /// The bytes of all planes of a frame, without any between rows.
  package func byteCount(_ size: Size) -> Int {
    (0..<planeCount).reduce(0) { $0 + self.size(ofPlane: $1, in: size).pixelCount } * bytesPerSample
  }
}

/// One plane of a frame in memory that the caller keeps as long as the call lasts.
@unsafe
package struct FramePlane {
  /// From the first sample of the top row to the last one of the lowest.
  package let rows: UnsafeRawBufferPointer
  /// The bytes from one row to the next one below.
  package let bytesPerRow: Int

  package init(rows: UnsafeRawBufferPointer, bytesPerRow: Int) {
    unsafe self.rows = rows
    unsafe self.bytesPerRow = bytesPerRow
  }

  /// The channels of each pixel in turn, out of planes of bytes.
  package static func interleaved(_ planes: [FramePlane], size: Size) -> [UInt8] {
    let count = unsafe planes.count
    return unsafe [UInt8](unsafeUninitializedCapacity: size.pixelCount * count) { pixels, initialized in
      for plane in 0..<count {
        for y in 0..<size.height {
          let row = unsafe planes[plane].rows.baseAddress.map { unsafe $0 + y * planes[plane].bytesPerRow }
          guard let row = unsafe row else { continue }
          var place = y * size.width * count + plane
          for x in 0..<size.width {
            unsafe pixels[place] = row.load(fromByteOffset: x, as: UInt8.self)
            place += count
          }
        }
      }
      initialized = size.pixelCount * count
    }
  }
}
