/// GLSL that finds the pixel of an invocation in the 16×16 tile of its workgroup.
///
/// A stage of a fused kernel is told its pixel.
enum PixelMapping {
  /// One past the last pixel of a dispatch, and the pixel that a target begins with which is a region of its picture.
  static let end = "etalonEnd"
  static let start = "etalonStart"

  static let region = """
    #if ETALON_STORE != 4
    layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; };
    #endif

    """

  /// Rows of sixteen, for kernels whose pixels know nothing of each other.
  static let rows = """
    #if ETALON_STORE == 4
    ivec2 \(StageVariables.pixel);
    #else
    ivec2 etalonFindPixel() {
      int place = int(gl_LocalInvocationIndex);
      return etalonOrigin + 16 * ivec2(gl_WorkGroupID.xy) + ivec2(place & 15, place >> 4);
    }
    ivec2 etalonPixel = etalonFindPixel();
    #endif

    """

  /// Four consecutive invocations of a subgroup are a quad of 2×2 pixels; eight quads are a double row of the tile.
  ///
  /// Vulkan promises no order of `gl_LocalInvocationIndex` within subgroups, so the place follows from the subgroup.
  static let quads = """
    #if ETALON_STORE == 4
    ivec2 \(StageVariables.pixel);
    #else
    ivec2 etalonFindPixel() {
      int place = int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
      int quad = place >> 2;
      return etalonOrigin + 16 * ivec2(gl_WorkGroupID.xy)
        + ivec2((quad & 7) * 2 + (place & 1), (quad >> 3) * 2 + ((place >> 1) & 1));
    }
    ivec2 etalonPixel = etalonFindPixel();
    #endif

    """

  static let quadExtensions = """
    #extension GL_KHR_shader_subgroup_basic : require
    #extension GL_KHR_shader_subgroup_ballot : require
    #extension GL_KHR_shader_subgroup_quad : require

    """
}
