internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// What is kept of what kernels do while they run.
enum KernelObserver: Sendable {
  /// What they do that has no defined result.
  case findings(WatchLog)
  /// What one pixel assigns to variables.
  case assignments(ProbeLog)
  /// What all pixels assign to one variable.
  case variable(VariableLog)

  /// The observer of one pass; nil for passes that are not observed.
  ///
  /// - Parameter counts: how many workgroups there are.
  func observer(
    of pass: Plan.Pass, in plan: Plan, _ program: LaneProgram, counts: (x: Int, y: Int, z: Int)
  ) throws(RenderError) -> (any PassObserver)? {
    let kernel = plan.kernels[pass.kernel]
    switch self {
    case .findings(let log): return try PassWatch(log, pass, in: plan, program: program, counts: counts)
    case .assignments(let log): return try PassProbe(log, pass, kernel: kernel, program: program, counts: counts)
    case .variable(let log): return try PassVariable(log, pass, kernel: kernel, program: program, counts: counts)
    }
  }
}

/// Looks at one pass.
///
/// **Concurrency**: `begin` before all threads, `attach` in each of them, `report` after all.
protocol PassObserver: Sendable {
  /// The numbers of the workgroups that are to run, 32 bits each; nil for all.
  var workgroups: ByteBlock? { get }
  /// Whether accesses to shared memory are compared.
  var comparesShared: Bool { get }
  func begin()
  /// Says where the thread's notes go, apart from those of sites.
  func attach(to watch: inout lane_watch)
  /// Takes what the threads noted in a frame.
  func report(_ notes: [[lane_note]], frame: Int)
}

extension PassObserver {
  var comparesShared: Bool { false }
}

// MARK: - Invocations and pixels

/// Which pixels the invocations of a dispatch over pixels compute, by the order that pixel kernels have in common.
package struct InvocationOrder: Sendable {
  private static let side = DispatchRegion.tileSide

  /// The invocations of one workgroup.
  let invocations: Int
  private let columns: Int
  private let total: Int
  private let isInQuads: Bool

  package init(invocations: Int, columns: Int, rows: Int, isInQuads: Bool) {
    self.invocations = invocations
    self.columns = columns
    total = columns * rows * invocations
    self.isInQuads = isInQuads
  }

  /// - Parameter counts: how many workgroups there are.
  init(_ program: LaneProgram, counts: (x: Int, y: Int, z: Int)) {
    self.init(
      invocations: program.workgroupSize.x * program.workgroupSize.y * program.workgroupSize.z, columns: counts.x,
      rows: counts.y * counts.z,
      isInQuads: program.resources.readsSubgroupNumber)
  }

  /// The invocations of all workgroups.
  package var count: Int { total }

  /// The pixel of an invocation, from the lower left corner.
  package func pixel(of number: Int) -> (x: Int, y: Int) {
    let workgroup = number / invocations, place = number % invocations
    let (left, low) = (workgroup % columns * Self.side, workgroup / columns * Self.side)
    guard isInQuads else { return (left + place % Self.side, low + place / Self.side) }
    let quad = place / 4, half = Self.side / 2
    return (left + quad % half * 2 + place % 2, low + quad / half * 2 + place / 2 % 2)
  }

  /// The invocation of a pixel.
  package func number(ofPixelAtX x: Int, y: Int) -> Int {
    let column = x % Self.side, row = y % Self.side
    let start = workgroup(ofPixelAtX: x, y: y) * invocations
    guard isInQuads else { return start + row * Self.side + column }
    return start + (row / 2 * (Self.side / 2) + column / 2) * 4 + row % 2 * 2 + column % 2
  }

  /// What is known of the invocations, for the pixels of a picture, the top row first.
  func pixels<Value>(of size: Size, _ value: (Int) -> Value) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(size.pixelCount)
    for row in 0..<size.height {
      for x in 0..<size.width { values.append(value(number(ofPixelAtX: x, y: size.height - 1 - row))) }
    }
    return values
  }

  /// The workgroup that computes a pixel.
  package func workgroup(ofPixelAtX x: Int, y: Int) -> Int { y / Self.side * columns + x / Self.side }
}

extension Plan.Pass {
  /// The size of what it covers pixel by pixel, where it writes nothing but pixels of an output.
  ///
  /// Of such a pass a part of the workgroups may be left out without changing what any other pass does.
  var sizeOfFinalPixels: Size? {
    guard case .pixels(let size) = coverage, writesOutput, targets.isEmpty, buffers.isEmpty else { return nil }
    return size
  }
}
