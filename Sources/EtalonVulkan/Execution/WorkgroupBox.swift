internal import EtalonSPIRV

/// Some of the workgroups of a dispatch.
struct WorkgroupBox: Sendable, Hashable {
  /// How many pieces a side is cut into at most.
  private static let mostPieces: UInt32 = 8

  /// Along x, y and z.
  var first: [UInt32] = [0, 0, 0]
  var count: [UInt32]

  /// Smaller boxes that together are this one, the last first.
  var pieces: [WorkgroupBox] {
    (0..<3).reduce([self]) { boxes, axis in boxes.flatMap { $0.cut(along: axis) } }
  }

  private func cut(along axis: Int) -> [WorkgroupBox] {
    let step = max(1, (count[axis] + Self.mostPieces - 1) / Self.mostPieces)
    return stride(from: 0, to: count[axis], by: Int(step)).reversed().map { start in
      var piece = self
      piece.first[axis] += start
      piece.count[axis] = min(step, count[axis] - start)
      return piece
    }
  }
}

extension ComputePipeline {
  /// Whether the kernel asks how many workgroups there are: then they cannot be dispatched in several pieces.
  var knowsCount: Bool {
    guard let module = try? SPIRVModule(kernel.words) else { return true }
    return (0..<module.instructionCount).contains { position in
      let instruction = module[position]
      return instruction.opcode == .OpDecorate && instruction[1] == Decoration.BuiltIn.rawValue
        && instruction[2] == BuiltIn.NumWorkgroups.rawValue
    }
  }
}
