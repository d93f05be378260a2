extension Plan {
  /// The textures that share each block of memory, by the number of the block.
  package var sharedBlocks: [Int: [Int]] {
    Dictionary(grouping: textures.indices.filter { textures[$0].block != nil }, by: { textures[$0].block ?? 0 })
  }

  /// The pieces of memory that its steps work in, each with the transient textures that take turns there.
  package var workingBlocks: [[Int]] {
    let shared = sharedBlocks
    let alone = textures.indices.filter { textures[$0].role == .transient && textures[$0].block == nil }
    return shared.keys.sorted().map { shared[$0] ?? [] } + alone.map { [$0] }
  }

  /// How many bytes its steps work in: those of the largest texture of every block.
  package var workingByteCount: Int {
    workingBlocks.reduce(0) { $0 + ($1.map { textures[$0].byteCount }.max() ?? 0) }
  }
}
