internal import EtalonPlan
internal import EtalonTypes

/// Which transient textures take turns in a block of memory: those whose lifetimes do not overlap.
///
/// The largest find their places first, so that no block grows, and a texture gets a new one only where all that are large enough are taken while it lives. Together the blocks
/// are never larger than if only textures of one size and format took turns.
struct BlockAssignment {
  /// The block of each texture, by the texture's index.
  private(set) var blocks: [Int: Int] = [:]
  private var made: [Block] = []

  private struct Block {
    let byteCount: Int
    var kinds: Set<TextureKind> = []
    var timetable = BlockTimetable()
  }

  init(_ textures: [Plan.Texture], _ lifetimes: TextureLifetimes) {
    let sizes = lifetimes.spans.keys.map { (index: $0, byteCount: textures[$0].byteCount) }
    let order = sizes.sorted {
      let (first, second) = (lifetimes.spans[$0.index]?.lowerBound ?? 0, lifetimes.spans[$1.index]?.lowerBound ?? 0)
      return ($1.byteCount, first, $0.index) < ($0.byteCount, second, $1.index)
    }
    for (texture, byteCount) in order {
      guard let span = lifetimes.spans[texture] else { continue }
      let kind = TextureKind(textures[texture])
      let block = bestFree(during: span, for: kind) ?? made.count
      if block == made.count { made.append(Block(byteCount: byteCount)) }
      made[block].kinds.insert(kind)
      made[block].timetable.take(span)
      blocks[texture] = block
    }
  }

  /// The smallest of the blocks that are free, of equal ones one that has held such a texture: all that were made are large enough.
  private func bestFree(during span: ClosedRange<Int>, for kind: TextureKind) -> Int? {
    let free = made.indices.filter { made[$0].timetable.isFree(during: span) }
    guard let smallest = free.map({ made[$0].byteCount }).min() else { return nil }
    let alike = free.filter { made[$0].byteCount == smallest }
    return alike.first { made[$0].kinds.contains(kind) } ?? alike.first
  }
}

/// What a texture has to have in common with another to be the same.
struct TextureKind: Hashable {
  private let shape: Plan.Texture.Shape
  private let size: Size
  private let format: PixelFormat
  private let isMipmapped: Bool

  init(_ texture: Plan.Texture) {
    shape = texture.shape
    size = texture.size
    format = texture.format
    isMipmapped = texture.isMipmapped
  }
}
