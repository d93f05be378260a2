package import EtalonSPIRV
package import EtalonTypes

/// A number for each pixel of a picture.
package struct PixelNumbers: Sendable {
  /// The name of the pass that rendered the picture.
  package let pass: String
  package let frame: Int
  package let size: Size
  /// The top row first.
  package let numbers: [UInt32]
}

/// Where in each pixel a number first was not finite: computed from numbers that were, or read.
package struct OriginMap: Sendable {
  package let kernel: Kernel
  package let sites: [WatchSite]
  /// For each pixel 1 + the number of the site; 0 where everything that was computed or read is finite.
  package let pixels: PixelNumbers
}
