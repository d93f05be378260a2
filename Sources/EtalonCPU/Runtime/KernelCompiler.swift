internal import EtalonDiagnostics
internal import EtalonSPIRV
internal import Foundation

/// Turns the SPIR-V of a kernel into a program.
struct KernelCompiler {
  /// Compiles on a thread of its own: code that strangers nested deeply needs a deep stack.
  static func compile(_ kernel: Kernel) throws(RenderError) -> Program {
    let box = ResultBox()
    let thread = Thread {
      box.result = Result { () throws(RenderError) in try compileHere(kernel) }
      box.done.signal()
    }
    thread.stackSize = 256 << 20
    thread.start()
    box.done.wait()
    guard let result = box.result else { throw RenderError(.internalError, "the compiler thread of kernel '\(kernel.name)' vanished") }
    return try result.get()
  }

  /// Compiles on the present thread.
  static func compileHere(_ kernel: Kernel) throws(RenderError) -> Program {
    let module: SPIRVModule
    do {
      module = try SPIRVModule(kernel.words)
    } catch {
      let reason = error.diagnostics.first?.message ?? "it is malformed"
      throw RenderError(.invalidInput, "cannot read the SPIR-V of kernel '\(kernel.name)': \(reason)")
    }
    do throws(Refusal) {
      return try program(module, entryPoint: kernel.interface.entryPoint)
    } catch {
      throw error.error(kernel: kernel.name, module: module)
    }
  }

  /// Compiles an entry point of a module.
  static func program(_ module: SPIRVModule, entryPoint name: String) throws(Refusal) -> Program {
    let entryPoint = module.entryPoints.first {
      $0.name == name && $0.executionModel == SPIRVModule.EntryPoint.glCompute
    }
    guard let entryPoint else { throw Refusal("a module without a compute entry point '\(name)'") }
    let lowering = try KernelLowering(module: module, entryPoint: entryPoint)
    var (graph, resources) = try lowering.lower(entryPoint)
    graph.simplify()
    var emitter = Emitter(graph)
    let linear = emitter.emit(lanes: lowering.workgroupSize.x * lowering.workgroupSize.y * lowering.workgroupSize.z)
    let allocation = try RegisterAllocation(linear, rowCount: resources.rowCount, sharedWordCount: resources.sharedWordCount)
    return Assembler(linear, allocation).assemble(resources, workgroupSize: lowering.workgroupSize)
  }
}

/// What a compiler thread hands back; written before `done` is signalled and read after.
private final class ResultBox: @unchecked Sendable {
  var result: Result<Program, RenderError>?
  let done = DispatchSemaphore(value: 0)
}
