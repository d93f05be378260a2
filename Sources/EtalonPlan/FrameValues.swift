package import EtalonSPIRV
package import EtalonSystem
package import EtalonTypes
internal import Synchronization

/// What changes from frame to frame: the bytes of each pass's uniform block, the pictures of streamed textures, and where state begins.
package struct FrameValues: Sendable, Hashable {
  /// The number of the frame, for messages.
  package let frame: Int
  /// One array for each pass of the plan, laid out as the kernel's interface says; empty for a kernel without uniforms.
  package let uniforms: [[UInt8]]
  /// The pictures of the plan's streamed textures, by the index in their role.
  package let pictures: [FramePicture]
  /// Whether persistent textures and buffers are zeroed before this frame; the first frame of an execution always does so.
  package let startsState: Bool
  /// Whether the outputs are wanted; a frame that only has to bring state forward leaves them undefined, and skips passes that only feed them.
  package let writesOutputs: Bool
  /// Asks for the end of the work on the frame before it is done.
  package var cancellation: Cancellation?

  package init(
    frame: Int, uniforms: [[UInt8]], pictures: [FramePicture] = [], startsState: Bool = false, writesOutputs: Bool = true
  ) {
    self.frame = frame
    self.uniforms = uniforms
    self.pictures = pictures
    self.startsState = startsState
    self.writesOutputs = writesOutputs
  }
}

/// A picture that comes with a frame, and knows whether it came with an earlier one.
///
/// A texture that was filled from a picture is not filled from it again. So frames that show the same picture are given the same
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

// MARK: Uniforms

/// Lays values out in the bytes of a uniform block as its kernel reads them.
package struct UniformBytes: Sendable {
  /// The bytes so far; members that nothing was written to are zero.
  package private(set) var bytes: [UInt8]

  /// Starts a block; none has no bytes.
  package init(_ block: KernelInterface.Block?) { bytes = [UInt8](repeating: 0, count: block?.size ?? 0) }

  /// Writes components into a member, array elements one after the other; what does not fit into the type or the array is left out.
  ///
  /// - Parameter perElement: how many of the components belong to one array element.
  package mutating func write(_ components: [Double], perElement: Int, as type: ValueType, to member: KernelInterface.Member) {
    for (index, value) in components.enumerated() {
      let (element, component) = index.quotientAndRemainder(dividingBy: max(perElement, 1))
      guard element < member.arrayLength ?? 1, component < type.componentCount else { continue }
      let offset = member.offset + element * member.arrayStride + Self.offset(of: component, type, member)
      write(type.isFloat ? Float(value).bitPattern : UInt32(truncatingIfNeeded: Int(saturating: value.rounded(.towardZero))), at: offset)
    }
  }

  /// The bytes from the start of an element to one of its components; the components of a matrix come column by column.
  private static func offset(of component: Int, _ type: ValueType, _ member: KernelInterface.Member) -> Int {
    guard member.matrixStride > 0 else { return component * 4 }
    let rows = Int(Double(type.componentCount).squareRoot())
    let (column, row) = component.quotientAndRemainder(dividingBy: rows)
    return member.isRowMajor ? row * member.matrixStride + column * 4 : column * member.matrixStride + row * 4
  }

  private mutating func write(_ word: UInt32, at offset: Int) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte)) }
  }
}
