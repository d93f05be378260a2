internal import Etalon
internal import EtalonComparison
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// What must not matter: the same picture in another way.
extension InvariantCheck {
  func defaults(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    let written: [String]
    let path: String
    switch testCase.subject {
    case .node(let node): (written, path) = (node.settings.map(\.name.text), try run.library.path(of: node.filter.text))
    case .plain(let file) where !GraphDocument.isGraph(file): (written, path) = ([], file)
    case .plain, .document:
      throw refusal(invariant, "the case is about a graph, and only filters have defaults", "write it into a case of one of its filters")
    }
    let parameters = try FilterFile.read(path).description.parameters
    let open = parameters.filter { parameter in !parameter.followsClock && !written.contains(parameter.name) }
    guard !open.isEmpty else {
      guard invariant.written != nil else { return [] }
      let isWithout = parameters.allSatisfy(\.followsClock)
      throw refusal(
        invariant, isWithout ? "the filter has no parameters" : "every parameter has a value in 'values' already",
        isWithout ? "leave 'defaults' out" : "leave a value out, or 'defaults'")
    }
    let values = open.map { (name: $0.name, value: $0.default.exactText) }
    let explicit =
      testCase.isPlain
      ? try run.renderer.frames(of: testCase) { $0.settings += values.map { RenderRequest.Setting(name: $0.name, value: $0.value) } }
      : try run.renderer.frames(of: testCase.setting(Dictionary(values.map { ($0.name, $0.value) }) { first, _ in first }))
    return zip(frames, explicit).map { compare($0, $1.floats, $0.floats, invariant, testCase, "the values of the filter, not set") }
  }

  func tiles(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    if let size = frames.first?.floats.size, size.width <= 10, size.height <= 6 {
      throw refusal(invariant, "a picture of \(size) is one piece, and pieces have 10x6 pixels", "write 'size: 64x64'")
    }
    let renderer = CaseRenderer(device: run.device.cut("10x6"), library: run.library, timeout: run.settings.timeout)
    return try zip(frames, renderer.frames(of: testCase)).map {
      compare($0, $1.floats, $0.floats, invariant, testCase, "other pieces")
    }
  }

  /// Optimizers of drivers see other kernels, and may round otherwise.
  func optimization(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    let usual = run.device.isReference ? Tolerance.exact : Tolerance(channel: 2)
    return try zip(frames, run.renderer.frames(of: testCase) { $0.optimizes = true }).map {
      compare(
        $0, $1.floats, $0.floats, invariant, testCase, "what is not optimized ('etalon sanitize' tells of variables without a value)",
        usual, bits: run.device.isReference ? nil : testCase.bits)
    }
  }
}
