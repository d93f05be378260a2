internal import CReportPage
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// What HTML files are made with that need no other file and no network.
enum HTMLPage {
  /// The text of one of the files that pages are made of.
  static func file(_ name: String) -> String {
    let file = unsafe creport_file_named(name)
    guard let bytes = unsafe file.bytes else { preconditionFailure("no file '\(name)' in CReportPage") }
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: file.count), as: UTF8.self)
  }

  /// A page made of one of these files, with parts in the places of their names, such as `<!--{table}-->`; names inside of parts stay as they are.
  static func filled(_ name: String, _ parts: [String: String]) -> String {
    var page = "", rest = Substring(file(name))
    while let (place, part) = parts.compactMap({ key, part in rest.range(of: key).map { ($0, part) } }).min(by: {
      $0.0.lowerBound < $1.0.lowerBound
    }) {
      page += rest[..<place.lowerBound] + part
      rest = rest[place.upperBound...]
    }
    return page + rest
  }

  /// A PNG of the kinds that scripts of pages read: 8 or 16 bits, without interlacing and without a palette.
  static func png(_ picture: PixelBuffer) throws(RenderError) -> [UInt8] {
    let sink = MemorySink()
    try PNGEncoder(PNGSettings(.small)).encode(picture, to: sink)
    return sink.bytes
  }
}

extension String {
  /// The text as HTML and XML show it, in elements and in attributes.
  var escapedForMarkup: String {
    var out = ""
    for scalar in printable.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      // XML must not have these.
      case "\u{FFFE}", "\u{FFFF}": out += "\u{FFFD}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
