internal import EtalonDiagnostics
internal import EtalonManifest

/// Finds out which expressions can be evaluated together: each needs the values of the parameters that it mentions.
struct AnimationOrder {
  /// Expressions that are compiled as one module.
  struct Group: Hashable {
    /// The names of the parameters, in alphabetical order.
    var names: [String]
    /// A parameter whose expression means the clock of its own name.
    let owner: String?
  }

  private let expressions: [String: AnimatedExpression]
  private var levels: [String: Int] = [:]
  private var path: [String] = []

  /// The groups, in the order in which they are evaluated.
  static func groups(_ expressions: [String: AnimatedExpression]) throws(DiagnosticsError) -> [Group] {
    var order = AnimationOrder(expressions: expressions)
    var groups: [Int: [Group]] = [:]
    for name in expressions.keys.sorted() {
      let level = try order.level(of: name)
      let owner = order.mentions(name).contains(name) ? name : nil
      if owner == nil, let index = groups[level, default: []].firstIndex(where: { $0.owner == nil }) {
        groups[level]?[index].names.append(name)
      } else {
        groups[level, default: []].append(Group(names: [name], owner: owner))
      }
    }
    return groups.keys.sorted().flatMap { groups[$0] ?? [] }
  }

  private init(expressions: [String: AnimatedExpression]) { self.expressions = expressions }

  private func mentions(_ name: String) -> Set<String> { expressions[name]?.located.names(among: Set(expressions.keys)) ?? [] }

  /// One more than the largest level of what it needs.
  private mutating func level(of name: String) throws(DiagnosticsError) -> Int {
    if let level = levels[name] { return level }
    if let start = path.firstIndex(of: name) { throw cycle(Array(path[start...])) }
    path.append(name)
    var level = 0
    for needed in mentions(name).sorted() where !(needed == name && AnimationScope.isClock(name)) {
      level = max(level, try self.level(of: needed) + 1)
    }
    path.removeLast()
    levels[name] = level
    return level
  }

  private func cycle(_ names: [String]) -> DiagnosticsError {
    let labels = names.flatMap { expressions[$0]?.origin.labels("needs '\(next(after: $0, in: names))'") ?? [] }
    let chain = (names + names.prefix(1)).joined(separator: " needs ")
    return DiagnosticsError(
      Diagnostic(
        "value.cycle", names.count == 1 ? "the expression of '\(names[0])' needs its own value" : "expressions need each other: \(chain)",
        labels: labels, help: ["give one of them a value that does not mention the others"]))
  }

  private func next(after name: String, in names: [String]) -> String {
    names.firstIndex(of: name).map { names[($0 + 1) % names.count] } ?? name
  }
}
