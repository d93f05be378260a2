internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// What a pass needs to know to say where something happened.
struct PassWatch: Sendable {
  private let log: WatchLog
  private let kernel: Kernel
  private let pass: Plan.Pass
  private let sites: [WatchSite]
  private let invocations: Int
  private let columns: Int
  private let isInQuads: Bool
  /// For each invocation whether it is a pixel of the target; nil where all invocations count.
  let inside: ByteBlock?

  /// - Parameter counts: how many workgroups there are.
  init(_ log: WatchLog, _ pass: Plan.Pass, kernel: Kernel, program: Program, counts: (x: Int, y: Int, z: Int)) throws(RenderError) {
    self.log = log
    self.kernel = kernel
    self.pass = pass
    sites = program.sites
    invocations = program.workgroupSize.x * program.workgroupSize.y * program.workgroupSize.z
    columns = counts.x
    isInQuads = program.resources.readsSubgroupNumber
    guard case .pixels(let size) = pass.coverage else {
      inside = nil
      return
    }
    let total = counts.x * counts.y * counts.z * invocations
    let inside = try ByteBlock(byteCount: total, name: "the watch over pass '\(pass.name)'")
    self.inside = inside
    inside.fill { [self] number in
      let (x, y) = pixel(number)
      return x < size.width && y < size.height ? 1 : 0
    }
  }

  /// The pixel of an invocation, by the order that pixel kernels have in common.
  private func pixel(_ number: Int) -> (x: Int, y: Int) {
    let side = DispatchRegion.tileSide
    let workgroup = number / invocations, place = number % invocations
    let (left, low) = (workgroup % columns * side, workgroup / columns * side)
    guard isInQuads else { return (left + place % side, low + place / side) }
    let quad = place / 4, half = side / 2
    return (left + quad % half * 2 + place % 2, low + quad / half * 2 + place / 2 % 2)
  }

  /// Adds up what the threads noted in a frame.
  func report(_ notes: [[lane_note]], frame: Int) {
    for site in sites.indices {
      let here = notes.map { $0[site] }.filter { $0.count > 0 }
      guard let first = here.min(by: { $0.invocation < $1.invocation }) else { continue }
      let number = Int(first.invocation)
      let place: WatchLog.Place
      if case .pixels(let size) = pass.coverage {
        let (x, y) = pixel(number)
        place = .pixel(x: x, y: y, fromTop: size.height - 1 - y)
      } else {
        place = .invocation(workgroup: number / invocations, index: number % invocations)
      }
      let operands = [first.operands.0, first.operands.1, first.operands.2, first.operands.3]
      log.add(
        WatchLog.Fault(
          kernel: kernel, pass: pass.name, site: sites[site], count: here.reduce(0) { $0 + Int($1.count) }, frame: frame, place: place,
          operands: Array(operands.prefix(sites[site].operands.count)), result: first.result), site: site)
    }
  }
}
