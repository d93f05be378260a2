import EtalonRegression
import Testing

/// Shaders whose pixels hang on how a device does them, and others that only look like that.
@Suite struct DeterminismTests {
  @Test(arguments: ["cpu", "vulkan"]) func piecesAndTheirOrderMustNotMatter(device: String) throws {
    let folder = try TestFolder()
    let main = "void mainImage(out vec4 color, in vec2 pixel)"
    try folder.write("group.glsl", "\(main) { color = vec4(vec3(gl_WorkGroupID.x + gl_WorkGroupID.y) / 8.0, 1.0); }\n")
    try folder.write("column.glsl", "\(main) { color = vec4(vec3(gl_WorkGroupID.x) / 8.0, 1.0); }\n")
    let place = "float(gl_LocalInvocationIndex) / 256.0"
    try folder.write("place.glsl", "\(main) { color = vec4(pixel / iResolution.xy, \(place), 1.0); }\n")
    try folder.write("pixel.glsl", "\(main) { color = vec4(pixel / iResolution.xy, dFdx(pixel.x * pixel.x) / 128.0, 1.0); }\n")
    try folder.write("last.glsl", Self.kernel("last[0] = float(position.x + position.y) / 128.0;"))
    try folder.write("sum.glsl", Self.kernel("atomicAdd(count[0], uint(position.x));"))
    // What kernels may know of their workgroup.
    let kernel =
      "void computeKernel(ivec2 position) { IMG_STORE(outputImage, position, vec4(position / RENDERSIZE, float(LOCAL_INDEX) / 256.0, 1.0)); }"
    try folder.write("index.glsl", "/*{ \"ETALON\": 1 }*/\n\(kernel)\n")
    let results = try folder.run(device: device)
    #expect(
      results.verdicts == [
        "group": .notDeterministic, "column": .notDeterministic, "place": .notDeterministic, "last": .notDeterministic, "pixel": .passed,
        "sum": .passed,
        "index": .passed,
      ])
    let order = "from the last to the first"
    func reason(of name: String) -> String { results.cases.first { $0.name == name }?.reason ?? "" }
    #expect(reason(of: "group").contains(order))
    // The invocations of one dispatch race for the word, so that two renders in the same order may differ as well.
    #expect(reason(of: "last").contains(order) || reason(of: "last").contains("hang on chance"))
  }

  /// A kernel that does something with memory that all invocations share, in front of one that shows what came out.
  private static func kernel(_ statement: String) -> String {
    """
    /*{ "ETALON": 1, "PASSES": [{ "KERNEL": "computeKernel", "TARGET": "first" }, { "KERNEL": "imageKernel" }],
      "BUFFERS": [{ "NAME": "last", "TYPE": "float", "COUNT": 1 }, { "NAME": "count", "TYPE": "uint", "COUNT": 1 }] }*/
    void computeKernel(ivec2 position) {
      \(statement)
      IMG_STORE(first, position, vec4(1.0));
    }
    vec4 imageKernel(vec2 position) {
      return vec4(last[0], float(count[0] & 255u) / 255.0, position.x / RENDERSIZE.x, IMG_LOAD(first, ivec2(position)).a);
    }
    """
  }
}
