internal import EtalonDiagnostics
internal import EtalonTypes

/// Pictures and how they are read, as far as a text cannot say it.
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
      "port.keyboard", "'\(input.name)' is the keyboard, on which nobody types unless an events file says so", at: place(input, subject),
      "the keyboard", help: ["give '--events keys.csv'"])
  }

  private func place(_ input: FilterInput, _ subject: PortabilitySubject) -> SourceRange? {
    if let place = input.place { return place }
    return subject.firstUse(of: plainName(input)).flatMap { subject.texts[$0.text][$0.token].origin }
  }

  /// `iChannel1` of `bufferA.iChannel1`.
  private func plainName(_ input: FilterInput) -> String { input.name.split(separator: ".").last.map(String.init) ?? input.name }
}
