internal import EtalonDiagnostics

/// Dates and measured clocks, which differ with every run in a player and never here.
struct ClockRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    dates(subject) + measured(subject) + soundClocks(subject)
  }

  private func dates(_ subject: PortabilitySubject) -> [Diagnostic] {
    subject.uniforms { if case .date = $0 { true } else { false } }.map { uniform in
      var january = 1
      if case .date(let number) = uniform.meaning { january = number }
      return subject.note(
        "port.date", "'\(uniform.name)' is a fixed date, so that every run gives the same picture", at: subject.firstUse(of: uniform.name),
        "read here", help: ["give '--date 2024-06-01T18:30:00', or '--date now'"], notes: ["January is \(january)"])
    }
  }

  private func measured(_ subject: PortabilitySubject) -> [Diagnostic] {
    let uniforms = subject.uniforms { meaning in
      if case .timeDelta = meaning { return true }
      return meaning == .frameRate
    }
    return uniforms.map { uniform in
      var notes: [String] = []
      if case .timeDelta(let first) = uniform.meaning { notes = ["on the first frame it is \(first == 0 ? "0" : "1/60")"] }
      return subject.note(
        "port.measured-clock", "'\(uniform.name)' follows '--rate' exactly; a player measures it, so it varies there",
        at: subject.firstUse(of: uniform.name), "read here", notes: notes)
    }
  }

  private func soundClocks(_ subject: PortabilitySubject) -> [Diagnostic] {
    let uniforms = subject.uniforms { meaning in
      if case .inputTimes = meaning { return true }
      return meaning == .sampleRate
    }
    return uniforms.map { uniform in
      let what =
        uniform.meaning == .sampleRate ? "that of the first sound, else 44100" : "the time of the shot for sounds, and 0 for pictures"
      return subject.note("port.sound-clock", "'\(uniform.name)' is \(what)", at: subject.firstUse(of: uniform.name), "read here")
    }
  }
}
