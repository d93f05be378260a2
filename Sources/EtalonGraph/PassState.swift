package import EtalonManifest
package import EtalonTypes

/// What the uniforms of one dispatch come from, beside the clock.
package struct PassState: Sendable, Hashable {
  package var targetSize: Size
  /// Width, height and depth of what the pass reads.
  package var textureSizes: [PassTexture.Source: [Double]]
  package var cubeFace = 0
  package var iteration = 0
  package var values: ParameterValues

  package init(targetSize: Size, textureSizes: [PassTexture.Source: [Double]] = [:], values: ParameterValues) {
    self.targetSize = targetSize
    self.textureSizes = textureSizes
    self.values = values
  }
}
