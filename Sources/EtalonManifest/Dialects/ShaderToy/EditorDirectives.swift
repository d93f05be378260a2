/// Removes the directives of editor extensions that preview ShaderToy files, such as `#iChannel0 "file://photo.png"`.
struct EditorDirectives: Rewrite {
  let name = "editor directives"

  func apply(to tokens: inout [Token]) {
    tokens.eraseDirectives { directive, tokens in
      let second = directive.name.dropFirst().first
      return directive.name == "StrictCompatibility" || (directive.name.hasPrefix("i") && second?.isUppercase == true)
    }
  }
}
