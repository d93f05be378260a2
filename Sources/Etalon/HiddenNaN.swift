internal import EtalonPlan
internal import EtalonTypes

/// NaN that a pass stored where results need not show it: in a target that later frames read, or in one that is read with mipmaps, whose smaller
/// levels hand it on to whole blocks of pixels.
package struct HiddenNaN: Sendable, Hashable {
  /// What reads the target.
  package enum Reader: Sendable, Hashable {
    case laterFrames
    case mipmaps
  }

  /// The name of the pass, or of the target where several write it.
  package let pass: String
  package let reader: Reader
  /// The first frame that is known to have it.
  package let frame: Int

  package init(pass: String, reader: Reader, frame: Int) {
    self.pass = pass
    self.reader = reader
    self.frame = frame
  }

  /// What the targets hold that the frames after one read.
  static func kept(by execution: any PlanExecution, _ plan: Plan, after frame: Int) -> [HiddenNaN] {
    let kept = plan.textures.indices.filter { plan.textures[$0].role == .persistent }
    func tells(_ texture: Int) -> Bool { plan.textures[texture].format.isFloat && plan.isReadByNextFrame(texture) }
    // A device that fails now has nothing left to tell.
    guard kept.contains(where: tells), let state = try? execution.state() else { return [] }
    return zip(kept, state.textures).filter { unsafe tells($0) && $1.format.holdsNaN($1.bytes.span.bytes) }.map { texture, _ in
      HiddenNaN(pass: plan.nameOfWriter(of: texture), reader: .laterFrames, frame: frame)
    }
  }
}

extension Plan {
  /// The name of the pass that writes a texture, or that of the texture where there are several.
  fileprivate func nameOfWriter(of texture: Int) -> String {
    let names = Set((setup + steps).compactMap(\.pass).filter { $0.targets.contains(texture) }.map(\.name))
    return names.count == 1 ? names.first ?? textures[texture].name : textures[texture].name
  }
}
