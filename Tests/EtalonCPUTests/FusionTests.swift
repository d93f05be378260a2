import EtalonCPU
import EtalonTypes
import Testing

/// Instructions that do several operations at once give what the operations give one by one.
@Suite struct FusionTests {
  private static let size = Size(33, 18)

  /// Compares every pixel with a function of its column and its row from the top.
  private static func compare(
    _ text: String, uses instructions: [String], with expected: (_ x: UInt32, _ y: UInt32) -> UInt32
  ) throws {
    let kernel = try GLSL.kernel("fusion", text)
    let listing = try ProgramListing.text(of: kernel)
    for instruction in instructions {
      #expect(listing.contains(" \(instruction) "), "nothing became '\(instruction)':\n\(listing)")
    }
    for set in InstructionSet.allCases where set.isSupported {
      let words = try GLSL.run(kernel, size: size, options: .init(threadCount: 1, instructionSet: set))
      for (place, word) in words.enumerated() {
        let x = UInt32(place % size.width), y = UInt32(size.height - 1 - place / size.width)
        guard word != expected(x, y) else { continue }
        Issue.record("pixel (\(x), \(y)) with \(set): \(String(word, radix: 16)), expected \(String(expected(x, y), radix: 16))")
        break
      }
    }
  }

  @Test func integerHash() throws {
    let text = """
      uint result(uint x, uint y) {
        uint h = x * 1664525u + y * 22695477u + 1013904223u;
        h ^= h >> 16; h *= 2246822519u; h = (h >> 13) ^ h; h *= 3266489917u; h ^= h >> 15;
        return floatBitsToUint(float(h >> 8) / 16777216.0) ^ (h << 3 | x) ^ ((h >> 5) & 0xffu);
      }
      """
    try Self.compare(text, uses: ["imul_xorshift", "shr_i2f_fmul", "shl_or", "shr_and", "imul_iadd"]) { x, y in
      var h = x &* 1_664_525 &+ y &* 22_695_477 &+ 1_013_904_223
      h ^= h >> 16
      h &*= 2_246_822_519
      h ^= h >> 13
      h &*= 3_266_489_917
      h ^= h >> 15
      return (Float(h >> 8) / 16_777_216).bitPattern ^ (h << 3 | x) ^ ((h >> 5) & 0xff)
    }
  }

  @Test func clampedAddresses() throws {
    let text = "uint result(uint x, uint y) { return uint(clamp(int(x * 3u) - int(y), 2, 17)) * 100u + uint(max(min(int(y), 9), 4)); }"
    try Self.compare(text, uses: ["smax_smin", "smin_smax"]) { x, y in
      UInt32(min(max(Int(x) * 3 - Int(y), 2), 17)) * 100 + UInt32(max(min(Int(y), 9), 4))
    }
  }

  @Test func storedChannels() throws {
    let text = """
      float value(uint x, uint y) {
        if (x < 4u) return uintBitsToFloat(x == 0u ? 0x7fc00001u : x == 1u ? 0xff800000u : x == 2u ? 0x7f800000u : 0x80000000u);
        return (float(int(x * 18u + y)) - 20.0) / 510.0;
      }
      uint result(uint x, uint y) {
        float v = value(x, y);
        uint bits = floatBitsToUint(v) & 0x7fffffffu;
        return uint(roundEven(clamp(0x7f800000u < bits ? 0.0 : v, 0.0, 1.0) * 255.0));
      }
      """
    try Self.compare(text, uses: ["to_unorm"]) { x, y in
      if x < 4 { return x == 2 ? 255 : 0 }
      let v = (Float(x * 18 + y) - 20) / 510
      return UInt32((min(max(v, 0), 1) * 255).rounded(.toNearestOrEven))
    }
  }

  @Test func quotientsByPowersOfTwo() throws {
    let text =
      "uint result(uint x, uint y) { float v = uintBitsToFloat(x * 134217728u + y * 77777u); return v != v ? 0u : floatBitsToUint(v / 32768.0); }"
    try Self.compare(text, uses: ["fmul"]) { x, y in
      let v = Float(bitPattern: x &* 134_217_728 &+ y &* 77_777)
      return v.isNaN ? 0 : (v / 32768).bitPattern
    }
  }
}
