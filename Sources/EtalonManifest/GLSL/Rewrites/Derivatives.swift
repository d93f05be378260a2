/// Turns derivatives, which compute shaders lack, into functions over the 2×2 quad of pixels that an invocation belongs to.
struct Derivatives: Rewrite {
  let name = "derivatives"

  static let names: [String: String] = {
    let functions = ["dFdx": "etalonDx", "dFdy": "etalonDy", "fwidth": "etalonWidth"]
    var names: [String: String] = [:]
    for (name, function) in functions {
      for precision in ["", "Fine", "Coarse"] { names[name + precision] = function }
    }
    return names
  }()

  func apply(to tokens: inout [Token]) { tokens.rename(Self.names) }
}
