package import EtalonManifest
package import EtalonTypes

extension StoreVariant {
  /// How a result is packed for an output.
  ///
  /// - Parameter alpha: what the fourth channel of the result means.
  /// - Parameter format: `rgba8`, `rgba16` or `rgba32f`.
  /// - Parameter wanted: what it has to mean in the output.
  package init(of alpha: AlphaMode, as format: PixelFormat, _ wanted: AlphaMode) {
    let target: Target =
      switch format {
      case .rgba16: .packed16
      case .rgba32f: .packedFloat
      default: .packed8
      }
    let conversion: Alpha =
      switch (wanted, alpha) {
      case (.opaque, _): .opaque
      case (.straight, .premultiplied): .divide
      case (.premultiplied, .straight), (.premultiplied, .opaque): .multiply
      case (.straight, _), (.premultiplied, .premultiplied): .asReturned
      }
    self.init(target, alpha: conversion)
  }
}
