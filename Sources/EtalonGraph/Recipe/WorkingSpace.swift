package import EtalonManifest
package import EtalonTypes
internal import Foundation

/// What the numbers mean that filters compute with.
package enum WorkingSpace: String, Sendable, Hashable, CaseIterable {
  /// sRGB-encoded, as files have them and as ShaderToy and ISF expect.
  case encoded
  /// Proportional to light: pictures are decoded as they come in and encoded as they leave.
  case linear

  var colorSpace: FilterInput.ColorSpace { self == .linear ? .linear : .encoded }
}

/// What the numbers of a filter's pictures and colors mean in a graph.
extension WorkingSpace {
  /// The input with the numbers that it is given: those of the graph where its filter does not say what it wants.
  func resolved(_ input: FilterInput) -> FilterInput { input.space == .working ? input.reading(colorSpace) : input }

  /// What the numbers of a filter's result mean.
  ///
  /// A filter that takes what the graph computes with gives that, and one that reads nothing but light gives light; generators give colors as
  /// people type them.
  func result(of manifest: FilterManifest) -> FilterInput.ColorSpace {
    let spaces = Set(manifest.inputs.filter { $0.origin == .user }.map(\.space))
    if spaces.contains(.working) { return colorSpace }
    return spaces.contains(.linear) && spaces.isSubset(of: [.linear, .data]) ? .linear : .encoded
  }

  /// The colors among a filter's parameters that are decoded, because they meet decoded pictures and the filter does not know of that.
  func lightColors(of manifest: FilterManifest) -> Set<String> {
    guard self == .linear, manifest.inputs.contains(where: { $0.origin == .user && $0.space == .working }) else { return [] }
    return Set(manifest.parameters.filter { $0.kind == .color }.map(\.name))
  }
}

// MARK: pictures

extension PixelBuffer {
  /// The picture with its alpha and its numbers as an input of a filter expects them: files are straight and sRGB-encoded.
  ///
  /// What is converted has sixteen bits a channel afterwards, because eight would lose the color of thin pixels and the dark ones of linear light
  /// (IEC 61966-2-1).
  ///
  /// Floats stay as they are: kernels convert them, which keep what lies beyond 0 and 1.
  package func converted(for input: FilterInput) -> PixelBuffer {
    let isLinear = input.space == .linear
    let premultiplies = input.alpha == .premultiplied && alpha == .straight
    let covers = input.alpha == .opaque && alpha == .straight
    guard format == .rgba8 || format == .rgba16, isLinear || premultiplies || covers else { return self }
    let largest = format == .rgba8 ? 255 : 65535
    let light = (0...largest).map { isLinear ? TransferFunction.linear(Double($0) / Double(largest)) : Double($0) / Double(largest) }
    let width = format.bytesPerChannel
    var words: [UInt8] = []
    words.reserveCapacity(size.pixelCount * 8)
    func channel(_ index: Int) -> Int { width == 1 ? Int(bytes[index]) : Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8 }
    for pixel in 0..<size.pixelCount {
      let coverage = covers ? 1 : Double(channel(4 * pixel + 3)) / Double(largest)
      for index in 0..<4 {
        let value = index == 3 ? coverage : light[channel(4 * pixel + index)] * (premultiplies ? coverage : 1)
        let word = UInt16((value * 65535).rounded(.toNearestOrEven))
        words.append(UInt8(truncatingIfNeeded: word))
        words.append(UInt8(truncatingIfNeeded: word >> 8))
      }
    }
    return PixelBuffer(size: size, format: .rgba16, alpha: covers ? .opaque : premultiplies ? .premultiplied : alpha, bytes: words)
  }

  /// Whether it has levels as most files have them: encoded ones that alpha is not multiplied into.
  ///
  /// Others are converted by kernels, which keep what lies beyond 0 and 1.
  var isPlain: Bool { !isLight && !format.isFloat && alpha != .premultiplied }

  /// The same picture, whose parts below each other have their rows in the opposite order.
  ///
  /// - Parameter squares: how many parts there are: faces of a cube, slices of a volume.
  package func turnedOver(squares: Int = 1) -> PixelBuffer {
    let rows = size.height / squares
    var turned: [UInt8] = []
    turned.reserveCapacity(bytes.count)
    for part in 0..<squares {
      for row in stride(from: (part + 1) * rows - 1, through: part * rows, by: -1) {
        turned += bytes[row * bytesPerRow..<(row + 1) * bytesPerRow]
      }
    }
    return PixelBuffer(size: size, format: format, alpha: alpha, bytes: turned, isLight: isLight)
  }
}

/// How sRGB numbers belong to light (IEC 61966-2-1).
enum TransferFunction {
  /// The light of an encoded number.
  static func linear(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }
}
