internal import EtalonDiagnostics

/// The mouse, which nobody moves while frames are rendered.
struct PointerRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    subject.uniforms { $0 == .mouse }.map { uniform in
      subject.note(
        "port.mouse", "'\(uniform.name)' is 0 unless a click is given, as in a player that nobody has touched",
        at: subject.firstUse(of: uniform.name), "read here",
        help: ["give '--mouse x,y' or '--mouse x,y,down', or '--events moves.csv'"])
    }
  }
}
