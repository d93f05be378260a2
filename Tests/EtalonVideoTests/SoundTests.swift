import EtalonDiagnostics
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Samples are those of `ffmpeg`.
@Suite struct SoundTests {
  @Test(arguments: [
    ("wav", "-c:a pcm_s16le"), ("wav", "-c:a pcm_u8"), ("wav", "-c:a pcm_s24le"), ("wav", "-c:a pcm_f64le"), ("flac", "-c:a flac"),
    ("mp4", "-c:a aac"), ("mp3", "-c:a libmp3lame"), ("ogg", "-c:a libvorbis"), ("webm", "-c:a libopus -ar 48000"),
    ("mov", "-c:a pcm_s32be"),
  ]) func samplesAreThoseOfFFmpeg(form: String, codec: String) throws {
    let name = "sound-\(abs(codec.hashValue)).\(form)"
    try Clips.ffmpeg("-f lavfi -i sine=f=440:r=32000:d=0.6 -af aeval='val(0)|-val(0)/2',channelmap=0|1:stereo \(codec) @\(name)")
    let sound = try SoundReader(Clips.path(name)).read()
    let data = try Clips.ffmpeg("-i \(Clips.path(name)) -f f32le -c:a pcm_f32le -")
    let expected = unsafe data.withUnsafeBytes { unsafe [Float](UnsafeRawBufferPointer($0).bindMemory(to: Float.self)) }
    #expect(sound.channels.count == 2)
    #expect(sound.sampleRate == (codec.contains("opus") ? 48000 : 32000))
    #expect(sound.channels[0].count == expected.count / 2)
    for channel in 0..<2 {
      #expect(sound.channels[channel].indices.allSatisfy { sound.channels[channel][$0] == expected[2 * $0 + channel] })
    }
    #expect(sound.damagedPackets == 0)
  }

  @Test func gapsAreSilent() throws {
    // What begins at 0.5 s or later comes half a second later; packets have 1024 samples, or 4096, as versions of FFmpeg have it.
    try Clips.ffmpeg("-f lavfi -i sine=r=8000:d=1 -c:a pcm_s16le @whole-gap.mkv")
    try Clips.ffmpeg("-i \(Clips.path("whole-gap.mkv")) -c copy -bsf:a setts=ts=TS+gte(TS*TB\\,0.5)*0.5/TB @gap.mkv")
    let sound = try SoundReader(Clips.path("gap.mkv")).read()
    try #require(sound.channels[0].count == 12000)
    #expect(sound.channels[0][4096..<8096].allSatisfy { $0 == 0 })
    #expect(sound.damagedPackets == 0)
    #expect(try SoundReader(Clips.path("gap.mkv")).examine(seconds: 10).sampleCount == 12000)
  }

  /// A clock that is a hundredth too fast, and a packet whose time is wrong.
  @Test func wrongTimesMakeNoSilence() throws {
    try Clips.ffmpeg("-f lavfi -i sine=r=8000:d=20 -c:a pcm_s16le @right-times.mkv")
    let whole = try SoundReader(Clips.path("right-times.mkv")).read()
    #expect(whole.channels[0].count == 160_000)
    for times in ["ts=TS*1.01", "ts='if(eq(N\\,3)\\,TS+8/TB\\,TS)'"] {
      try Clips.ffmpeg("-i \(Clips.path("right-times.mkv")) -c copy -bsf:a setts=\(times) @wrong-times.mkv")
      let sound = try SoundReader(Clips.path("wrong-times.mkv")).read()
      #expect(sound.channels == whole.channels, "\(times)")
    }
  }

  @Test func memoryIsBounded() throws {
    try Clips.ffmpeg("-f lavfi -i sine=d=1 @long.wav")
    let error = try #require(throws: RenderError.self) { try SoundReader(Clips.path("long.wav"), limit: 40000).read() }
    #expect(error.message.contains("is too long"))
    #expect(try SoundReader(Clips.path("long.wav"), limit: 44100).read().channels[0].count == 44100)
  }

  /// Decoders go on behind damage, and of FLAC only checksums tell that samples are others.
  @Test(arguments: [("flac", "flac"), ("mp3", "libmp3lame"), ("aac", "aac")])
  func damageIsCountedOrAnError(form: String, codec: String) throws {
    try Clips.ffmpeg("-f lavfi -i sine=r=44100:d=2 -c:a \(codec) @whole-sound.\(form)")
    let whole = Clips.path("whole-sound.\(form)")
    let path = try Clips.rewrite(whole, as: "damaged-sound.\(form)") { bytes in
      for index in bytes.count / 2..<bytes.count / 2 + 700 { bytes[index] ^= 0xFF }
    }
    let sound = try SoundReader(path).read()
    #expect(sound.damagedPackets > 0 && sound.channels[0].count > 44100)
    #expect(try SoundReader(path).examine(seconds: 10).damagedPackets == sound.damagedPackets)
    #expect(try SoundReader(path).examine(seconds: 0.1).sampleCount == nil)
    var options = VideoReader.Options()
    options.isStrict = true
    #expect(throws: RenderError.self) { _ = try SoundReader(path, options: options).read() }
    #expect(try SoundReader(whole, options: options).read().damagedPackets == 0)
  }

  /// What is wrong with the last packet is told, although no samples follow.
  @Test func damageAtTheEndCounts() throws {
    try Clips.ffmpeg("-f lavfi -i sine=r=44100:d=2 -c:a flac @ends.flac")
    let path = try Clips.rewrite(Clips.path("ends.flac"), as: "cut-inside.flac") { $0.removeLast($0.count / 3) }
    #expect(try SoundReader(path).read().damagedPackets > 0)
    var options = VideoReader.Options()
    options.isStrict = true
    #expect(throws: RenderError.self) { try SoundReader(path, options: options).read() }
  }

  @Test func streamsAreChosen() throws {
    try Clips.ffmpeg(
      """
      -f lavfi -i testsrc2=s=64x64:d=0.2 -f lavfi -i sine=r=8000:d=0.2 -f lavfi -i sine=r=16000:d=0.2 -map 0 -map 1 -map 2 -c:v ffv1 \
      -c:a pcm_s16le @sounds.mkv
      """)
    let path = Clips.path("sounds.mkv")
    #expect(try SoundReader(path, stream: 0).read().sampleRate == 8000)
    #expect(try SoundReader(path, stream: 1).read().sampleRate == 16000)
    let error = try #require(throws: RenderError.self) { try SoundReader(path, stream: 2).read() }
    #expect(error.message.hasSuffix("is not a sound that Etalon reads"))
  }
}
