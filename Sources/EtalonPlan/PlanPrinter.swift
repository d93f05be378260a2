internal import EtalonTypes

/// Prints a plan so that people can read it and tests can compare it: what comes in, one line a step, what goes out.
///
/// ```
/// in  t0  photo.png  rgba8 600x400
///  1  dispatch  blur.narrow        t0 -> t1  rgba16f 600x400
///  2  dispatch  hue-rotate.main    t1 -> main
/// out main  rgba8 600x400 straight
/// 1 working texture, 1875 KiB
/// ```
/// What is done once, before the first frame, comes first. Textures are numbered as they appear. One that is written again for another picture says whose memory it takes over.
/// The last line counts the pieces of memory that the steps work in; what comes in, and what outlives a frame, is not among them.
/// Where only a region of a picture is computed, `at (64, 32) of 600x400` says which part of what it is.
///
/// **Concurrency**: an immutable value.
package struct PlanPrinter: Sendable {
  private let plan: Plan
  private let names: PlanNames

  package init(_ plan: Plan) {
    self.plan = plan
    names = PlanNames(plan)
  }

  /// The whole plan, with a newline at the end.
  package var text: String {
    let lines = inputs + steps + plan.outputs.map { "out \($0.name)  \($0.format.rawValue) \($0.size) \($0.alpha.rawValue)" }
    return (lines + memory).map { $0 + "\n" }.joined()
  }

  /// How many textures there have to be at a time, and the memory of them all.
  private var memory: [String] {
    let count = plan.workingBlocks.count
    guard count > 0 else { return [] }
    return ["\(count) working texture\(count == 1 ? "" : "s"), \((plan.workingByteCount + 1023) / 1024) KiB"]
  }

  private var inputs: [String] {
    let rows = names.order.compactMap { index -> [String]? in
      let texture = plan.textures[index]
      return kind(texture).map { ["in", names.texture(index), $0, texture.name, "\(texture.format.rawValue) \(texture.size)"] }
    }
    return Self.aligned(rows)
  }

  /// What a texture holds before the first step; nil for one that is filled by a step.
  private func kind(_ texture: Plan.Texture) -> String? {
    switch texture.role {
    case .imported: "picture"
    case .streamed: "stream"
    case .previous: "before"
    case .transient, .setup, .persistent: nil
    }
  }

  private var steps: [String] {
    var turns = MemoryTurns(plan)
    let all = plan.setup + plan.steps
    let rows = all.enumerated().map { index, step in
      let number = "\(index + 1)".padded(to: "\(all.count)".count, atStart: true)
      let once = index < plan.setup.count ? "once " : ""
      let taken = turns.taken(by: step)
      let note = taken.isEmpty ? "" : "  (reuses \(taken.map(names.texture).joined(separator: ", ")))"
      switch step {
      case .clear(let texture): return [number, "\(once)clear", "", names.texture(texture) + note]
      case .makeMipmaps(let texture): return [number, "\(once)mipmaps", "", names.texture(texture)]
      case .dispatch(let pass):
        let region = pass.region.map { "  at \($0)" } ?? ""
        return [number, "\(once)dispatch", pass.name, flow(pass) + region + note]
      }
    }
    return Self.aligned(rows)
  }

  private func flow(_ pass: Plan.Pass) -> String {
    let bindings = pass.bindings.sorted { $0.key < $1.key }.map(\.value)
    let reads = bindings.compactMap { if case .sampled(let texture, _) = $0 { names.texture(texture) } else { nil } }
    let writes = bindings.compactMap { binding -> String? in
      switch binding {
      case .storage(let texture, let layer):
        let storage = plan.textures[texture]
        return names.texture(texture) + (layer > 0 ? " layer \(layer)" : "") + "  \(storage.format.rawValue) \(storage.size)"
      case .output(let output): return plan.outputs[output].name
      case .buffer(let buffer): return plan.buffers[buffer].name
      case .sampled: return nil
      }
    }
    return (reads.isEmpty ? "" : reads.joined(separator: " ") + " ") + "-> " + writes.joined(separator: ", ")
  }

  /// Columns that begin at the same place in all rows.
  private static func aligned(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { $0.offset == row.count - 1 ? $0.element : $0.element.padded(to: widths[$0.offset]) }
      return cells.joined(separator: "  ")
    }
  }
}

extension String {
  fileprivate func padded(to width: Int, atStart: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - count))
    return atStart ? blanks + self : self + blanks
  }
}

// MARK: Graphs

/// Prints a plan in the DOT language of Graphviz: boxes are steps, edges are textures.
///
/// **Concurrency**: an immutable value.
package struct PlanDOT: Sendable {
  private let plan: Plan
  private let names: PlanNames

  package init(_ plan: Plan) {
    self.plan = plan
    names = PlanNames(plan)
  }

  /// A directed graph, with a newline at the end.
  package var text: String {
    var lines = ["digraph plan {", "  rankdir=LR; node [shape=box, fontname=\"sans-serif\"];"]
    var writers: [Int: String] = [:]
    for index in names.order where !plan.textures[index].isWritten && plan.textures[index].role != .setup {
      writers[index] = names.texture(index)
      lines.append("  \(names.texture(index)) [shape=oval, label=\(quoted(plan.textures[index].name))];")
    }
    for (index, step) in (plan.setup + plan.steps).enumerated() {
      guard case .dispatch(let pass) = step else { continue }
      lines.append("  s\(index + 1) [label=\(quoted(pass.name + (pass.region.map { " at \($0)" } ?? "")))];")
      for texture in pass.sampledTextures.sorted() {
        guard let writer = writers[texture] else { continue }
        let storage = plan.textures[texture]
        lines.append("  \(writer) -> s\(index + 1) [label=\(quoted("\(storage.format.rawValue) \(storage.size)"))];")
      }
      for texture in pass.targets { writers[texture] = "s\(index + 1)" }
      for case .output(let output) in pass.bindings.values {
        lines.append("  s\(index + 1) -> out\(output);")
      }
    }
    for (index, output) in plan.outputs.enumerated() {
      lines.append("  out\(index) [shape=oval, label=\(quoted("\(output.name) \(output.size)"))];")
    }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

// MARK: Names and memory

/// The numbers of textures in the order in which a plan mentions them.
private struct PlanNames {
  private(set) var order: [Int] = []
  private var numbers: [Int: Int] = [:]

  init(_ plan: Plan) {
    for step in plan.setup + plan.steps {
      switch step {
      case .clear(let texture), .makeMipmaps(let texture): mention(texture)
      case .dispatch(let pass):
        for (_, binding) in pass.bindings.sorted(by: { $0.key < $1.key }) {
          if case .sampled(let texture, _) = binding { mention(texture) }
        }
        pass.targets.sorted().forEach { mention($0) }
      }
    }
  }

  private mutating func mention(_ texture: Int) {
    guard numbers[texture] == nil else { return }
    numbers[texture] = order.count
    order.append(texture)
  }

  func texture(_ index: Int) -> String { numbers[index].map { "t\($0)" } ?? "unused" }
}

/// Follows which texture lies in each piece of memory while the steps of a plan are printed.
private struct MemoryTurns {
  private let plan: Plan
  /// What was written last in each piece of memory.
  private var holders: [Memory: Holder] = [:]

  /// A block, or the texture that has memory of its own.
  private enum Memory: Hashable {
    case block(Int)
    case texture(Int)
  }

  private struct Holder {
    let texture: Int
    var isRead = false
  }

  init(_ plan: Plan) { self.plan = plan }

  /// The textures whose memory a step takes for what it writes: others, or the same ones after what they held was read.
  mutating func taken(by step: Plan.Step) -> [Int] {
    switch step {
    case .clear(let texture): return take([texture])
    case .makeMipmaps: return []
    case .dispatch(let pass):
      for texture in pass.sampledTextures { holders[memory(of: texture)]?.isRead = true }
      return take(pass.targets.sorted())
    }
  }

  private mutating func take(_ textures: [Int]) -> [Int] {
    textures.filter { plan.textures[$0].role == .transient }.compactMap { texture in
      let before = holders[memory(of: texture)]
      guard let before, before.texture == texture, !before.isRead else {
        holders[memory(of: texture)] = Holder(texture: texture)
        return before?.texture
      }
      return nil
    }
  }

  private func memory(of texture: Int) -> Memory { plan.textures[texture].block.map { .block($0) } ?? .texture(texture) }
}
