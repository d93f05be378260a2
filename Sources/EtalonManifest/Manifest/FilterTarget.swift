package import EtalonTypes

/// A picture that passes of a filter write and others read.
///
/// A pass that reads a target which an earlier pass of the same frame wrote sees that; otherwise it sees what the target held at the end of the
/// frame before, transparent black on the first frame. A target that is not persistent holds nothing before it is written.
package struct FilterTarget: Sendable, Hashable {
  /// How large a target is.
  package enum Extent: Sendable, Hashable {
    /// As large as the result.
    case output
    case pixels(Size)
    /// The result's size times a factor, rounded down, at least 1.
    case scaled(Rational)
    /// Evaluated for every render; nil means as large as the result.
    case expressions(width: ExpressionText?, height: ExpressionText?)

    /// The sides that a target may have, in pixels.
    package static let sides = 1...16_384
    /// The largest factor of the result's size.
    package static let largestFactor = Rational(16)
  }

  /// `bufferA`, `trail`.
  package let name: String
  package let extent: Extent
  /// `flat`, or `cube`, whose extent is that of one face and whose passes run once for each face.
  package let shape: TextureShape
  package let format: PixelFormat
  /// Whether it survives from frame to frame.
  package let isPersistent: Bool
  package let place: SourceRange?

  package init(
    name: String, extent: Extent = .output, shape: TextureShape = .flat, format: PixelFormat, isPersistent: Bool, place: SourceRange? = nil
  ) {
    self.name = name
    self.extent = extent
    self.shape = shape
    self.format = format
    self.isPersistent = isPersistent
    self.place = place
  }
}

/// An array in memory that compute kernels of a filter share, in the layout of std430.
package struct FilterBuffer: Sendable, Hashable {
  package let name: String
  /// The GLSL type of an element.
  package let type: ValueType
  /// The number of elements.
  package let count: ExpressionText
  /// Whether it survives from frame to frame; otherwise it is zeroed before the first pass of each frame.
  package let isPersistent: Bool
  package let place: SourceRange?

  package init(name: String, type: ValueType, count: ExpressionText, isPersistent: Bool, place: SourceRange? = nil) {
    self.name = name
    self.type = type
    self.count = count
    self.isPersistent = isPersistent
    self.place = place
  }
}
