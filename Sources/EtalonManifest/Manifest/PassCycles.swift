package import EtalonDiagnostics

/// Passes that depend on each other in a cycle: one reads a target that a later one writes, which in turn depends on it.
///
/// A persistent target makes no cycle, because it holds the frame before.
package struct PassCycles {
  private let passes: [PassSource]
  private let targets: [FilterTarget]
  /// What help there is in the words of the dialect.
  private let help: String
  /// Whether it is known what a pass reads; a text for several passes may decide that only while it runs.
  private let isCertain: (PassSource) -> Bool

  package init(_ passes: [PassSource], _ targets: [FilterTarget], help: String, isCertain: @escaping (PassSource) -> Bool = { _ in true }) {
    self.passes = passes
    self.targets = targets
    self.help = help
    self.isCertain = isCertain
  }

  /// One error for each group of passes.
  package var diagnostics: [Diagnostic] {
    var known: Set<Set<Int>> = []
    return passes.indices.flatMap { reader in
      lateTextures(of: reader).compactMap { texture, target in
        guard let cycle = cycle(through: target, readBy: reader), cycle.allSatisfy({ isCertain(passes[$0]) }),
          known.insert(Set(cycle)).inserted
        else { return nil }
        return diagnostic(reader, texture, target, cycle)
      }
    }
  }

  // MARK: what depends on what

  /// What a pass reads of targets that only later passes write, and that are empty at the start of each frame.
  private func lateTextures(of reader: Int) -> [(PassTexture, FilterTarget)] {
    let late = passes[reader].textures.compactMap { texture -> (PassTexture, FilterTarget)? in
      guard case .target(let name) = texture.source, let target = targets.first(where: { $0.name == name }), !target.isPersistent,
        !passes[...reader].contains(where: { writes($0).contains(name) })
      else { return nil }
      return (texture, target)
    }
    guard !late.isEmpty else { return [] }
    let read = PassReads(passes[reader]).textures
    return late.filter { read.contains($0.0) }
  }

  /// The passes on the way from a target, through what it depends on within a frame, to the pass that reads it too early, in the order in which they
  /// read each other; nil where there is no such way.
  private func cycle(through target: FilterTarget, readBy reader: Int) -> [Int]? {
    guard let writer = passes.indices.first(where: { $0 > reader && writes(passes[$0]).contains(target.name) }) else { return nil }
    var ways = [[reader, writer]]
    var known: Set<Int> = [writer]
    while !ways.isEmpty {
      let way = ways.removeFirst()
      for next in writers(readBy: way[way.count - 1]) {
        if next == reader { return way }
        if next > reader, known.insert(next).inserted { ways.append(way + [next]) }
      }
    }
    return nil
  }

  /// The earlier passes whose targets a pass reads in the same frame.
  private func writers(readBy reader: Int) -> [Int] {
    PassReads(passes[reader]).textures.compactMap { texture in
      guard case .target(let name) = texture.source else { return nil }
      return passes[..<reader].lastIndex { writes($0).contains(name) }
    }
  }

  private func writes(_ pass: PassSource) -> [String] { [pass.target].compactMap(\.self) + pass.stores.compactMap(\.target) }

  // MARK: what is said about it

  private func diagnostic(_ reader: Int, _ texture: PassTexture, _ target: FilterTarget, _ cycle: [Int]) -> Diagnostic {
    let read = PassReads.place(of: texture, in: passes[reader]).map { $0.label("read before it is written") }
    let written = target.place.map { $0.label("not kept from frame to frame") }
    let way = (cycle + [reader]).map { "'\(passes[$0].name)'" }
    return Diagnostic(
      "manifest.cyclic-passes", "the passes \(Self.list(cycle.sorted().map { "'\(passes[$0].name)'" })) read each other's targets",
      labels: [written, read].compactMap(\.self), help: [help],
      notes: ["\(way.joined(separator: " reads "))"])
  }

  private static func list(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "") + (names.last ?? "")
  }
}
