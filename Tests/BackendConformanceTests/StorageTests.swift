import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Foundation
import Testing

/// Storage images of every format, and uniform blocks of every layout.
@Suite struct StorageTests {
  private static let size = Size(32, 32)
  private static let rows = OperandSet.fractions.rows

  /// Writes operands to an image in one pass and reads it in the next.
  private func plan(_ format: PixelFormat, reader: String, binding: Plan.Binding) throws -> Plan {
    let target = Plan.Texture(name: "target", role: .transient, size: Self.size, format: format, isMipmapped: false)
    return Plan(
      textures: [target],
      outputs: [
        .init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight),
        .init(name: "sizes", size: Self.size, format: .rgba32f, alpha: .straight),
      ], kernels: [try KernelFile("storage/store.comp").kernel(), try KernelFile(reader).kernel()],
      passes: [
        .init(name: "store", kernel: 0, size: Self.size, bindings: [1: .output(1), 2: .storage(texture: 0)]),
        .init(name: "read", kernel: 1, size: Self.size, bindings: [1: .output(0), 2: binding]),
      ])
  }

  @Test(arguments: PixelFormat.allCases, Executor.allCases)
  func stores(_ format: PixelFormat, on executor: Executor) throws {
    let plan = try plan(format, reader: "texture/formats.comp", binding: .sampled(texture: 0, Sampler(.nearest)))
    let results = try executor.backend().words(of: plan, uniforms: [littleEndian(Self.rows.joined()), []])
    for (row, result) in zip(Self.rows, results) {
      for channel in 0..<4 {
        let value = Float(bitPattern: row[channel])
        let expected: Float = channel < format.channelCount ? stored(value, format) : channel == 3 ? 1 : 0
        if executor == .cpu {
          #expect(result[channel] == expected.canonicalBits, "\(format): \(value) is stored as \(Float(bitPattern: result[channel]))")
        } else if value.isOrdinary {
          let step = format.isFloat ? ulp(Double(expected)) : format.bytesPerChannel == 1 ? 1.0 / 255 : 1.0 / 65535
          let distance = (Double(Float(bitPattern: result[channel])) - Double(expected)).magnitude
          #expect(distance <= (format.bytesPerChannel == 2 && format.isFloat ? 0x1p-10 : step * 1.01), "\(format): \(value)")
        }
      }
    }
    try executor.checkValidation()
  }

  /// What a format keeps of a number.
  private func stored(_ value: Float, _ format: PixelFormat) -> Float {
    if format.isFloat { return format.bytesPerChannel == 2 ? Float(Float16(value)) : value }
    let scale: Float = format.bytesPerChannel == 1 ? 255 : 65535
    return ((value > 0 ? min(value, 1) : 0) * scale).rounded(.toNearestOrEven) / scale
  }

  @Test(arguments: Executor.allCases)
  func loads(on executor: Executor) throws {
    let plan = try plan(.rgba32f, reader: "storage/load.comp", binding: .storage(texture: 0))
    let results = try executor.backend().words(of: plan, uniforms: [littleEndian(Self.rows.joined()), []])
    for (index, result) in results.enumerated() {
      let row = Self.rows[index % 32 * 32 + index / 32]
      for channel in 0..<4 where Float(bitPattern: row[channel]).isOrdinary { #expect(result[channel] == row[channel], "pixel \(index)") }
    }
  }

  // MARK: Uniform blocks, in which every word holds its own number

  /// Where the members of the block in `uniform` lie, in words.
  private enum Offset {
    static let a = 0, b = 4, c = 8, d = 20, e = 32, parts = 44, last = 68
  }

  private static let block = littleEndian((0..<72).map { Float($0) })

  private func check(_ name: String, on executor: Executor, _ expected: (Int) -> [Int]) throws {
    let words = try KernelTools.words(of: KernelFile.folder.appending(path: name))
    let interface = KernelInterface(
      entryPoint: "main", workgroupSize: [256, 1, 1], uniforms: .init(name: "Block", binding: 0, size: Self.block.count, members: []),
      pushConstants: .init(name: "EtalonRegion", binding: 0, size: 16, members: []),
      resources: [.init(name: "Output", binding: 1, kind: .storageBuffer)], usesSubgroups: false)
    let kernel = Kernel(name: name, words: words, interface: interface)
    let results = try executor.backend().words(of: Plan(kernel, size: Self.size), uniforms: [Self.block])
    for (n, result) in results.enumerated() {
      #expect(result.map { Float(bitPattern: $0) } == expected(n).map(Float.init), "\(name), pixel \(n)")
    }
    try executor.checkValidation()
  }

  @Test(arguments: Executor.allCases)
  func uniformLayouts(on executor: Executor) throws {
    try check("uniform/layouts.comp", on: executor) { n in
      if n % 5 == 4 { return [Offset.a, Offset.b + n % 3, Offset.parts + n % 2 * 12 + 1, Offset.last] }
      let c = Offset.c + n % 3 * 4 + n / 3 % 3, d = Offset.d + n / 2 % 3 * 4 + n % 2
      return [Offset.e + n % 3 * 4, c, d, Offset.parts + n % 2 * 12 + 4 + n / 2 % 2 * 4 + n / 4 % 2]
    }
  }

  @Test(arguments: Executor.allCases)
  func uniformCopies(on executor: Executor) throws {
    try check("uniform/copies.comp", on: executor) { n in
      let part = Offset.parts + n % 2 * 12
      let product = Offset.c + n % 3 + n % 2 * (Offset.c + 8 + n % 3)
      return [part + part + 1 + (part + 5) - (part + 8), Offset.d + n % 3 * 4 + 1, Offset.e + n % 3 * 4 + Offset.e, product]
    }
  }
}
