/// Mistakes that show only when the whole text is known; the compiler gives no line for them, only names such as `f(vf3;`.
enum LinkRules {
  static func undefinedFunction(_ context: MessageContext) -> Finding? {
    guard context.message.text.contains("No function definition (body) found") else { return nil }
    let name = functionName(context.message.details.first)
    let declared = context.names.functions(named: name).first
    return Finding(
      id: "glsl.undefined-function", message: "function '\(spelled(name, declared, context))' is declared and called but never defined",
      mark: declared.map { .tokens($0.token...$0.token) }, label: "has no body",
      help: ["write its body, with exactly these parameters"])
  }

  static func recursion(_ context: MessageContext) -> Finding? {
    guard context.message.text.contains("Recursion detected") else { return nil }
    let parts = context.message.details.first?.split(separator: " calling ") ?? []
    let caller = functionName(parts.first.map(String.init))
    let callee = functionName(parts.last.map(String.init))
    let declared = context.names.functions(named: caller).last
    var mark: Finding.Mark? = declared.map { .tokens($0.token...$0.token) }
    if let body = declared.flatMap({ context.tokens.partner(of: $0.token + 1) }).map({ $0 + 1 }),
      let end = context.tokens.partner(of: body),
      let call = (body..<end).first(where: { context.tokens.text($0) == callee && context.tokens.text($0 + 1) == "(" })
    {
      mark = .tokens(call...call)
    }
    let spelledCaller = spelled(caller, declared, context)
    return Finding(
      id: "glsl.recursion", message: "function '\(spelledCaller)' calls itself" + (caller == callee ? "" : " through '\(callee)'"),
      mark: mark,
      label: "recursion", help: ["GLSL has no recursion: write a loop"])
  }

  private static func functionName(_ mangled: String?) -> String {
    mangled.map { String($0.prefix { $0 != "(" }) } ?? ""
  }

  private static func spelled(_ name: String, _ declared: NameListing.Declaration?, _ context: MessageContext) -> String {
    declared.map { context.spelled($0.token) } ?? name
  }
}
