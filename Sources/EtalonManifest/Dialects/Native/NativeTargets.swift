internal import EtalonDiagnostics
internal import EtalonTypes

/// The targets that the passes of a header write, and what is wrong about them.
struct NativeTargets {
  private(set) var targets: [FilterTarget] = []
  /// What each pass writes; the result has the name of the main output.
  private(set) var writes: [[String]] = []
  private(set) var diagnostics: [Diagnostic] = []
  private let header: NativeHeader

  /// - Parameter forms: one for each pass.
  init(_ header: NativeHeader, forms: [KernelForm]) {
    self.header = header
    for output in header.outputs.dropFirst() {
      targets.append(
        FilterTarget(
          name: output.name.value, extent: output.extent, format: output.format, isPersistent: false, place: output.name.place))
    }
    for (pass, form) in zip(header.passes, forms) { add(pass, form) }
    checkResult(forms)
    checkOutputs()
  }

  /// The target of a name; nil for the result.
  func target(_ name: String) -> FilterTarget? { targets.first { $0.name == name } }

  private mutating func add(_ pass: NativeHeader.Pass, _ form: KernelForm) {
    let own = [pass.target].compactMap(\.self)
    let further = form == .compute ? pass.writes ?? [] : []
    for name in own + further where name.value != header.mainOutput {
      if let known = target(name.value) {
        check(name, pass, against: known)
      } else {
        targets.append(
          FilterTarget(name: name.value, extent: pass.extent, format: pass.format, isPersistent: pass.isPersistent, place: name.place))
      }
    }
    if form == .compute, pass.dispatch == nil { checkCoverage(own + further, of: pass) }
    let names = (own + further).map(\.value)
    writes.append(names.isEmpty && pass.writes == nil ? [header.mainOutput] : names)
  }

  /// A pass that says something about a target has to say the same as the one before.
  private mutating func check(_ name: Placed<String>, _ pass: NativeHeader.Pass, against known: FilterTarget) {
    let saysNothing = pass.extent == .output && pass.format == .rgba16f && !pass.isPersistent
    let isSame = pass.extent == known.extent && pass.format == known.format && pass.isPersistent == known.isPersistent
    guard !saysNothing, !isSame else { return }
    let first = known.place.map { [Diagnostic.Label($0.source, $0.range, "declared here")] } ?? []
    diagnostics.append(
      Diagnostic(
        "native.target-twice", "the target '\(name.value)' has another size, format or persistence before",
        labels: [.init(name.place.source, name.place.range, "declared again")] + first,
        help: ["say it once, and give later passes only the 'TARGET'"]))
  }

  /// The workgroups of a pass cover the first of its targets, which may be too few for the others.
  private mutating func checkCoverage(_ written: [Placed<String>], of pass: NativeHeader.Pass) {
    guard let first = written.first else { return }
    for other in written.dropFirst() where extent(other.value, pass).isLarger(than: extent(first.value, pass)) {
      diagnostics.append(
        Diagnostic(
          "native.partly-covered", "the workgroups cover '\(first.value)', and '\(other.value)' is larger", severity: .warning,
          labels: [.init(other.place.source, other.place.range, "not covered as a whole")],
          help: ["name '\(other.value)' first, or say with 'DISPATCH' how many workgroups run"]))
    }
  }

  private func extent(_ name: String, _ pass: NativeHeader.Pass) -> FilterTarget.Extent {
    name == header.mainOutput ? header.outputs.first?.extent ?? .output : target(name)?.extent ?? pass.extent
  }

  private mutating func checkResult(_ forms: [KernelForm]) {
    guard forms.count == header.passes.count, let last = header.passes.last else { return }
    for (index, pass) in header.passes.dropLast().enumerated() where pass.target == nil && forms[index] != .compute {
      report(
        pass.place, "native.pass-without-target", "pass \(index) writes no target, so its picture is lost", "no 'TARGET'",
        "add \"TARGET\": \"name\"")
    }
    if !writes.contains(where: { $0.contains(header.mainOutput) }) {
      let place = last.target?.place ?? last.place ?? header.place
      report(place, "native.no-result", "no pass writes the result", "writes something else", "add a last pass without 'TARGET'")
    }
  }

  private mutating func checkOutputs() {
    let written = Set(writes.flatMap(\.self))
    for output in header.outputs.dropFirst() where !written.contains(output.name.value) {
      report(
        output.name.place, "native.output-unwritten", "no pass writes the output '\(output.name.value)'", "never written",
        "name it in 'WRITES' of a compute kernel, or in 'TARGET'")
    }
  }

  private mutating func report(_ place: SourceRange?, _ id: String, _ message: String, _ label: String, _ help: String) {
    diagnostics.append(
      Diagnostic(id, message, labels: place.map { [.init($0.source, $0.range, label)] } ?? [], help: [help]))
  }
}

extension FilterTarget.Extent {
  /// Whether it is known to be wider or higher than another, whatever is rendered.
  fileprivate func isLarger(than other: FilterTarget.Extent) -> Bool {
    if case .pixels(let size) = self, case .pixels(let least) = other { return size.width > least.width || size.height > least.height }
    guard let factor, let least = other.factor else { return false }
    return least < factor
  }

  private var factor: Rational? {
    switch self {
    case .output: Rational(1)
    case .scaled(let factor): factor
    case .pixels, .expressions: nil
    }
  }
}
