internal import EtalonDiagnostics

/// The text of a `--set` option, as diagnostics show it.
package enum SettingText {
  /// The name of the text.
  package static let path = "<--set>"

  /// Where the name and the value of `NAME=VALUE` stand.
  package static func places(name: String, value: String) -> (name: SourceRange, value: SourceRange) {
    let whole = SourceText(path: path, text: "\(name)=\(value)")
    let start = name.utf8.count + 1
    return (SourceRange(whole, 0..<name.utf8.count), SourceRange(whole, start..<start + value.utf8.count))
  }
}
