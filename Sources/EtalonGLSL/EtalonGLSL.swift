// # EtalonGLSL
//
// GLSL as tokens that know where the author wrote them.
//
// Comes in: texts (`SourceText`), and names, lines and rules that a dialect gives to a rewrite.
// Goes out: tokens (`Token`), what they say (directives, declarations outside of functions, uses of functions), rewritten tokens, and the text
// that is compiled, token by token (`GeneratedSource`).
// Start reading: `Token.swift`, `Lexer.swift`, then `Rewrite.swift`.
//
// Reading tokens and rewriting them is the work here; filters, their headers and their values are the work of `EtalonManifest`.
