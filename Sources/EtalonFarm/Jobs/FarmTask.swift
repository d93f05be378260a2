package import Etalon

/// The words of a render as tasks have them, and what they read.
package struct FarmTask: Sendable {
  /// The words behind `etalon render`: those that were typed, without the ones that only tasks have.
  package let words: [FarmWord]
  /// The same without the words that choose frames and with the length of the shot, for tasks that say their frames themselves; nil where frames of
  /// parts of the shot would not be those of the whole.
  package let wordsWithoutFrames: [FarmWord]?
  /// The absolute paths of the files that are read, those that no word names among them.
  package let files: [String]
  /// What `--set` can change.
  package let parameters: [RequestDescription.Parameter]
  /// Values that were typed for parameters, by name.
  package let settings: [String: String]
  /// Whether the frames become a video.
  package let makesVideo: Bool

  package init(
    words: [FarmWord], wordsWithoutFrames: [FarmWord]?, files: [String], parameters: [RequestDescription.Parameter],
    settings: [String: String], makesVideo: Bool
  ) {
    (self.words, self.wordsWithoutFrames, self.files) = (words, wordsWithoutFrames, files)
    (self.parameters, self.settings, self.makesVideo) = (parameters, settings, makesVideo)
  }
}
