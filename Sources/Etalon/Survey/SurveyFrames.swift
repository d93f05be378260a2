internal import EtalonManifest
internal import EtalonTypes

/// The frames of a filter that a survey looks at.
enum SurveyFrames {
  /// Frames that show what there is to see: the first one; a later one where frames follow from each other; the way of a transition.
  static func usual(for manifest: FilterManifest) -> [Int] {
    if manifest.kind == .transition { return [0, 5, 10] }
    let hasState = manifest.targets.contains(where: \.isPersistent) || manifest.buffers.contains(where: \.isPersistent)
    return hasState ? [0, 10] : [0]
  }

  /// Frames to look at when the usual ones show nothing: many shaders begin with black.
  static let second = [60]
}
