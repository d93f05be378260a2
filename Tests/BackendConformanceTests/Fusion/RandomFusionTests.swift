import EtalonTypes
import Testing

/// Whatever is fused, the CPU device gives the same bits as without fusion.
@Suite struct RandomFusionTests {
  private static let size = Size(18, 20)

  private func check(_ seed: UInt64, _ formats: [PixelFormat]) throws {
    var random = RandomChain(seed: seed)
    let nodes = random.nodes(8, formats: formats)
    let chain = FilterChain(nodes: nodes, size: Self.size, picture: .noise(Self.size, .rgba32f, seed: seed))
    let fused = try chain.words(chain.fused(), on: .cpu)
    let unfused = try chain.words(chain.unfused(), on: .cpu)
    let wrong = fused.indices.filter { fused[$0] != unfused[$0] }
    #expect(wrong.isEmpty, "\(wrong.count) pixels differ, the first \(wrong.first ?? 0): \(nodes.map(\.links))")
    #expect(Set(fused).count > 100, "the picture hardly depends on the filters")
  }

  @Test(arguments: 2...9 as ClosedRange<UInt64>) func floats(_ seed: UInt64) throws { try check(seed, [.rgba32f]) }

  @Test(arguments: 105...110 as ClosedRange<UInt64>) func everyExactFormat(_ seed: UInt64) throws {
    try check(seed, [.rgba32f, .rgba8, .rgba16, .rg8, .r8, .r16, .rg32f])
  }
}
