package import EtalonDiagnostics
internal import Glibc

/// Where pictures come from that lie in no file: a stream of the network, a pipe that is open, a camera.
///
/// | text | what |
/// |---|---|
/// | `https://host/live.m3u8`, `http://…` | HLS, or a file of any container that is read |
/// | `rtsp://host/place`, `rtsps://…` | RTSP over one TCP connection |
/// | `pipe:0`, `-` | an open descriptor of the process: 0 is standard input |
/// | `camera:0`, `camera:/dev/video2` | a camera of the system (Video4Linux) |
/// | `camera:test` | moving test pictures, through the same code as those of a camera |
///
/// **Concurrency**: an immutable value.
package struct StreamAddress: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case web, rtsp, pipe, camera
  }

  package let kind: Kind
  /// What the libraries open: an address, the number of a descriptor, a device.
  package let place: String
  /// What messages call it: the address without a password.
  package let name: String

  /// What a text stands for; nil for the path of a file.
  package init?(_ text: String) {
    let lower = text.lowercased()
    if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
      self.init(.web, text, named: Self.withoutPassword(text))
    } else if lower.hasPrefix("rtsp://") || lower.hasPrefix("rtsps://") {
      self.init(.rtsp, text, named: Self.withoutPassword(text))
    } else if text == "-" {
      self.init(.pipe, "0", named: "standard input")
    } else if text.hasPrefix("pipe:"), let number = Int32(text.dropFirst(5)), number >= 0 {
      self.init(.pipe, "\(number)", named: number == 0 ? "standard input" : text)
    } else if text.hasPrefix("camera:") {
      let device = String(text.dropFirst(7))
      if device == "test" || device.hasPrefix("/dev/") {
        self.init(.camera, device, named: text)
      } else if let number = Int(device), (0..<1000).contains(number) {
        self.init(.camera, "/dev/video\(number)", named: text)
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  private init(_ kind: Kind, _ place: String, named name: String) { (self.kind, self.place, self.name) = (kind, place, name) }

  /// Whether it is the camera that shows the same pictures in every run.
  package var isTestCamera: Bool { kind == .camera && place == "test" }

  /// Whether a text is a pipe: an open descriptor, or the path of a named pipe.
  package static func isPipe(_ text: String) -> Bool {
    if let address = StreamAddress(text) { return address.kind == .pipe }
    var information = stat()
    return unsafe stat(text, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
  }

  private static func withoutPassword(_ address: String) -> String {
    guard let start = address.range(of: "://")?.upperBound else { return address }
    let end = address[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? address.endIndex
    guard let at = address[start..<end].lastIndex(of: "@") else { return address }
    return address[..<start] + "…" + address[at...]
  }

  /// What is wrong with a text that looks like an address and is none that is read; nil for others.
  package static func diagnostic(_ text: String, option: String) -> Diagnostic? {
    guard StreamAddress(text) == nil, let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon]
    let isAddress = text[colon...].hasPrefix("://") && scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil
    guard isAddress || scheme == "camera" || scheme == "pipe" else { return nil }
    let source = SourceText(path: option, text: text)
    let help =
      switch scheme {
      case "camera": "type 'camera:0', 'camera:/dev/video2' or 'camera:test'; 'etalon devices' lists cameras"
      case "pipe": "type 'pipe:0' for standard input, or the number of another open descriptor"
      case "file": "type the path of the file without 'file://'"
      default: "streams are read from http://, https://, rtsp:// and rtsps://; another program can hand its video over in 'pipe:0'"
      }
    return Diagnostic(
      "stream.unknown-address", "no video is read from '\(text)'",
      labels: [.init(source, 0..<source.bytes.count, isAddress ? "not this protocol" : "not a number or a device")], help: [help])
  }
}

extension StringProtocol {
  /// Where a text stands first in this one.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
