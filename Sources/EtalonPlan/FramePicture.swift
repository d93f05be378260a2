package import EtalonTypes
internal import Synchronization

/// A picture that comes with a frame, and knows whether it came with an earlier one.
///
/// A texture that was filled from a picture is not filled from it again: whoever shows the same picture in several frames hands on the same
/// `FramePicture`, or a copy of it.
///
/// ```swift
/// let still = FramePicture(photo)
/// FrameValues(frame: 7, uniforms: [[]], pictures: [still])
/// ```
///
/// **Concurrency**: an immutable value with shared storage.
package struct FramePicture: Sendable, Hashable {
  /// Of its texture's `pictureSize` and format.
  package let pixels: PixelBuffer
  /// The same for copies of this picture, and for no other.
  package let identity: UInt64

  private static let count = Atomic<UInt64>(0)

  /// Takes a picture that no frame has shown yet.
  package init(_ pixels: PixelBuffer) {
    self.pixels = pixels
    identity = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Two are equal when one is a copy of the other; pixels are not compared.
  package static func == (a: FramePicture, b: FramePicture) -> Bool { a.identity == b.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
