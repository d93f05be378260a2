/// Renames names of the header that GLSL has another use for, such as `sample` or `distance`.
///
/// A name that is called is the function of GLSL, and one behind a point is a member of something else.
struct NativeReservedNames: Rewrite {
  let name = "reserved words"

  let names: Set<String>

  init(_ names: some Sequence<String>) { self.names = Set(names.filter { Self.replacement(for: $0) != $0 }) }

  /// The name under which the compiler sees a name of the header.
  static func replacement(for name: String) -> String {
    BuiltInFunctions.names.contains(name) ? "etalon_" + name : ReservedWords.replacement(for: name)
  }

  func apply(to tokens: inout [Token]) {
    for index in tokens.indices where tokens[index].kind == .identifier && names.contains(tokens[index].text) {
      let isMember = tokens.previous(before: index).map { tokens[$0].isMark(".") } ?? false
      let isFunction = BuiltInFunctions.names.contains(tokens[index].text) && tokens.isCalled(at: index)
      if !isMember, !isFunction { tokens[index].text = Self.replacement(for: tokens[index].text) }
    }
  }
}
