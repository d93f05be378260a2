internal import EtalonDiagnostics

/// Removes the directives of editor extensions that preview ShaderToy files, such as `#iChannel0 "file://photo.png"`.
struct EditorDirectives: Rewrite {
  let name = "editor directives"

  func apply(to tokens: inout [Token]) {
    tokens.eraseDirectives { directive, tokens in
      let second = directive.name.dropFirst().first
      return directive.name == "StrictCompatibility" || (directive.name.hasPrefix("i") && second?.isUppercase == true)
    }
  }

  private static let known = ShaderToyUniforms.channels + ["iKeyboard", "iUniform", "iVertex"]

  /// A warning about a directive that has the form of an extension's and is none.
  static func unknown(_ directive: Directive, _ tokens: [Token]) -> [Diagnostic] {
    let second = directive.name.dropFirst().first
    guard directive.name.hasPrefix("i"), second?.isUppercase == true, !known.contains(directive.name) else { return [] }
    let isChannel = directive.name.hasPrefix("iChannel")
    return [
      Diagnostic(
        "shadertoy.directive",
        isChannel ? "there is no channel '\(directive.name)'" : "there is no directive '#\(directive.name)', so it says nothing",
        severity: .warning, labels: tokens.labels(at: Array(directive.range.prefix(2)), isChannel ? "not read" : "unknown"),
        help: isChannel
          ? ["the channels are \(ShaderToyUniforms.channels.joined(separator: ", "))"]
          : NearestName.find(directive.name, in: known).map { ["did you mean '#\($0)'?"] } ?? [])
    ]
  }
}
