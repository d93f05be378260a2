internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest

/// Finds the kernels of a text, one for each pass of the header.
struct NativeKernels {
  /// In the order of the passes; complete when there are no errors.
  private(set) var kernels: [NativeKernel] = []
  private(set) var diagnostics: [Diagnostic] = []

  private let tokens: [Token]
  private let functions: [FileScope.Function]
  /// The number of image inputs, whose colors a color kernel takes.
  private let colors: Int

  init(_ header: FilterHeader, in tokens: [Token], _ source: SourceText) {
    self.tokens = tokens
    functions = FileScope(tokens).functions
    colors = header.images.filter { $0.input.origin == .user }.count
    let entry = header.passes.contains { $0.kernel == nil } ? entryPoint(source) : nil
    for pass in header.passes {
      let kernel = if let name = pass.kernel { kernel(named: name) } else { entry }
      if let kernel { kernels.append(kernel) }
    }
  }

  // MARK: by name

  private mutating func kernel(named name: Placed<String>) -> NativeKernel? {
    let candidates = functions.filter { $0.name == name.value && $0.body != nil }
    if let kernel = candidates.compactMap({ self.kernel($0) }).first { return kernel }
    if let function = candidates.first {
      reportForm(function, NativeKernel.entryPoints[name.value])
    } else {
      let near = NearestName.find(name.value, in: functions.filter { $0.body != nil }.map(\.name))
      diagnostics.append(
        Diagnostic(
          "native.no-kernel", "the text has no function '\(name.value)'", labels: [name.place.label("not found")],
          help: near.map { ["did you mean '\($0)'?"] } ?? ["write '\(NativeKernel.example(.image, name.value, colors: colors))'"]))
    }
    return nil
  }

  // MARK: by the names of entry points

  private mutating func entryPoint(_ source: SourceText) -> NativeKernel? {
    let named = functions.filter { NativeKernel.entryPoints[$0.name] != nil && $0.body != nil }
    let names = Set(named.map(\.name))
    guard let function = named.first else {
      reportMissing(source)
      return nil
    }
    guard names.count == 1 else {
      diagnostics.append(
        Diagnostic(
          "native.several-kernels", "the text has several kernels, and the header does not say which to run",
          labels: named.flatMap { tokens.labels(at: [$0.nameIndex], "a kernel") },
          help: ["keep one, or add \"PASSES\": [{ \"KERNEL\": \"\(function.name)\" }]"]))
      return nil
    }
    if let kernel = named.compactMap({ self.kernel($0) }).first { return kernel }
    reportForm(function, NativeKernel.entryPoints[function.name])
    return nil
  }

  private mutating func reportMissing(_ source: SourceText) {
    let near = functions.lazy.compactMap { function in NearestName.find(function.name, in: NativeKernel.entryPoints.keys) }.first
    let place = functions.first { NearestName.find($0.name, in: NativeKernel.entryPoints.keys) == near && near != nil }
    let label = place.map { tokens.labels(at: [$0.nameIndex], "perhaps this one") } ?? [.init(source, 0..<0)]
    diagnostics.append(
      Diagnostic(
        "native.no-kernel", "the text has no kernel", labels: label,
        help: near.map { ["did you mean '\($0)'?"] } ?? ["write '\(NativeKernel.example(.image, "imageKernel", colors: colors))'"],
        notes: [
          "kernels: "
            + [KernelForm.color, .warp, .image, .compute].map { "'\(NativeKernel.example($0, "\($0.rawValue)Kernel", colors: colors))'" }
            .joined(separator: ", ")
        ]))
  }

  // MARK: forms

  /// The kernel that a function is; nil when it has the form of none, or not that of its name.
  private func kernel(_ function: FileScope.Function) -> NativeKernel? {
    let signature = FunctionSignature(function, in: tokens)
    guard let form = form(of: signature), NativeKernel.entryPoints[function.name].map({ $0 == form }) ?? true else { return nil }
    return NativeKernel(
      name: function.name, form: form, prototype: signature.prototype,
      labels: tokens.labels(at: [function.nameIndex], "a \(form.rawValue) kernel"))
  }

  private func form(of signature: FunctionSignature) -> KernelForm? {
    if signature.takes(Array(repeating: "vec4", count: colors), returns: "vec4") { return .color }
    if signature.takes(["vec2"], returns: "vec2") { return .warp }
    if signature.takes(["vec2"], returns: "vec4") { return .image }
    return signature.takes(["ivec2"], returns: "void") ? .compute : nil
  }

  private mutating func reportForm(_ function: FileScope.Function, _ form: KernelForm?) {
    let forms = form.map { [$0] } ?? KernelForm.allCases
    let signature = FunctionSignature(function, in: tokens)
    let takesColors = signature.result == "vec4" && !signature.parameters.isEmpty && signature.parameters.allSatisfy { $0.type == "vec4" }
    let notes = takesColors ? ["a color kernel takes one color for each image input, and the header has \(colors)"] : []
    diagnostics.append(
      Diagnostic(
        "native.kernel-form", "'\(function.name)' has not the form of a kernel",
        labels: tokens.labels(at: [function.nameIndex], "declared here"),
        help: ["write " + forms.map { "'\(NativeKernel.example($0, function.name, colors: colors))'" }.joined(separator: " or ")],
        notes: notes))
  }
}

/// The function of the text that a pass runs.
struct NativeKernel {
  let name: String
  let form: KernelForm
  /// The declaration that lets a caller stand before it.
  let prototype: String
  /// Labels at its name in the text.
  let labels: [Diagnostic.Label]

  /// The function that has the name of each form when a header names none.
  static let entryPoints = ["colorKernel": KernelForm.color, "warpKernel": .warp, "imageKernel": .image, "computeKernel": .compute]

  /// How a kernel of a form begins.
  static func example(_ form: KernelForm, _ name: String, colors: Int) -> String {
    switch form {
    case .color: "vec4 \(name)(\((0..<colors).map { colors == 1 ? "vec4 color" : "vec4 color\($0)" }.joined(separator: ", ")))"
    case .warp: "vec2 \(name)(vec2 position)"
    case .image: "vec4 \(name)(vec2 position)"
    case .compute: "void \(name)(ivec2 position)"
    }
  }
}

// MARK: - rules of the forms

/// What the kernel of a pass may not say or be given because of its form.
struct NativePassRules {
  let header: FilterHeader
  let kernel: NativeKernel
  let pass: FilterHeader.Pass
  /// What the pass writes.
  let writes: [String]

  /// What is wrong in the header.
  func headerDiagnostics() -> [Diagnostic] {
    var found: [Diagnostic] = []
    if kernel.form != .compute {
      let given = [("LOCAL_SIZE", pass.localSize?.place), ("DISPATCH", pass.dispatch?.place), ("WRITES", pass.writes?.first?.place)]
      for case (let key, let place?) in given {
        found.append(
          Diagnostic(
            "native.compute-key", "'\(key)' is for compute kernels, and '\(kernel.name)' is none",
            labels: [place.label("has no meaning here")], help: ["remove it"]))
      }
    }
    let inputs = header.images.filter { $0.input.origin == .user }.count
    if kernel.form == .warp, inputs != 1 {
      found.append(
        Diagnostic(
          "native.warp-input", "a warp kernel reads the one image input, and the header has \(inputs)", labels: kernel.labels,
          help: ["write an image kernel that reads what it needs"]))
    }
    if header.extent == .grown, pass.reach(in: header, kernel.form) == .everywhere {
      let place = header.extentPlace ?? header.place
      found.append(
        Diagnostic(
          "native.grow-reach", "the result cannot grow by a reach of 'all', which '\(kernel.name)' has",
          labels: place.map { [$0.label("grows by the reach")] } ?? [],
          help: ["say how many pixels around its position '\(kernel.name)' reads, as in \"REACH\": 8"]))
    }
    return found
  }

  private static let derivatives = Set(Derivatives.names.keys)
  private static let implicit: Set<String> = ["texture", "textureProj", "textureOffset", "textureProjOffset", "textureQueryLod"]

  /// What is wrong among the tokens that the kernel needs.
  func textDiagnostics(_ tokens: [Token], at places: Set<Int>) -> [Diagnostic] {
    let known = header.outputs.map(\.name.value) + header.passes.compactMap(\.target?.value) + [header.mainOutput]
    var found = NativeStores(targets: writes).diagnostics(in: tokens, at: places, isCompute: kernel.form == .compute, known: known)
    for place in places.sorted() where tokens[place].kind == .identifier {
      let text = tokens[place].text
      if kernel.form == .compute, Self.derivatives.contains(text) {
        found.append(
          diagnostic("native.derivative", place, tokens, "a compute kernel has no derivatives", "write the difference of two reads"))
      } else if kernel.form == .compute, Self.implicit.contains(text), tokens.isCalled(at: place) {
        found.append(
          diagnostic(
            "native.implicit-level", place, tokens, "a compute kernel cannot choose the level of a texture",
            "write 'textureLod(…, 0.0)', or IMG_PIXEL"))
      } else if kernel.form != .compute, text == "LOCAL_INDEX" {
        found.append(
          diagnostic("native.local-index", place, tokens, "only compute kernels know workgroups", "use POSITION, or write a compute kernel")
        )
      }
    }
    return found
  }

  private func diagnostic(_ id: String, _ place: Int, _ tokens: [Token], _ message: String, _ help: String) -> Diagnostic {
    Diagnostic(
      id, message, labels: tokens.labels(at: [place], kernel.form == .compute ? "in '\(kernel.name)'" : "in another kernel"), help: [help])
  }
}

extension FilterHeader.Pass {
  /// How far the pass reads, by itself or as the header says for all.
  func reach(in header: FilterHeader, _ form: KernelForm) -> KernelReach {
    reach ?? header.reach ?? (form == .color ? .none : .everywhere)
  }
}
