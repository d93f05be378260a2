internal import EtalonDiagnostics

/// Sound as a picture, which ISF hosts offer.
struct AudioRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    (subject.isfHeader?["INPUTS"]?.elements ?? []).compactMap { input in
      guard let type = input["TYPE"], [.string("audio"), .string("audioFFT")].contains(type.content) else { return nil }
      var name = "an input"
      if case .string(let text)? = input["NAME"]?.content { name = "'\(text)'" }
      return subject.note("port.audio", "\(name) is sound, which every host analyses in its own way", at: type.place, "sound")
    }
  }
}
