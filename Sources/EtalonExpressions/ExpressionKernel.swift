internal import EtalonCPU
internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes
internal import Synchronization

/// Expressions that were compiled to one kernel, ready on the reference executor.
final class ExpressionKernel: CompiledExpressions {
  private let execution: Mutex<any PlanExecution>
  private let block: KernelInterface.Block?
  private let uniforms: [Uniform]
  private let types: [ValueType]

  init(_ kernel: Kernel, pass: PassSource, types: [ValueType]) throws {
    let size = Size(types.count, 1)
    let output = kernel.interface.resources.first { $0.kind == .storageBuffer }
    let plan = Plan(
      textures: [], outputs: [.init(name: "values", size: size, format: .rgba32f, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: pass.name, kernel: 0, size: size, bindings: output.map { [$0.binding: .output(0)] } ?? [:])])
    let backend = CPUBackend(.init(threadCount: 1))
    execution = Mutex(try backend.prepare(PlanChecker().check(plan), imports: [], framesInFlight: 1))
    block = kernel.interface.uniforms
    uniforms = pass.uniforms
    self.types = types
  }

  func values(_ names: [String: Value]) throws(RenderError) -> [Value] {
    let bytes = uniformBytes(names)
    let words = try execution.withLock { execution throws(RenderError) in
      let frame = try execution.submit(FrameValues(frame: 0, uniforms: [bytes]))
      defer { frame.release() }
      try frame.wait()
      var words: [UInt32] = []
      frame.withBands(of: 0) { _, _, band in
        for offset in stride(from: 0, to: band.byteCount, by: 4) {
          unsafe words.append(band.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
      }
      return words
    }
    return types.enumerated().map { index, type in
      Value(type, words[4 * index..<4 * index + type.componentCount].map { Self.number($0, type) })
    }
  }

  private func uniformBytes(_ names: [String: Value]) -> [UInt8] {
    var bytes = UniformBytes(block)
    for member in block?.members ?? [] {
      guard case .parameter(let name)? = uniforms.first(where: { $0.name == member.name })?.meaning else { continue }
      guard let value = names[name] else { preconditionFailure("no value for '\(name)'") }
      bytes.write(value.components, perElement: value.components.count, as: value.type, to: member)
    }
    return bytes.bytes
  }

  private static func number(_ word: UInt32, _ type: ValueType) -> Double {
    switch type {
    case .int, .ivec2, .ivec3, .ivec4: Double(Int32(bitPattern: word))
    case .uint, .bool: Double(word)
    default: Double(Float(bitPattern: word))
    }
  }
}
