package import EtalonTypes

/// How a survey renders filters: the same way for all of them.
package struct SurveySettings: Sendable, Hashable {
  /// The executors that are compared; the first is what the others are measured by.
  package var devices: [String] = ["cpu", "vulkan"]
  package var size = Size(320, 180)
  /// Nil chooses: the first frame, two of filters with state, three of transitions.
  package var frames: FrameRange?
  /// The shot that the frames are a part of; nil means that they are all of it.
  package var shot: ClosedRange<Int>?
  /// A single moment instead of frames, in seconds.
  package var time: Rational?
  /// For the image inputs in their order, WAV files for those that show sounds; the last one of each is for all that follow.
  package var pictures: [String] = []
  /// A folder with the pictures that a player's site offers.
  package var assets: String?
  /// Whether a test card stands in for pictures of a site that are missing.
  package var standsInWithTestCards = false
  /// The name of what loose texts are written in; nil tells it from their content.
  package var dialect: String?

  package init() {}
}
