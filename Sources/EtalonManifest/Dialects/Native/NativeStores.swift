internal import EtalonDiagnostics

/// The stores of a compute kernel: `IMG_STORE(target, position, color)` becomes a call of a function for that target.
struct NativeStores: Rewrite {
  let name = "stores"

  /// What the kernel may store to.
  let targets: [String]

  /// The function that stores to a target.
  static func function(_ target: String) -> String { "etalonStoreTo_" + target }

  /// The name of a target as a storage image.
  static func image(_ target: String) -> String { "etalonStored_" + target }

  func apply(to tokens: inout [Token]) {
    for call in Self.calls(in: tokens) {
      guard let target = call.target, targets.contains(tokens[target].text) else { continue }
      tokens[call.place].text = Self.function(tokens[target].text)
      tokens.erase(target...target)
      if let comma = call.comma { tokens.erase(comma...comma) }
    }
  }

  private struct Call {
    let place: Int
    /// The first argument; nil when it is no name.
    let target: Int?
    let comma: Int?
  }

  private static func calls(in tokens: [Token]) -> [Call] {
    tokens.indices.filter { tokens[$0].isName("IMG_STORE") }.map { place in
      guard let open = tokens.next(after: place), tokens[open].isMark("("), let target = tokens.next(after: open),
        tokens[target].kind == .identifier, let comma = tokens.next(after: target), tokens[comma].isMark(",")
      else { return Call(place: place, target: nil, comma: nil) }
      return Call(place: place, target: target, comma: comma)
    }
  }

  // MARK: mistakes

  /// What is wrong with the stores among some tokens.
  func diagnostics(in tokens: [Token], at places: Set<Int>, isCompute: Bool, known: [String]) -> [Diagnostic] {
    Self.calls(in: tokens).filter { places.contains($0.place) }.compactMap { call in
      guard isCompute else {
        return Diagnostic(
          "native.store-form", "only compute kernels store", labels: tokens.labels(at: [call.place], "in another kernel"),
          help: ["return the color instead, or write 'void computeKernel(ivec2 position)'"])
      }
      guard let target = call.target else {
        return Diagnostic(
          "native.store-target", "the first argument of 'IMG_STORE' has to be the name of a target",
          labels: tokens.labels(at: [call.place], "no name"),
          help: ["write 'IMG_STORE(\(targets.first ?? NativeHeader.usualOutput), position, color)'"])
      }
      let name = tokens[target].text
      guard !targets.contains(name) else { return nil }
      let near = NearestName.find(name, in: targets + known)
      let help = known.contains(name) ? "add it: \"WRITES\": [\"\(name)\"]" : near.map { "did you mean '\($0)'?" }
      return Diagnostic(
        "native.store-target", "this kernel does not write '\(name)'", labels: tokens.labels(at: [target], "not written by its pass"),
        help: help.map { [$0] } ?? [], notes: ["the pass writes \(targets.isEmpty ? "nothing" : targets.joined(separator: ", "))"])
    }
  }
}
