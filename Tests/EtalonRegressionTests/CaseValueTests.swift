import EtalonDiagnostics
import EtalonRegression
import Testing

/// What the values of a case mean.
@Suite struct CaseValueTests {
  /// Files that values name lie beside the cases, as those of inputs do.
  @Test func valuesNameFilesBesideTheCase() throws {
    let folder = try TestFolder()
    try folder.writePicture("graded/tests/squares.png")
    let header = #"{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "lut", "TYPE": "table" }] }"#
    try folder.write(
      "graded/graded.glsl", "/*\(header)*/\nvec4 colorKernel(vec4 color) { return vec4(TABLE_COLOR(lut, color.rgb), color.a); }\n")
    try folder.write("graded/tests/swap.cube", "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n")
    try folder.writeFilter("level", "vec4(uv, level, 1.0)")
    try folder.write("level/tests/levels.csv", "frame,level\n0,0.25\n10,0.75\n")
    try folder.write("level/tests/all.yaml", "cases: { moving: { values: { level: '@levels.csv:level' }, invariants: crop } }\n")
    try folder.write(
      "graded/tests/all.yaml",
      """
      cases:
        own: { inputs: { inputImage: squares.png }, values: { lut: swap.cube }, invariants: crop }
      """)
    // What values name belongs to the cases.
    #expect(try folder.selection("").diagnostics.map(\.message) == [])
    let results = try folder.run()
    #expect(results.verdicts == ["own": .passed, "moving": .passed], "\(results.cases.map(\.reason))")
  }
}
