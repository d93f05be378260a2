internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes
internal import EtalonVideo

/// Notes about what of its inputs a video does not have.
extension VideoExport {
  /// Says what of the video is left out.
  var omissions: [Diagnostic] { silence + furtherTracks + uncounted + shortness }

  /// Says that a video of one frame hardly shows, where nothing says how long it lasts.
  private var shortness: [Diagnostic] {
    guard shot.isUnmeasured, !destination.codec.isPicture else { return [] }
    let time = ClockReading.short(shot.rate.frameDuration.double)
    return [
      Diagnostic(
        "video.one-frame", "the video has one frame, which shows for \(time) s", severity: .note,
        help: ["type '--duration 5s' for a video that lasts, or '-o name.png' for a picture"])
    ]
  }

  /// Says that the timecode of the video is left out.
  private var uncounted: [Diagnostic] {
    guard let video = shot.leadingVideo, let text = video.video.file.description.timecode, timecode(video) == nil else { return [] }
    return [
      Diagnostic(
        "video.timecode",
        "the timecode '\(text)' of '\(video.video.file.path)' is left out, because it does not count frames at the rate of the result",
        severity: .note)
    ]
  }

  /// Says that the sound of a video is left out, or that it has none although its inputs listen to sounds, where nothing asked for that.
  private var silence: [Diagnostic] {
    if destination.sound == .ofSource, !destination.codec.isPicture, let file = shot.followedVideo?.file, VideoFile.isStream(file.path),
      !file.description.soundStreams.isEmpty
    {
      return [
        Diagnostic(
          "video.silent", "the sound of the stream '\(file.name)' is left out", severity: .note,
          help: ["type '--sound song.wav' for what is to be heard, or '--sound none'"])
      ]
    }
    guard destination.sound == .ofSource, !destination.codec.isPicture, shot.leadingVideo == nil else { return [] }
    guard let file = shot.followedVideo?.file, !file.description.soundStreams.isEmpty else { return unheard }
    return [
      Diagnostic(
        "video.silent",
        "the sound of '\(file.path)' is left out, because the video does not show from beginning to end, frame by frame, at its own speed",
        severity: .note,
        help: ["type '--sound \(ShellWord.quoted(file.path))' to hear it from the beginning of the shot on, or '--sound none'"])
    ]
  }

  /// Says which tracks of the video, besides its pictures and the sound that is heard, are left out.
  private var furtherTracks: [Diagnostic] {
    guard !destination.codec.isPicture, let file = shot.followedVideo?.file, !VideoFile.isStream(file.path) else { return [] }
    let said = file.description
    let isHeard = destination.sound == .ofSource && shot.leadingVideo != nil
    let counts = [
      (count: isHeard ? said.soundStreams.count - 1 : 0, name: "further sound track"),
      (count: said.subtitleStreamCount, name: "subtitle track"), (count: said.chapterCount, name: "chapter"),
    ].filter { $0.count > 0 }
    let names = counts.map { $0.count.of($0.name) }
    guard let last = names.last else { return [] }
    let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
    let verb = counts.reduce(0) { $0 + $1.count } == 1 ? "is" : "are"
    return [Diagnostic("video.tracks", "\(list) of '\(file.path)' \(verb) left out", severity: .note)]
  }

  private var unheard: [Diagnostic] {
    guard shot.heardFile == nil, shot.heardCount > 0 else { return [] }
    let reason = shot.heardCount > 1 ? "its inputs listen to several sounds" : "the song of Etalon's that its inputs listen to is no file"
    return [
      Diagnostic(
        "video.silent", "the video has no sound, because \(reason)", severity: .note,
        help: ["type '--sound song.wav' for what is to be heard, or '--sound none'"])
    ]
  }
}
