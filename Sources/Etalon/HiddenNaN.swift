internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

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
}

/// Remembers the targets with NaN of which there are mipmaps.
///
/// **Concurrency**: usable from every thread.
final class HiddenNaNLog: Sendable {
  /// The first frame, by the name of what wrote the target.
  private let frames = Mutex<[String: Int]>([:])

  /// Asks an execution whose frame has just ended, or that tells of frames as they end.
  func look(at execution: any PlanExecution, _ plan: Plan, _ frame: Int) {
    let textures = execution.takeTexturesWithNaN()
    guard !textures.isEmpty else { return }
    frames.withLock { frames in
      for texture in textures {
        let name = plan.nameOfWriter(of: texture)
        frames[name] = min(frames[name] ?? frame, frame)
      }
    }
  }

  /// What was seen since it was asked last, and what the targets hold that later frames read.
  ///
  /// - Parameter last: the frame that came last.
  func take(_ execution: any PlanExecution, _ plan: Plan, last: Int?) -> [HiddenNaN] {
    let seen = frames.withLock { frames in
      defer { frames = [:] }
      return frames
    }
    var found = seen.map { HiddenNaN(pass: $0.key, reader: .mipmaps, frame: $0.value) }
    let kept = plan.textures.indices.filter { plan.textures[$0].role == .persistent }
    // A device that fails now has nothing left to tell.
    if let last, kept.contains(where: { plan.textures[$0].format.isFloat }), let state = try? execution.state() {
      for (texture, picture) in zip(kept, state.textures) where picture.format.holdsNaN(picture.bytes.span.bytes) {
        found.append(HiddenNaN(pass: plan.nameOfWriter(of: texture), reader: .laterFrames, frame: last))
      }
    }
    return found.sorted { ($0.frame, $0.pass) < ($1.frame, $1.pass) }
  }
}

extension Plan {
  /// The name of the pass that writes a texture, or that of the texture where there are several.
  fileprivate func nameOfWriter(of texture: Int) -> String {
    let names = Set((setup + steps).compactMap(\.pass).filter { $0.targets.contains(texture) }.map(\.name))
    return names.count == 1 ? names.first ?? textures[texture].name : textures[texture].name
  }
}
