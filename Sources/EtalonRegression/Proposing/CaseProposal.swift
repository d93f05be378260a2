package import EtalonComparison
internal import EtalonTypes

/// The tightest tolerance with which a case passes on every device that can be opened, and with the errors that devices may make.
package struct CaseProposal: Sendable, Codable {
  /// What can be typed to run the case alone.
  package let id: String
  /// What was proposed; nil where nothing could be compared.
  package var proposal: ToleranceProposal?
  /// What the pictures were compared with: a file, or a device.
  package var reference = ""
  /// What rendered: devices, and devices with errors that are made on purpose.
  package var devices: [String] = []
  /// What a person should know: devices that could not render, a reference that the CPU device does not show.
  package var notes: [String] = []
  /// What the sanitizer finds where no tolerance makes sense: a place and a message each.
  package var findings: [String] = []
  /// What can be typed to see the findings; empty without any.
  package var sanitize = ""

  package init(id: String) { self.id = id }

  /// Whether the proposal can be taken over.
  package var isUseful: Bool { proposal?.tolerance != nil }

  /// The proposal as YAML for the file of cases; everything else is in comments.
  package var lines: [String] {
    var lines = ["# \(id)"]
    if let proposal {
      lines.append(
        "# beside \(reference): \(proposal.pairs.of("picture")), with room for a quarter more")
      lines.append("# rendered by \(Self.words(devices))")
    }
    lines += notes.map { "# \($0)" }
    if let refusal = proposal?.refusal {
      lines.append("# no tolerance makes sense: \(refusal.reason)\(refusal.source.isEmpty ? "" : " (\(refusal.source))")")
      if refusal.isNoise { lines.append("# all of them look like draws of the same noise: 'noise: 0.01' bears that") }
      lines += findings.map { "# \($0)" }
      if !sanitize.isEmpty { lines.append("# make the shader robust: \(sanitize)") }
    }
    guard let proposal, proposal.tolerance != nil else { return lines }
    lines.append("# without a tolerance what the Vulkan specification allows decides on other devices than the CPU device")
    return lines + ["tolerance:"] + proposal.yaml(indentation: "  ")
  }

  /// Devices, and those with errors that are made on purpose by their kinds: `cpu, llvmpipe; cpu with last-place=1 to 3`.
  private static func words(_ devices: [String]) -> String {
    var kinds: [(kind: String, seeds: [String])] = []
    for device in devices where device.contains("=") {
      let kind = String(device.prefix { $0 != "=" }), seed = String(device.dropFirst(kind.count + 1))
      if kinds.last?.kind == kind { kinds[kinds.count - 1].seeds.append(seed) } else { kinds.append((kind, [seed])) }
    }
    let errors = kinds.map { kind, seeds in
      "\(kind.replacing("cpu:", with: ""))=\(seeds.count > 1 ? "\(seeds[0]) to \(seeds[seeds.count - 1])" : seeds[0])"
    }
    let plain = devices.filter { !$0.contains("=") }.joined(separator: ", ")
    return errors.isEmpty ? plain : "\(plain); cpu with \(errors.joined(separator: ", "))"
  }
}
