internal import EtalonDiagnostics
internal import EtalonTypes
internal import EtalonVideo

/// The cameras of the machine for people (`etalon devices`).
package enum CameraList {
  /// Each camera with its name and the forms that it gives pictures in; where there is none, how to try without.
  package static func text() -> String {
    do throws(RenderError) {
      let cameras = try Camera.all()
      guard !cameras.isEmpty else { return "\nNo camera; 'camera:test' gives moving test pictures.\n" }
      return "\n" + cameras.map(text).joined(separator: "\n")
    } catch {
      return "\nNo camera: \(error.message)\n"
    }
  }

  private static func text(of camera: Camera) -> String {
    let number = camera.path.hasPrefix("/dev/video") ? String(camera.path.dropFirst("/dev/video".count)) : camera.path
    var text = "camera:\(number)  \(camera.name), \(camera.path)\n"
    for mode in camera.modes {
      let rate = mode.rate.map { ", up to \($0) a second" } ?? ""
      text += "   \(mode.size)\(rate)  \(mode.code), \(mode.words)\n"
    }
    return text
  }
}
