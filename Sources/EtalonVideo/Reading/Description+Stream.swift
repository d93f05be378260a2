internal import CFFmpeg
import EtalonTypes

// Turns the structures of the C interface into values.

extension VideoDescription {
  /// Describes the stream of a decoder.
  ///
  /// - Parameter start: the time stamp of the first picture.
  init(_ decoder: Decoder, start: Int64) {
    let said = unsafe decoder.describe()
    let base = unsafe Rational(said.time_base).flatMap { $0 > 0 ? $0 : nil } ?? 1
    unsafe self.init(
      container: Self.text(said.container) ?? "", codec: Self.text(said.codec) ?? "", profile: Self.text(said.profile),
      decoder: Self.text(said.decoder),
      codedSize: Size(Int(max(said.coded_width, said.width)), Int(max(said.coded_height, said.height))),
      size: Size(Int(said.width), Int(said.height)), orientation: Int(said.orientation),
      sampleAspectRatio: Rational(said.sample_aspect).flatMap { $0 > 0 ? $0 : nil }, pixels: Pixels(said.pixels), color: Color(said),
      fieldOrder: FieldOrder(said.fields), averageRate: Rational(said.average_rate).flatMap { $0 > 0 ? $0 : nil },
      baseRate: Rational(said.base_rate).flatMap { $0 > 0 ? $0 : nil }, timeBase: base, startTime: base * Rational(Int(start)),
      duration: said.duration == .min ? nil : base * Rational(Int(said.duration)),
      frameCount: said.frames > 0 ? Int(said.frames) : nil, metadata: decoder.metadata(ofStream: false),
      streamMetadata: decoder.metadata(ofStream: true), language: Self.text(said.language), timecode: Self.text(said.timecode),
      videoStreamCount: Int(said.video_streams), soundStreams: decoder.soundStreams(),
      subtitleStreamCount: Int(said.subtitle_streams), chapterCount: Int(said.chapters), canSeek: said.can_seek)
  }

  fileprivate static func text(_ pointer: UnsafePointer<CChar>?) -> String? { unsafe pointer.map { unsafe String(cString: $0) } }
}

extension VideoDescription.Pixels {
  fileprivate init(_ said: EtalonPixelLayout) {
    let layout: VideoDescription.Layout =
      switch unsafe said.layout {
      case ETALON_LAYOUT_RGB: .rgb
      case ETALON_LAYOUT_GRAY: .gray
      default: .yCbCr
      }
    unsafe self.init(
      name: VideoDescription.text(said.name) ?? "", layout: layout, hasAlpha: said.has_alpha, bits: Int(said.bits),
      chromaWidth: 1 << Int(said.chroma_shift_x), chromaHeight: 1 << Int(said.chroma_shift_y), planeCount: Int(said.plane_count))
  }
}

extension VideoDescription.Color {
  fileprivate init(_ said: EtalonVideoDescription) {
    unsafe self.init(
      range: said.range == 1 ? .limited : said.range == 2 ? .full : nil, matrix: .init(said.matrix), transfer: .init(said.transfer),
      primaries: .init(said.primaries), chromaLocation: VideoDescription.ChromaLocation(rawValue: Int(said.chroma_location.number)))
  }
}

extension VideoDescription.Code {
  fileprivate init?(_ said: EtalonColorCode) {
    guard let name = unsafe said.name else { return nil }
    unsafe self.init(number: Int(said.number), name: String(cString: name))
  }
}

extension VideoDescription.FieldOrder {
  fileprivate init?(_ said: EtalonFieldOrder) {
    switch said {
    case ETALON_FIELDS_PROGRESSIVE: self = .progressive
    case ETALON_FIELDS_TOP_FIRST: self = .topFirst
    case ETALON_FIELDS_BOTTOM_FIRST: self = .bottomFirst
    default: return nil
    }
  }
}

extension VideoDescription.SoundStream {
  init(_ said: EtalonSoundDescription) {
    unsafe self.init(
      codec: VideoDescription.text(said.codec) ?? "", sampleRate: Int(said.sample_rate), channelCount: Int(said.channels),
      language: VideoDescription.text(said.language), startTime: Rational(said.start), duration: Rational(said.duration))
  }
}

extension Rational {
  /// A fraction of the C interface; nil where there is none.
  init?(_ fraction: EtalonVideoFraction) {
    guard fraction.denominator != 0 else { return nil }
    self.init(Int(fraction.numerator), Int(fraction.denominator))
  }
}
