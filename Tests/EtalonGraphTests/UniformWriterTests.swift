import EtalonGraph
import EtalonManifest
import EtalonSPIRV
import EtalonTypes
import Testing

@Suite struct UniformWriterTests {
  /// Offsets and strides as std140 has them.
  private let block = KernelInterface.Block(
    name: "Values", binding: 0, size: 160,
    members: [
      .init(name: "count", type: "int", arrayLength: nil, offset: 0, arrayStride: 0, matrixStride: 0),
      .init(name: "sizes", type: "vec3", arrayLength: 2, offset: 16, arrayStride: 16, matrixStride: 0),
      .init(name: "turn", type: "mat3", arrayLength: nil, offset: 48, arrayStride: 0, matrixStride: 16),
      .init(name: "rows", type: "mat3", arrayLength: nil, offset: 96, arrayStride: 0, matrixStride: 16, isRowMajor: true),
    ])

  @Test func laysValuesOutAsTheKernelHasThem() {
    let uniforms = [
      Uniform(name: "count", type: .int, meaning: .frameIndex),
      Uniform(name: "sizes", type: .vec3, arrayLength: 4, meaning: .textureSizes([])),
      Uniform(name: "turn", type: .mat3, meaning: .fixed((1...9).map(Double.init))),
      Uniform(name: "rows", type: .mat3, meaning: .fixed((1...9).map(Double.init))),
      Uniform(name: "dropped", type: .float, meaning: .time),
    ]
    let bytes = UniformWriter(uniforms: uniforms, block: block).bytes { meaning in
      switch meaning {
      case .frameIndex: [-3]
      case .textureSizes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
      case .fixed(let components): components
      default: [99]
      }
    }
    let expected: [Float] = [1, 2, 3, 0, 4, 5, 6, 0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 1, 4, 7, 0, 2, 5, 8, 0, 3, 6, 9, 0]
    let words = [UInt32(bitPattern: -3), 0, 0, 0] + expected.map(\.bitPattern) + [UInt32](repeating: 0, count: 4)
    #expect(bytes.words == words)
  }

  @Test func aKernelWithoutUniformsGetsNone() {
    #expect(UniformWriter(uniforms: [Uniform(name: "t", type: .float, meaning: .time)], block: nil).bytes { _ in [1] }.isEmpty)
  }
}
