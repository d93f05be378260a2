/// The text of `--output`: a file, or the name of an output of the filter, `=`, and a file.
struct OutputOption {
  private let text: String

  init(_ text: String) { self.text = text }

  /// The output, nil for the result, and the file; what stands before `=` is an output only when a shader could have a variable of that name.
  var parts: (output: String?, path: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isName(parts[0]), !parts[1].isEmpty else { return (nil, text) }
    return (String(parts[0]), String(parts[1]))
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
