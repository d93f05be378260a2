package import EtalonDiagnostics

/// Joins kernels: a host calls stages, which are kernels of their own that leave their results in variables.
///
/// ```swift
/// let linked = try KernelLinker.link(host: host, stages: [blur, tint])
/// ```
///
/// The host has an empty function `etalonStage0`, `etalonStage1` and so on for each stage, which the `main` of the stage replaces; `main`, because compilers
/// initialise global variables there. Private variables of a stage that are called as one of the host are that variable; all others stay the stage's own, and a kernel
/// that is given twice gets two sets. Types and constants are shared. The uniform blocks of the stages become members of one block at binding
/// 0, and their textures and buffers get new bindings.
package enum KernelLinker {
  /// The beginning of the names of the host's empty functions.
  static let placeholder = "etalonStage"
  /// Variables of stages whose names begin so have to be the host's.
  static let sharedNames = ["etalonPixel", "etalonStageResult", "etalonArgument"]

  /// Links the host with its stages; the kernel has the name of the host.
  package static func link(host: Kernel, stages: [Kernel]) throws(DiagnosticsError) -> LinkedKernel {
    let outer = try LinkedModule(host)
    var linking = Linking(outer)
    try linking.addHost(stageCount: stages.count)
    var linked: [LinkedKernel.Stage] = []
    for (index, stage) in stages.enumerated() { linked.append(try linking.add(try LinkedModule(stage), as: index)) }
    let kernel = try Kernel(name: host.name, words: linking.words())
    return LinkedKernel(kernel: kernel, stages: linked)
  }
}

/// A kernel with its words taken apart.
struct LinkedModule {
  let name: String
  let module: SPIRVModule
  let reflection: Reflection

  init(_ kernel: Kernel) throws(DiagnosticsError) {
    name = kernel.name
    module = try SPIRVModule(kernel.words)
    reflection = try Reflection(module)
  }

  /// The function that the kernel begins with.
  var entry: Id { reflection.entryPoint.function }

  /// The addressing and memory model.
  var memoryModel: [UInt32] {
    module[0..<module.firstFunction].first { $0.opcode == .OpMemoryModel }.map { Array($0.operands) } ?? []
  }

  func mistake(_ id: String, _ message: String) -> DiagnosticsError { LinkMistake.error(id, name, message) }
}
