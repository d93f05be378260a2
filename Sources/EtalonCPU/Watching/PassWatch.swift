internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// What a pass needs to know to say where something happened.
struct PassWatch: PassObserver {
  private let log: WatchLog
  private let kernel: Kernel
  private let pass: Plan.Pass
  private let sites: [WatchSite]
  private let order: InvocationOrder
  /// For each invocation whether it is a pixel of the target; nil where all invocations count.
  private let inside: ByteBlock?
  /// For each site and for each invocation the kinds of faults, in the pass whose pixels are marked.
  private let marks: (ofSites: ByteBlock, ofInvocations: ByteBlock)?
  let workgroups: ByteBlock?

  /// - Parameter counts: how many workgroups there are.
  init(_ log: WatchLog, _ pass: Plan.Pass, kernel: Kernel, program: Program, counts: (x: Int, y: Int, z: Int)) throws(RenderError) {
    self.log = log
    self.kernel = kernel
    self.pass = pass
    sites = program.sites.faults
    let order = InvocationOrder(program, counts: counts)
    self.order = order
    let name = "the watch over pass '\(pass.name)'"
    guard case .pixels(let size) = pass.coverage else {
      (inside, marks, workgroups) = (nil, nil, nil)
      return
    }
    let inside = try ByteBlock(byteCount: order.count, name: name)
    inside.fill { number in
      let (x, y) = order.pixel(of: number)
      return x < size.width && y < size.height ? 1 : 0
    }
    self.inside = inside
    if let isWaived = log.isWaived, pass.bindings.values.contains(.output(0)) {
      let bits = program.sites.faults.map { isWaived(kernel, $0) ? 0 : $0.kind.mark }
      marks = (try .of(bits, name: name), try ByteBlock(byteCount: order.count * 4, name: name))
    } else {
      marks = nil
    }
    workgroups =
      log.isQuick
      ? try pass.sizeOfFinalPixels.map { (size) throws(RenderError) in
        try .of(QuickLook.workgroups(of: size), name: name)
      } : nil
  }

  func begin() { marks?.ofInvocations.clear() }

  func attach(to watch: inout lane_watch) {
    unsafe watch.inside = inside.map { unsafe UnsafePointer($0.start) }
    unsafe watch.site_marks = marks.map { unsafe UnsafePointer($0.ofSites.words) }
    unsafe watch.marks = marks.map { unsafe $0.ofInvocations.words }
  }

  /// Adds up what the threads noted in a frame.
  func report(_ notes: [[lane_note]], frame: Int) {
    for site in sites.indices {
      let here = notes.map { $0[site] }.filter { $0.count > 0 }
      guard let first = here.min(by: { $0.invocation < $1.invocation }) else { continue }
      let operands = [first.operands.0, first.operands.1, first.operands.2, first.operands.3]
      log.add(
        WatchLog.Fault(
          kernel: kernel, pass: pass.name, site: sites[site], count: here.reduce(0) { $0 + Int($1.count) }, frame: frame,
          place: place(of: Int(first.invocation)), operands: Array(operands.prefix(sites[site].operands.count)), result: first.result),
        site: site)
    }
    if let marks, case .pixels(let size) = pass.coverage { log.show(map(marks.ofInvocations, size, frame: frame)) }
  }

  private func place(of number: Int) -> WatchLog.Place {
    guard case .pixels(let size) = pass.coverage else {
      return .invocation(workgroup: number / order.invocations, index: number % order.invocations)
    }
    let (x, y) = order.pixel(of: number)
    return .pixel(x: x, y: y, fromTop: size.height - 1 - y)
  }

  private func map(_ block: ByteBlock, _ size: Size, frame: Int) -> FaultMap {
    var marks = [UInt32](repeating: 0, count: size.pixelCount)
    for row in 0..<size.height {
      for x in 0..<size.width {
        marks[row * size.width + x] = unsafe block.words[order.number(ofPixelAtX: x, y: size.height - 1 - row)]
      }
    }
    return FaultMap(pass: pass.name, frame: frame, size: size, marks: marks)
  }
}
