package import EtalonManifest
package import EtalonTypes

/// What graphs have in common that share a plan: everything but the values that no size depends on; of these only which of them change.
///
/// Two graphs with equal structures have their filters in the same order, so that a plan of one can be given the values of the other.
///
/// **Concurrency**: an immutable value.
package struct GraphOutline: Sendable {
  /// One application of a filter.
  package struct Member: Sendable {
    package let recipe: ContentHash
    package let use: FilterUse
    /// The parameters that sizes are made of.
    fileprivate let sizeParameters: [String]
  }

  /// Covers pictures, filters and how they are connected, what is stored and how.
  package let structure: ContentHash
  /// The filters, those that others read before them.
  package let members: [Member]

  package init(_ graph: ImageGraph) {
    var walk = Walk()
    for (name, image) in graph.feedback.sorted(by: { $0.key < $1.key }) { walk.add("feedback", "\(name) \(walk.visit(image))") }
    for output in graph.outputs {
      let further = output.furtherOutput.map { " \($0)" } ?? ""
      walk.add("output", "\(output.name) \(walk.visit(output.image)) \(output.format) \(output.alpha)\(further)")
    }
    walk.add("size", graph.size?.description ?? "of the pictures")
    if let fit = graph.fit { walk.add("fit", fit.outline { walk.number(of: $0) }) }
    walk.add("proxy", "\(graph.proxy.factor)")
    walk.add("format", "\(graph.format.rawValue) \(graph.workingSpace.rawValue)")
    walk.add("options", "\(graph.options.fuses) \(graph.options.hoists) \(graph.options.crops)")
    structure = walk.hasher.finish()
    members = walk.members
  }

  /// The values that sizes are made of, in an order that graphs of this structure share.
  ///
  /// - Parameter values: those of every member.
  package func sizes(_ values: [ParameterValues]) -> [Value?] {
    zip(members, values).flatMap { member, values in member.sizeParameters.map { values[$0] } }
  }

  /// Numbers recipes in the order in which it comes upon them.
  private struct Walk {
    var hasher = ContentHasher()
    var members: [Member] = []
    private var numbers: [ContentHash: Int] = [:]

    mutating func add(_ name: String, _ text: String) { hasher.add(name, text) }

    /// The number of a recipe that was visited.
    func number(of recipe: ContentHash) -> Int? { numbers[recipe] }

    /// Numbers a recipe and what it is made of.
    mutating func visit(_ image: ImageRecipe) -> Int {
      for part in image.parts(besides: { numbers[$0.digest] != nil }) {
        switch part.operation {
        case .picture, .stream: hasher.add("picture", part.digest)
        case .before(let name): add("before", name)
        case .filter(let use): add(use, part.digest)
        }
        numbers[part.digest] = numbers.count
      }
      return known(image)
    }

    private func known(_ image: ImageRecipe) -> Int {
      guard let number = numbers[image.digest] else { preconditionFailure("'\(image.label)' has no number") }
      return number
    }

    private mutating func add(_ use: FilterUse, _ recipe: ContentHash) {
      hasher.add("filter", use.filter.digest)
      var text = "\(use.extent?.description ?? "") \(use.moments.map(\.identity).joined())"
      for (name, input) in use.inputs.sorted(by: { $0.key < $1.key }) {
        text += " \(name) \(known(input.image)) \(input.address?.rawValue ?? "-") \(input.interpolation?.rawValue ?? "-")"
      }
      // What all frames have in common is decided by what changes, and by which clocks are left to run.
      let manifest = use.filter.manifest
      for name in use.animated.keys.sorted() { text += " \(name)" }
      text += ","
      for parameter in manifest.parameters where use.values[parameter.name] == nil { text += " \(parameter.name)" }
      add("use", text)
      members.append(Member(recipe: recipe, use: use, sizeParameters: use.filter.sizeParameters.sorted()))
    }
  }
}
