internal import CFFmpeg
internal import EtalonTypes

/// The encoders of FFmpeg's that make videos, by its names.
enum VideoEncoder: String, CaseIterable {
  case x264 = "libx264"
  case x265 = "libx265"
  case svtAV1 = "libsvtav1"
  case aom = "libaom-av1"
  case vpx = "libvpx-vp9"
  case proRes = "prores_ks"
  case webP = "libwebp_anim"
  case ffv1, gif, apng

  /// The library that has it, where it is not one of FFmpeg's own.
  var library: String? {
    switch self {
    case .x264, .x265: rawValue
    case .svtAV1: "libsvtav1"
    case .aom: "libaom"
    case .vpx: "libvpx"
    case .webP: "libwebp"
    case .proRes, .ffv1, .gif, .apng: nil
    }
  }

  /// Whether it takes frames of a size, and can lose as little as is asked for: SVT-AV1 needs 64 pixels, and always loses something.
  func fits(_ settings: VideoOutputSettings) -> Bool {
    guard self == .svtAV1 else { return true }
    return min(settings.size.width, settings.size.height) >= 64 && settings.quality?.number != 100
  }
}

extension VideoOutputSettings {
  /// The encoder that makes the video; nil where the libraries have none that can.
  func encoder(_ writing: EtalonWriting) -> VideoEncoder? {
    codec.encoders.first { encoder in unsafe encoder.fits(self) && writing.has_encoder(encoder.rawValue) }
  }
}
