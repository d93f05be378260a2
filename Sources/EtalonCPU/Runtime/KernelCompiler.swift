package import EtalonDiagnostics
package import EtalonSPIRV
internal import EtalonSystem

/// Turns the SPIR-V of a kernel into a program.
struct KernelCompiler {
  /// Compiles on a thread of its own: code that is deeply nested needs a deep stack.
  ///
  /// The thread looks at the clock and ends when its time is over. A thread that does not is no longer waited for.
  static func compile(
    _ kernel: Kernel, perturbations: [Perturbation] = [], observer: KernelObserver? = nil, within time: CompilationTime = .unlimited
  ) throws(RenderError) -> LaneProgram {
    let task = try ThreadTask(.deep) { Result { () throws(RenderError) in try compileHere(kernel, perturbations, observer, time) } }
    guard let result = task.wait(until: time.end.map { $0 + patience }) else { throw time.error(kernel: kernel.name) }
    return try result.get()
  }

  /// How long after the end of its time a thread is still waited for.
  private static let patience = Duration.milliseconds(500)

  /// Compiles on the present thread.
  private static func compileHere(
    _ kernel: Kernel, _ perturbations: [Perturbation], _ observer: KernelObserver?, _ time: CompilationTime
  ) throws(RenderError) -> LaneProgram {
    let module = try module(of: kernel)
    do throws(Unsupported) {
      let lowered = try lower(module, of: kernel, perturbations, observer, time)
      let linear = try emit(lowered, time)
      let allocation = try RegisterAllocation(linear, rowCount: lowered.resources.rowCount, time)
      return Assembler(linear, allocation).assemble(lowered.resources, workgroupSize: lowered.workgroupSize, lowered.sites)
    } catch {
      throw error.isLate ? time.error(kernel: kernel.name) : error.error(kernel: kernel.name, module: module, isOnlyDevice: observer != nil)
    }
  }

  /// The code of a kernel before its registers have places.
  static func linearCode(of kernel: Kernel) throws(RenderError) -> LinearCode {
    let module = try module(of: kernel)
    do throws(Unsupported) {
      return try emit(try lower(module, of: kernel, [], nil, .unlimited), .unlimited)
    } catch {
      throw error.error(kernel: kernel.name, module: module)
    }
  }

  private static func module(of kernel: Kernel) throws(RenderError) -> SPIRVModule {
    do { return try SPIRVModule(kernel.words) } catch {
      let reason = error.diagnostics.first?.message ?? "it is malformed"
      throw RenderError(.invalidInput, "cannot read the SPIR-V of kernel '\(kernel.name)': \(reason)")
    }
  }

  private struct Lowered {
    let graph: ShaderGraph
    let resources: KernelResources
    let workgroupSize: (x: Int, y: Int, z: Int)
    let sites: LaneProgram.Sites
  }

  private static func lower(
    _ module: SPIRVModule, of kernel: Kernel, _ perturbations: [Perturbation], _ observer: KernelObserver?, _ time: CompilationTime
  ) throws(Unsupported) -> Lowered {
    let name = kernel.interface.entryPoint
    let entryPoint = module.entryPoints.first { $0.name == name && $0.executionModel == SPIRVModule.EntryPoint.glCompute }
    guard let entryPoint else { throw Unsupported("a module without a compute entry point '\(name)'") }
    let lowering = try KernelLowering(module: module, entryPoint: entryPoint, perturbations: perturbations, within: time)
    switch observer {
    case .findings(let log):
      lowering.watchFindings(
        LoweringWatch(
          module,
          countsOperations: log.pictures.contains(.operations), notesReads: log.pictures.contains(.origins), discardFlag: log.discardFlag,
          isAuthored: { log.isAuthored(kernel, $0) },
          isAddedZero: { log.isAddedZero(kernel, $0) }))
    case .variable(let log): lowering.probe = LoweringProbe(module) { log.isAuthored(kernel, $0) }
    case .assignments(let log): lowering.probe = LoweringProbe(module) { log.isAuthored(kernel, $0) }
    case nil: break
    }
    var (graph, resources) = try lowering.lower(entryPoint)
    try graph.simplify(within: time)
    var sites = LaneProgram.Sites(assignments: lowering.probe?.sites ?? [])
    if let watch = lowering.watch {
      (graph, sites.findings) = GraphWatch.applied(
        to: graph, watch.table, module, counts: watch.countsOperations, notesReads: watch.notesReads)
      sites.stores = watch.storeSites
    }
    return Lowered(graph: graph, resources: resources, workgroupSize: lowering.workgroupSize, sites: sites)
  }

  private static func emit(_ lowered: Lowered, _ time: CompilationTime) throws(Unsupported) -> LinearCode {
    var emitter = try Emitter(lowered.graph, within: time)
    var code = emitter.emit(lanes: lowered.workgroupSize.x * lowered.workgroupSize.y * lowered.workgroupSize.z)
    try time.check()
    code.coalesceMoves()
    return code
  }
}

// MARK: - Text

/// The program that the CPU executor makes of a kernel, as text for tests and for readers.
package enum ProgramListing {
  /// What runs once for a frame, then what runs for each workgroup.
  package static func text(of kernel: Kernel) throws(RenderError) -> String {
    try KernelCompiler.linearCode(of: kernel).description
  }
}
