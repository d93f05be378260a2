internal import CLaneKernels
package import EtalonDiagnostics
package import EtalonPlan
internal import EtalonSPIRV
package import EtalonTypes
internal import Foundation
internal import Synchronization

/// Executes plans on the processor: the same bits on every machine, with every number of threads and every instruction set.
///
/// ```swift
/// let backend = CPUBackend()
/// let execution = try backend.prepare(plan, imports: [photo], framesInFlight: 1)
/// let frame = try execution.submit(values)
/// ```
///
/// **Concurrency**: safe to use from any thread.
package final class CPUBackend: Backend {
  /// How a backend is set up.
  ///
  /// Only `perturbations` can change what is rendered; `stepLimit` and `timeout` can refuse to render it.
  package struct Options: Sendable, Hashable {
    /// How many threads render a frame.
    package var threadCount: Int
    /// The instructions that the kernels use; they must be supported by this machine.
    package var instructionSet: InstructionSet
    /// How long compiling all kernels of a plan may take, and how long one frame; nil for as long as it wants.
    package var timeout: Duration?
    /// How many rounds of loops one workgroup may run in all.
    package var stepLimit: Int
    /// How passes are cut into pieces, which then run from the last to the first; nil for in order and not at all.
    package var tiles: DispatchTiles?
    /// What is done differently on purpose, as devices may do it; one of each kind.
    package var perturbations: [Perturbation]

    package init(
      threadCount: Int = ProcessInfo.processInfo.activeProcessorCount, instructionSet: InstructionSet = .best, timeout: Duration? = nil,
      stepLimit: Int = 1 << 24, tiles: DispatchTiles? = nil, perturbations: [Perturbation] = []
    ) {
      self.threadCount = threadCount
      self.instructionSet = instructionSet
      self.timeout = timeout
      self.stepLimit = stepLimit
      self.tiles = tiles
      self.perturbations = perturbations
    }
  }

  private let options: Options
  private let observer: KernelObserver?
  private let programs = Mutex<[Kernel: LinkedProgram]>([:])

  /// Makes a backend; the instruction set must be one that this machine can run.
  ///
  /// - Parameter watch: what kernels are watched for goes there; the pixels stay the same.
  package convenience init(_ options: Options = Options(), watch: WatchLog? = nil) {
    self.init(options, observer: watch.map { .findings($0) })
  }

  /// Makes a backend that tells what one pixel assigns to variables; of the result it renders only the pixels around that one.
  package convenience init(_ options: Options = Options(), probe: ProbeLog) { self.init(options, observer: .assignments(probe)) }

  /// Makes a backend that keeps what every pixel of a pass assigns to a variable; the pixels stay the same.
  package convenience init(_ options: Options = Options(), picturing variable: VariableLog) {
    self.init(options, observer: .variable(variable))
  }

  private init(_ options: Options, observer: KernelObserver?) {
    precondition(options.threadCount >= 1, "no thread to render with")
    precondition(options.instructionSet.isSupported, "this machine has no \(options.instructionSet)")
    self.options = options
    self.observer = observer
  }

  package var deviceName: String { "CPU executor (\(options.instructionSet.rawValue), \(options.threadCount) threads)" }

  /// The version changes when the pixels do.
  package var identity: String {
    (["cpu 2"] + options.perturbations.map(\.description)).joined(separator: " ")
  }

  package func prepare(
    _ plan: CheckedPlan, imports: [PixelBuffer], setupUniforms: [[UInt8]], framesInFlight: Int
  ) throws(RenderError) -> any PlanExecution {
    precondition(framesInFlight >= 1, "no frame in flight")
    let violations = plan.violations(ofSetupUniforms: setupUniforms)
    precondition(violations.isEmpty, violations.joined(separator: "; "))
    var programs: [LinkedProgram] = []
    let time = CompilationTime(options.timeout)
    for kernel in plan.plan.kernels { programs.append(try program(for: kernel, within: time)) }
    return try CPUExecution(
      plan.plan, programs: programs, imports: imports, setupUniforms: setupUniforms, framesInFlight: framesInFlight, options: options,
      observer: observer)
  }

  private func program(for kernel: Kernel, within time: CompilationTime) throws(RenderError) -> LinkedProgram {
    if let known = programs.withLock({ $0[kernel] }) { return known }
    let program = try LinkedProgram(
      try KernelCompiler.compile(kernel, perturbations: options.perturbations, observer: observer, within: time),
      for: options.instructionSet,
      kernel: kernel.name)
    programs.withLock { $0[kernel] = program }
    return program
  }
}

// MARK: - Instruction sets

/// The vector instructions that the kernels are compiled for.
package enum InstructionSet: String, Sendable, Hashable, CaseIterable {
  /// What every machine has: vectors of four.
  case baseline
  case avx2
  case avx512

  var lane: lane_isa {
    switch self {
    case .baseline: LANE_ISA_BASE
    case .avx2: LANE_ISA_AVX2
    case .avx512: LANE_ISA_AVX512
    }
  }

  /// Whether this machine can run it.
  package var isSupported: Bool { lane_isa_is_supported(CInt(bitPattern: lane.rawValue)) != 0 }

  /// The widest that this machine can run.
  package static var best: InstructionSet { allCases.last { $0.isSupported } ?? .baseline }
}
