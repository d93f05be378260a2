internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonSPIRV

/// What the CPU executor cannot carry out, with its place in the module.
struct Unsupported: Error {
  let what: String
  /// The position of the instruction in the module.
  let instruction: Int?

  /// Whether the only reason is that compiling takes too long.
  let isLate: Bool

  init(_ what: String, at instruction: Int? = nil) {
    self.what = what
    self.instruction = instruction
    isLate = false
  }

  private init() { (what, instruction, isLate) = ("what takes too long to compile", nil, true) }

  /// The time to compile is over.
  static let late = Unsupported()

  /// The error that is thrown to the caller.
  ///
  /// - Parameter isOnlyDevice: whether no other device can do what was asked for.
  func error(kernel: String, module: SPIRVModule, isOnlyDevice: Bool = false) -> RenderError {
    RenderError(
      .invalidInput, "the CPU device cannot execute \(what) (kernel '\(kernel)')",
      help: isOnlyDevice ? [] : ["render on another device: --device vulkan"]
    ).about(line(in: module))
  }

  /// Variables have no line of their own: theirs is the one of the function.
  private func line(in module: SPIRVModule) -> GeneratedLine? {
    guard let position = instruction, let location = module.location(position) else { return nil }
    let variable = module[position].opcode == .OpVariable ? module[position].result.map { module.name($0) } : nil
    return GeneratedLine(text: location.file, line: location.line, variable: variable)
  }
}

// MARK: - Limits

/// How long kernels may be compiled.
///
/// **Concurrency**: an immutable value.
struct CompilationTime: Sendable {
  /// As long as it takes.
  static let unlimited = CompilationTime(nil)

  /// The time that may pass in all; nil for any.
  private let limit: Duration?
  let end: ContinuousClock.Instant?

  /// Begins to count.
  init(_ limit: Duration?) {
    self.limit = limit
    end = limit.map { .now + $0 }
  }

  /// Throws when the time is over.
  func check() throws(Unsupported) { if let end, end <= .now { throw .late } }

  /// The error for when it is over.
  func error(kernel: String) -> RenderError {
    RenderError(
      .timedOut, "compiling kernel '\(kernel)' took longer than \(limit?.secondsText ?? "allowed")",
      help: ["allow more time with '--timeout', or make the shader shorter: a function is compiled once for each of its calls"])
  }
}

/// What a kernel may not exceed.
enum Limits {
  /// Numbers in one value that is loaded, stored or constructed as a whole.
  static let scalarsPerValue = 16_384
  /// Nodes of a graph, all calls inlined.
  static let nodes = 2_000_000
  /// Instructions, all calls inlined, and the numbers of their results.
  static let work = 1 << 27
  static let workBetweenLooksAtClock = 1 << 10
  /// Numbers in all constant arrays together.
  static let constantNumbers = 1 << 22
  /// Rows of local arrays: 1 KiB each for every thread.
  static let rows = 65_536
  /// Invocations in a workgroup.
  static let workgroupInvocations = Int(LANE_BATCH * LANE_MAXIMUM_BATCHES)
  /// Words of shared memory.
  static let sharedWords = 16_384
  /// Regions inside regions and calls inside calls.
  static let nesting = 1_500
  /// Registers of a program, in bytes for every thread.
  static let registerBytes = 256 << 20
}
