internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// Reports the findings of one pass, with their places.
struct PassWatch: PassObserver {
  private let log: WatchLog
  private let kernel: Kernel
  private let pass: Plan.Pass
  private let sites: [WatchSite]
  private let order: InvocationOrder
  /// For each invocation whether it is a pixel of the target; nil where all invocations count.
  private let inside: ByteBlock?
  /// For each site and for each invocation the kinds of findings, in the pass whose pixels are marked.
  private let marks: (ofSites: ByteBlock, ofInvocations: ByteBlock)?
  /// What is kept of each invocation, in the pass that renders the result.
  private let operations: ByteBlock?
  private let origins: ByteBlock?
  private let stored: StoredTexels?
  private let reach: PassReach?
  let workgroups: ByteBlock?
  let comparesShared: Bool

  /// - Parameter counts: how many workgroups there are.
  init(_ log: WatchLog, _ pass: Plan.Pass, in plan: Plan, program: LaneProgram, counts: (x: Int, y: Int, z: Int)) throws(RenderError) {
    self.log = log
    kernel = plan.kernels[pass.kernel]
    self.pass = pass
    sites = program.sites.findings
    comparesShared = sites.contains { $0.kind == .sharedRace || $0.kind == .divergentBarrier }
    stored = try StoredTexels(of: pass, in: plan, program)
    let order = InvocationOrder(program, counts: counts)
    self.order = order
    reach = try PassReach(of: pass, program, order)
    let name = "the watch over pass '\(pass.name)'"
    guard case .pixels(let size) = pass.coverage else {
      (inside, marks, workgroups, operations, origins) = (nil, nil, nil, nil, nil)
      return
    }
    let inside = try ByteBlock(byteCount: order.count, name: name)
    inside.fill { number in
      let (x, y) = order.pixel(of: number)
      return x < size.width && y < size.height ? 1 : 0
    }
    self.inside = inside
    let isResult = pass.bindings.values.contains(.output(0))
    operations = isResult && log.pictures.contains(.operations) ? try ByteBlock(byteCount: order.count * 4, name: name) : nil
    origins = isResult && log.pictures.contains(.origins) ? try ByteBlock(byteCount: order.count * 4, name: name) : nil
    if let isWaived = log.isWaived, isResult {
      let bits = program.sites.findings.map { [kernel] in $0.isRead || isWaived(kernel, $0) ? 0 : $0.kind.mark }
      marks = (try .of(bits, name: name), try ByteBlock(byteCount: order.count * 8, name: name))
    } else {
      marks = nil
    }
    workgroups =
      log.isQuick
      ? try pass.sizeOfFinalPixels.map { (size) throws(RenderError) in
        try .of(QuickLook.workgroups(of: size), name: name)
      } : nil
  }

  func begin() {
    marks?.ofInvocations.clear()
    operations?.clear()
    origins?.clear()
    stored?.clear()
  }

  func attach(to watch: inout lane_watch) {
    unsafe watch.inside = inside.map { unsafe UnsafePointer($0.start) }
    unsafe watch.site_marks = marks.map { unsafe UnsafePointer($0.ofSites.longWords) }
    unsafe watch.marks = marks.map { unsafe $0.ofInvocations.longWords }
    unsafe watch.counts = operations.map { unsafe $0.words }
    unsafe watch.origins = origins.map { unsafe $0.words }
    unsafe watch.reach = reach.map { unsafe UnsafePointer($0.limits) }
    unsafe watch.stored = stored.map { unsafe UnsafePointer($0.blocks) }
  }

  /// Adds up what the threads noted in a frame.
  func report(_ notes: [[lane_note]], frame: Int) {
    for site in sites.indices where !sites[site].isRead {
      let here = notes.map { $0[site] }.filter { $0.count > 0 }
      guard let first = here.min(by: { $0.invocation < $1.invocation }) else { continue }
      // The parts of a result that no 'return' gave, or of an argument, are watched one by one, and are one finding together.
      let isOfParts = [.missingReturn, .copyOutOrder].contains(sites[site].kind)
      var entry = entry(site, first, count: here.reduce(0) { $0 + Int(isOfParts ? $1.invocations : $1.count) }, frame: frame)
      if case .pixels = pass.coverage { entry.pixelCount = here.reduce(0) { $0 + Int($1.invocations) } }
      log.add(entry, site: site)
    }
    if let stored { for entry in entries(in: stored, frame: frame) { log.add(entry, site: -1) } }
    guard case .pixels(let size) = pass.coverage else { return }
    if let marks {
      let marks = order.pixels(of: size) { unsafe marks.ofInvocations.longWords[$0] }
      log.show(FindingMap(pass: pass.name, frame: frame, size: size, marks: marks))
    }
    if let operations { log.show(operations: pixels(operations, size, frame: frame)) }
    if let origins { log.show(origins: OriginMap(kernel: kernel, sites: sites, pixels: pixels(origins, size, frame: frame))) }
  }

  private func entry(_ site: Int, _ first: lane_note, count: Int, frame: Int) -> WatchLog.Entry {
    let operands = [first.operands.0, first.operands.1, first.operands.2, first.operands.3]
    var kept = Array(operands.prefix(sites[site].operands.count))
    var other: WatchLog.Encounter?
    if sites[site].kind == .sharedRace, let access = SharedAccess(rawValue: operands[3] & 255),
      let otherAccess = SharedAccess(rawValue: operands[3] >> 8)
    {
      other = WatchLog.Encounter(
        word: Int(operands[0]), access: access, site: sites[Int(operands[1])], otherAccess: otherAccess, invocation: Int(operands[2]))
    } else if sites[site].kind == .divergentBarrier {
      kept = [operands[0]]
    }
    return WatchLog.Entry(
      kernel: kernel, pass: pass.name, site: sites[site], count: count, pixelCount: nil, frame: frame,
      place: place(of: Int(first.invocation)),
      operands: kept, result: first.result, other: other)
  }

  /// What was left out of targets, told where they are stored.
  private func entries(in stored: StoredTexels, frame: Int) -> [WatchLog.Entry] {
    stored.missing.map { missing in
      let store = sites[missing.site]
      let site = WatchSite(
        kind: .neverStored, lines: store.lines, variable: nil, operands: ["x", "y"].map { .init(name: $0, scalar: .signed) }, result: nil)
      return WatchLog.Entry(
        kernel: kernel, pass: pass.name, site: site, count: missing.count, pixelCount: nil, frame: frame,
        place: .texel(x: missing.x, y: missing.y),
        operands: [UInt32(missing.x), UInt32(missing.y)], result: 0, other: nil)
    }
  }

  private func place(of number: Int) -> WatchLog.Place {
    guard case .pixels(let size) = pass.coverage else {
      return .invocation(workgroup: number / order.invocations, index: number % order.invocations)
    }
    let (x, y) = order.pixel(of: number)
    return .pixel(x: x, y: y, fromTop: size.height - 1 - y)
  }

  /// What a block holds of the invocations, by the pixels that they compute.
  private func pixels(_ block: ByteBlock, _ size: Size, frame: Int) -> PixelNumbers {
    PixelNumbers(pass: pass.name, frame: frame, size: size, numbers: order.pixels(of: size) { unsafe block.words[$0] })
  }
}

// MARK: - Memory of watches

/// Owns the memory in which a compute kernel marks the texels that it stores.
///
/// **Concurrency**: written by all threads of a dispatch; read when they have ended.
@safe private final class StoredTexels: @unchecked Sendable {
  /// Texels that no invocation stored.
  struct Missing {
    /// The site that stores others of the same texture.
    let site: Int
    let count: Int
    /// The first of them.
    let x: Int
    let y: Int
  }

  private struct Target {
    let site: Int
    let width: Int
    let block: ByteBlock
  }

  /// For each texture of the kernel its marks; null for those that are not written.
  let blocks: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  private let targets: [Target]

  /// Nil for passes that cover pixels, which store each once, and for kernels that store no texels.
  init?(of pass: Plan.Pass, in plan: Plan, _ program: LaneProgram) throws(RenderError) {
    guard case .workgroups = pass.coverage else { return nil }
    var targets: [Target] = []
    let textures = program.resources.textures
    unsafe blocks = .allocate(capacity: max(textures.count, 1))
    unsafe blocks.initialize(repeating: nil, count: max(textures.count, 1))
    for (number, binding) in textures.enumerated() {
      guard case .storage(let texture, _) = pass.bindings[binding], let site = program.sites.stores[number],
        case .flat = plan.textures[texture].shape
      else { continue }
      let size = plan.textures[texture].size
      let block: ByteBlock
      do throws(RenderError) { block = try ByteBlock(byteCount: size.pixelCount, name: "the watch over pass '\(pass.name)'") } catch {
        unsafe blocks.deallocate()
        throw error
      }
      unsafe blocks[number] = block.start
      targets.append(Target(site: site, width: size.width, block: block))
    }
    self.targets = targets
  }

  deinit { unsafe blocks.deallocate() }

  func clear() { for target in targets { target.block.clear() } }

  /// The missing texels of each target that has any.
  var missing: [Missing] {
    targets.compactMap { target in
      var (count, first) = (0, 0)
      for texel in 0..<target.block.byteCount where unsafe target.block.start[texel] == 0 {
        if count == 0 { first = texel }
        count += 1
      }
      return count == 0 ? nil : Missing(site: target.site, count: count, x: first % target.width, y: first / target.width)
    }
  }
}

/// Owns what the lane kernels need to know of how far a pass may read.
///
/// **Concurrency**: read by all threads of a dispatch.
@safe private final class PassReach: @unchecked Sendable {
  let limits: UnsafeMutablePointer<lane_reach>
  private let pixels: ByteBlock
  private let isMeant: ByteBlock

  /// Nil for passes that may read any texel, and for those whose reach is not stated.
  init?(of pass: Plan.Pass, _ program: LaneProgram, _ order: InvocationOrder) throws(RenderError) {
    guard let reach = pass.reach, case .pixels(let size) = pass.coverage else { return nil }
    let name = "the reach of pass '\(pass.name)'", textures = program.resources.textures
    pixels = try .of(
      (0..<order.count).flatMap { number in
        let (x, y) = order.pixel(of: number)
        return [UInt32(x), UInt32(y)]
      }, name: name)
    isMeant = try ByteBlock(byteCount: max(textures.count, 1), name: name)
    isMeant.fill { $0 < textures.count && reach.bindings.contains(textures[$0]) ? 1 : 0 }
    unsafe limits = .allocate(capacity: 1)
    let coordinates = unsafe UnsafeRawPointer(pixels.start).bindMemory(to: Int32.self, capacity: pixels.byteCount / 4)
    unsafe limits.initialize(
      to: lane_reach(
        pixels: coordinates, width: Float(size.width), height: Float(size.height), x: Float(reach.x), y: Float(reach.y),
        is_meant: UnsafePointer(isMeant.start)))
  }

  deinit { unsafe limits.deallocate() }
}

// MARK: - Quick looks

/// The workgroups of a picture that are looked at when there is little time: every second one at the edges, the corners, the middle, and of the rest
/// every fourth in both directions.
private enum QuickLook {
  /// Every so many workgroups one is looked at, along x and along y.
  private static let step = 4

  /// The numbers of the workgroups.
  static func workgroups(of size: Size) -> [UInt32] {
    let side = DispatchRegion.tileSide
    let columns = (size.width + side - 1) / side, rows = (size.height + side - 1) / side
    let middle = (x: Set(middle(size.width).map { $0 / side }), y: Set(middle(size.height).map { $0 / side }))
    var chosen: [UInt32] = []
    for y in 0..<rows {
      for x in 0..<columns {
        let isAtSide = x == 0 || x == columns - 1, isAtEnd = y == 0 || y == rows - 1
        let isAtEdge = isAtSide && isAtEnd || (isAtSide || isAtEnd) && (x + y).isMultiple(of: 2)
        let isInGrid = x % step == step / 2 && y % step == step / 2
        guard isAtEdge || isInGrid || middle.x.contains(x) && middle.y.contains(y) else { continue }
        chosen.append(UInt32(y * columns + x))
      }
    }
    return chosen
  }

  /// The one or two pixels in the middle of a side: a shader that centers its picture divides by zero there.
  private static func middle(_ length: Int) -> [Int] { [max(length / 2 - 1, 0), length / 2] }
}
