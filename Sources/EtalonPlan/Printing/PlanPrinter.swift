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
