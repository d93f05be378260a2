internal import CVulkan
internal import EtalonPlan

/// In which layout the textures of a frame are while its commands are recorded.
struct TextureLayouts {
  private let textures: [Texture]
  private var layouts: [VkImageLayout]
  /// The texture that lies in each block of memory, by the number of the block.
  private var holders: [Int: Int] = [:]

  /// As they are before the setup.
  init(forSetup textures: [Texture]) {
    self.textures = textures
    layouts = textures.map { texture in
      if case .imported = texture.description.role { VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL } else { VK_IMAGE_LAYOUT_UNDEFINED }
    }
  }

  /// As the setup and the frame before left them, or before anything was written to those that the frame fills or whose state starts.
  init(_ textures: [Texture], _ variant: FrameVariant) {
    self.textures = textures
    layouts = textures.enumerated().map { index, texture in
      switch texture.description.role {
      case .imported, .setup: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
      case .streamed: variant.filled.contains(index) ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
      case .transient: VK_IMAGE_LAYOUT_UNDEFINED
      case .persistent, .previous: variant.startsState ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
      }
    }
  }

  /// What has to move so that some textures are in a layout; they count as moved then.
  mutating func move(_ indices: some Collection<Int>, to layout: VkImageLayout) -> [LayoutMove] {
    var moves: [LayoutMove] = []
    for index in indices { takeTurn(index) }
    for index in indices where layouts[index] != layout {
      moves.append(LayoutMove(texture: textures[index], from: layouts[index], to: layout))
      layouts[index] = layout
    }
    return moves
  }

  /// Counts what a texture held as lost where another has been in its memory since.
  private mutating func takeTurn(_ index: Int) {
    guard let block = textures[index].description.block, holders[block] != index else { return }
    holders[block] = index
    layouts[index] = VK_IMAGE_LAYOUT_UNDEFINED
  }

  /// Brings the textures that the setup leaves to frames into the layout in which they expect them.
  mutating func moveForFirstFrame() -> [LayoutMove] {
    move(textures.indices.filter { textures[$0].description.role == .setup }, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
  }

  /// Brings the textures that outlive the frame into the layout in which the next one expects them.
  mutating func moveForNextFrame() -> [LayoutMove] {
    move(
      textures.indices.filter { textures[$0].description.isKept || textures[$0].description.isStreamed },
      to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
  }
}
