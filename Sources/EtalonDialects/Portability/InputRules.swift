internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Pictures, and how they are read where the text does not say it.
struct InputRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    subject.manifest.inputs.filter(\.isRead).flatMap { notes(about: $0, subject) }
  }

  private func notes(about input: FilterInput, _ subject: PortabilitySubject) -> [Diagnostic] {
    var notes: [Diagnostic] = []
    if input.origin == .keyboard { notes.append(keyboard(input, subject)) }
    if isUnsaid(input, subject) {
      notes.append(unsaid(input, subject))
    } else {
      if input.isFlipped { notes.append(flipped(input, subject)) }
      if input.sampler.interpolation == .mipmap { notes.append(mipmapped(input, subject)) }
    }
    return notes
  }

  /// A loose ShaderToy file names its channels, but the site keeps their settings elsewhere.
  private func isUnsaid(_ input: FilterInput, _ subject: PortabilitySubject) -> Bool {
    subject.manifest.dialect == .shaderToy && input.origin == .user && input.place == nil
  }

  private func unsaid(_ input: FilterInput, _ subject: PortabilitySubject) -> Diagnostic {
    subject.note(
      "port.input-settings",
      "'\(input.name)' is read as \(input.sampler.interpolation.rawValue), \(input.sampler.address.rawValue)"
        + " and \(input.isFlipped ? "upside down" : "upright (vflip)"): the text does not say how its player read it",
      at: subject.firstUse(of: plainName(input)), "read here",
      help: ["if the picture looks soft, repeated or upside down, try '--sampler \(input.name)=linear,clamp,novflip'"])
  }

  private func flipped(_ input: FilterInput, _ subject: PortabilitySubject) -> Diagnostic {
    subject.note(
      "port.vflip", "'\(input.name)' is upside down: its player reads it without vflip", at: place(input, subject), "without vflip",
      help: ["'--sampler \(input.name)=vflip' turns it over"])
  }

  private func mipmapped(_ input: FilterInput, _ subject: PortabilitySubject) -> Diagnostic {
    subject.note(
      "port.mipmaps", "'\(input.name)' is read with mipmaps, which every player makes in its own way", at: place(input, subject),
      "with mipmaps")
  }

  private func keyboard(_ input: FilterInput, _ subject: PortabilitySubject) -> Diagnostic {
    subject.note(
      "port.keyboard", "'\(input.name)' is the keyboard, whose keys are up unless an events file says otherwise", at: place(input, subject),
      "the keyboard", help: ["give '--events keys.csv'"])
  }

  private func place(_ input: FilterInput, _ subject: PortabilitySubject) -> SourceRange? {
    if let place = input.place { return place }
    return subject.firstUse(of: plainName(input)).flatMap { subject.texts[$0.text][$0.token].origin }
  }

  /// `iChannel1` of `bufferA.iChannel1`.
  private func plainName(_ input: FilterInput) -> String { input.name.split(separator: ".").last.map(String.init) ?? input.name }
}

/// The mouse: its uniform is 0 in every frame unless a click is given.
struct PointerRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    subject.uniforms { $0 == .mouse }.map { uniform in
      subject.note(
        "port.mouse", "'\(uniform.name)' is 0 unless a click is given, as in a player before the first click",
        at: subject.firstUse(of: uniform.name), "read here",
        help: ["give '--mouse x,y' or '--mouse x,y,down', or '--events moves.csv'"])
    }
  }
}

/// Dates and measured clocks: in a player they differ with every run, here they are the same.
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

/// Passes that read what a later pass writes: they see the frame before, or nothing where the target is not kept.
struct PassOrderRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    let passes = subject.manifest.passes
    return passes.indices.flatMap { reader in
      later(than: reader, passes).map { target in
        let written = subject.manifest.targets.first { $0.name == target }
        let seen = written?.isPersistent ?? true ? "the frame before" : "transparent black, because nothing keeps it"
        return subject.note(
          "port.pass-order",
          "'\(subject.title(ofPass: passes[reader]))' reads '\(subject.title(ofTarget: target))', which is written later: it sees \(seen)",
          at: written?.place,
          "runs later")
      }
    }
  }

  /// The targets that a pass reads and that only later passes write.
  private func later(than reader: Int, _ passes: [PassSource]) -> [String] {
    let read = passes[reader].textures.compactMap { if case .target(let name) = $0.source { name } else { nil } }
    let before = Set(passes[...reader].flatMap(writes))
    let after = Set(passes[(reader + 1)...].flatMap(writes))
    return Set(read).intersection(after).subtracting(before).sorted()
  }

  private func writes(_ pass: PassSource) -> [String] { [pass.target].compactMap(\.self) + pass.stores.compactMap(\.target) }
}
