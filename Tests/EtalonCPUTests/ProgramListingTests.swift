import EtalonCPU
import Foundation
import Testing

/// What kernels become, as text.
@Suite struct ProgramListingTests {
  @Test func uniformWorkIsDoneOnceAndBranchesAreMasked() throws {
    let kernel = try GLSL.kernel(
      "listing", "uint result(uint x, uint y) { uint n = uint(etalonEnd.x) * 3u; if (x > y) n += x * y; return n; }")
    let text = try ProgramListing.text(of: kernel)
    let frame = try #require(text.components(separatedBy: "workgroup:").first)
    #expect(frame.contains("imul"), "the product of a push constant and a constant is not in the frame's part:\n\(text)")
    #expect(text.contains("select"), "the two values of 'n' are not selected:\n\(text)")
    #expect(!text.contains("jump"), "a short branch is jumped over:\n\(text)")
  }

  @Test func loopsOfAllLanesJump() throws {
    let text = try ProgramListing.text(
      of: GLSL.kernel("listing", "uint result(uint x, uint y) { uint n = x; for (int i = 0; i < 9; i++) n = n * 3u + y; return n; }"))
    #expect(text.contains("loop L") && !text.contains("loop_while_any"), "a loop with a uniform counter is masked:\n\(text)")
  }

  @Test func loopsOfSomeLanesAreMasked() throws {
    let text = try ProgramListing.text(
      of: GLSL.kernel("listing", "uint result(uint x, uint y) { uint n = x; while (n < 100u) n = n * 3u + y + 1u; return n; }"))
    #expect(text.contains("loop_while_any"), "a loop with a varying end is not masked:\n\(text)")
  }
}
