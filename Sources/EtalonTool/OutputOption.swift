import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes

/// The text of `--output`: a file, or the name of an output, `=`, and a file; behind the file what it is: `matte=matte.####.png,bits=16,alpha=opaque`.
struct OutputOption {
  /// The output; nil for the result.
  let output: String?
  let path: String
  /// What is said about the file, in the order of the text.
  private let fields: [(key: String, value: String)]
  private let text: String

  init(_ text: String) {
    self.text = text
    var path = Substring(text)
    var fields: [(key: String, value: String)] = []
    while let comma = path.lastIndex(of: ","), let field = Self.field(path[path.index(after: comma)...]) {
      fields.insert(field, at: 0)
      path = path[..<comma]
    }
    self.fields = fields
    // What stands before '=' is an output only when an output could have that name.
    let parts = path.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isNamed = parts.count == 2 && GraphText.isOutputName(parts[0]) && !parts[1].isEmpty
    output = isNamed ? String(parts[0]) : nil
    self.path = String(isNamed ? parts[1] : path)
  }

  /// `bits=16`; nil for what may be the end of a path.
  private static func field(_ text: Substring) -> (key: String, value: String)? {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts.joined().allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  /// What the files are where that is not what other options say.
  func form() throws(DiagnosticsError) -> RenderRequest.OutputForm {
    var form = RenderRequest.OutputForm()
    for (key, value) in fields {
      let field = "\(key)=\(value)"
      switch key {
      case "bits": form.bits = try OptionText("--output \(field)", value).choice(of: ["8": 8, "16": 16])
      case "alpha":
        form.alpha = try OptionText("--output \(field)", value)
          .choice(of: ["opaque": .opaque, "straight": .straight, "premultiplied": .premultiplied])
      default:
        let option = OptionText("--output", text)
        let nearest = NearestName.find(key, in: ["bits", "alpha"]).map { "did you mean '\($0)'?" }
        throw option.error(
          "usage.output-field", "nothing is called '\(key)' of a file", at: option.range(of: field), "unknown",
          help: [nearest ?? "type 'bits=16' or 'alpha=opaque'; a file with such a name is written with another ending"])
      }
    }
    return form
  }
}
