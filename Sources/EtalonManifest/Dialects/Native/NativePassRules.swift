internal import EtalonDiagnostics

/// What the kernel of a pass may not say or be given because of its form.
struct NativePassRules {
  let header: NativeHeader
  let kernel: NativeKernel
  let pass: NativeHeader.Pass
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
            labels: [.init(place.source, place.range, "has no meaning here")], help: ["remove it"]))
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
          labels: place.map { [.init($0.source, $0.range, "grows by the reach")] } ?? [],
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
          refusal("native.derivative", place, tokens, "a compute kernel has no derivatives", "write the difference of two reads"))
      } else if kernel.form == .compute, Self.implicit.contains(text), tokens.isCalled(at: place) {
        found.append(
          refusal(
            "native.implicit-level", place, tokens, "a compute kernel cannot choose the level of a texture",
            "write 'textureLod(…, 0.0)', or IMG_PIXEL"))
      } else if kernel.form != .compute, text == "LOCAL_INDEX" {
        found.append(
          refusal("native.local-index", place, tokens, "only compute kernels know workgroups", "use POSITION, or write a compute kernel"))
      }
    }
    return found
  }

  private func refusal(_ id: String, _ place: Int, _ tokens: [Token], _ message: String, _ help: String) -> Diagnostic {
    Diagnostic(
      id, message, labels: tokens.labels(at: [place], kernel.form == .compute ? "in '\(kernel.name)'" : "in another kernel"), help: [help])
  }
}

extension NativeHeader.Pass {
  /// How far the pass reads, by itself or as the header says for all.
  func reach(in header: NativeHeader, _ form: KernelForm) -> KernelReach {
    reach ?? header.reach ?? (form == .color ? .none : .everywhere)
  }
}
