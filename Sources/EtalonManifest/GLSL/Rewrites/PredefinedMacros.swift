/// Lets the text see the macros of OpenGL ES 3.00, which a desktop compiler neither defines nor lets anybody define.
struct PredefinedMacros: Rewrite {
  let name = "predefined macros"

  /// What the macros stand for under their new names.
  static let values = ["etalon_GL_ES": "1", "etalon_VERSION": "300", "etalon_GL_FRAGMENT_PRECISION_HIGH": "1"]

  private static let names = [
    "GL_ES": "etalon_GL_ES", "__VERSION__": "etalon_VERSION", "GL_FRAGMENT_PRECISION_HIGH": "etalon_GL_FRAGMENT_PRECISION_HIGH",
  ]

  func apply(to tokens: inout [Token]) { tokens.rename(Self.names) }
}
