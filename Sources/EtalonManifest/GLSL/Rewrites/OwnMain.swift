/// Renames a `main` that the text has beside its entry point, because the program has one already.
struct OwnMain: Rewrite {
  let name = "own main"

  func apply(to tokens: inout [Token]) { tokens.rename(["main": "etalon_main"]) }
}
