import EtalonSPIRV
import EtalonTestSupport
import Foundation
import Testing

/// Selections between arrays, which the compiler writes and SPIR-V 1.3 does not have.
@Suite struct CompositeSelectionTests {
  private static func words(_ statements: String) throws -> [UInt32] {
    try ShaderText.words(
      of: """
        #version 450
        layout(local_size_x = 1) in;
        layout(binding = 0) buffer Words { uint n; vec4 result; };
        const vec4 A[2] = vec4[2](vec4(1), vec4(2)), B[2] = vec4[2](vec4(3), vec4(4));
        const vec2 C[2][2] = vec2[2][2](vec2[2](vec2(1), vec2(2)), vec2[2](vec2(3), vec2(4)));
        const vec2 D[2][2] = vec2[2][2](vec2[2](vec2(5), vec2(6)), vec2[2](vec2(7), vec2(8)));
        void main() { \(statements) }
        """)
  }

  @Test(arguments: [
    "vec4 v[2] = n > 2u ? A : B; result = v[n & 1u];", "vec2 v[2][2] = n > 2u ? C : D; result.xy = v[n & 1u][1];",
    "vec4 v[2] = n > 2u ? A : B; vec4 w[2] = n > 4u ? B : A; result = v[0] + w[1]; vec2 u[2][2] = n > 3u ? D : C; result.xy += u[1][0];",
  ]) func arraysAreSelectedVectorByVector(_ statements: String) throws {
    let words = try Self.words(statements)
    let isNeeded = (try? Tool.run("spirv-val", ["--target-env", "vulkan1.1"], words: words)) == nil
    #expect(isNeeded, "this compiler selects no arrays")
    let apart = try CompositeSelection.takenApart(words)
    #expect(throws: Never.self) { try Tool.run("spirv-val", ["--target-env", "vulkan1.1"], words: apart) }
    #expect(try CompositeSelection.takenApart(apart) == apart)
    let module = try SPIRVModule(apart)
    let lines = module[module.firstFunction..<module.instructionCount].filter { $0.opcode == .OpSelect }.map {
      module.location($0.index)?.line
    }
    #expect(lines.allSatisfy { $0 == 7 } && lines.count >= 2)
  }

  @Test(arguments: Corpus.all) func otherModulesStay(_ name: String) throws {
    #expect(try CompositeSelection.takenApart(Corpus.words(name)) == Corpus.words(name))
  }
}
