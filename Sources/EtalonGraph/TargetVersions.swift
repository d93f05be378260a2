internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// The textures that hold a target of a filter in the course of a frame.
///
/// Every write makes a new version, because a pass cannot sample what it writes. The last version of a persistent target lies in a texture that is
/// kept, and whoever reads before the first write reads what that texture held a frame ago.
struct TargetVersions {
  private let target: FilterTarget
  private let region: PictureRegion
  private let isMipmapped: Bool
  private let writeCount: Int
  private var writesSoFar = 0
  /// The textures of the plan by what they hold.
  private var textures: [Place: Int] = [:]

  private enum Place: Hashable {
    case kept, previous, blank
    /// Versions in the course of a frame take turns.
    case passing(Int)
  }

  /// - Parameter region: what is stored of it.
  /// - Parameter writeCount: how many passes of a frame write the target.
  init(_ target: FilterTarget, region: PictureRegion, isMipmapped: Bool, writeCount: Int) {
    self.target = target
    self.region = region
    self.isMipmapped = isMipmapped
    self.writeCount = writeCount
  }

  /// The texture that a pass reads now, and whether nothing was ever written to it, so that it has to be cleared.
  mutating func read(_ all: inout [Plan.Texture]) -> (texture: Int, isBlank: Bool) {
    if writesSoFar > 0 { return (texture(place(ofWrite: writesSoFar - 1), &all), false) }
    guard target.isPersistent, writeCount > 0 else {
      let isNew = textures[.blank] == nil
      return (texture(.blank, &all), isNew)
    }
    return (texture(.previous, &all), false)
  }

  /// The texture that a pass writes now.
  mutating func write(_ all: inout [Plan.Texture]) -> Int {
    let place = place(ofWrite: writesSoFar)
    writesSoFar += 1
    return texture(place, &all)
  }

  private func place(ofWrite index: Int) -> Place {
    index == writeCount - 1 && target.isPersistent ? .kept : .passing(index % 2)
  }

  private mutating func texture(_ place: Place, _ all: inout [Plan.Texture]) -> Int {
    if let known = textures[place] { return known }
    let role: Plan.Texture.Role =
      switch place {
      case .kept: .persistent
      case .previous: .previous(of: texture(.kept, &all))
      case .blank, .passing: .transient
      }
    all.append(
      Plan.Texture(
        name: target.name, role: role, shape: target.shape == .cube ? .cube : .flat, size: region.size, format: target.format,
        isMipmapped: isMipmapped))
    textures[place] = all.count - 1
    return all.count - 1
  }
}
