package import Etalon
package import EtalonComparison
package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonInspection
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// Renders a case on all devices and with all errors that devices may make, and proposes the tolerance that allows all of it.
///
/// **Concurrency**: blocks its thread; used by one thread at a time.
package struct CaseProposer {
  /// The most findings that are told of a case.
  private static let mostFindings = 3

  private let library: FilterLibrary
  private let timeout: Double?
  /// What `--device` says of each device, with the name that a person reads.
  private let devices: [(option: String, name: String)]

  /// - Parameter device: what `--device` says: it renders first.
  package init(device: String, library: FilterLibrary, timeout: Double?) throws(RenderError) {
    (self.library, self.timeout) = (library, timeout)
    let own = try TestDevice(option: device)
    let others = DeviceList.options().filter { $0.option != device && $0.name != own.device && !($0.option == "cpu" && own.isReference) }
    let errors = BlameCheck.errors.flatMap(\.devices).filter { $0 != device }
    devices =
      [(device, own.backend == "cpu" ? device : own.device)] + others.map { ($0.option, $0.option == "cpu" ? "cpu" : $0.name) }
      + errors.map { ($0, $0) }
  }

  /// The proposal for a case; throws where it cannot be rendered by any device.
  package func propose(_ testCase: TestCase) throws -> CaseProposal {
    var result = CaseProposal(id: testCase.id)
    guard !testCase.isPlain else {
      // What is not there, or cannot be read, is an error all the same.
      _ = try renderer(devices[0].option).files(of: testCase)
      result.notes = ["the filter has no case: 'etalon test' says how to write one"]
      return result
    }
    guard let references = try references(of: testCase, &result) else { return result }
    var proposer = ToleranceProposer()
    for (index, device) in devices.enumerated() {
      do {
        let frames = try renderer(device.option).frames(of: testCase)
        try add(frames, of: device, testCase, references, &proposer, &result)
      } catch {
        // What the first one cannot render, or has no reference for, is an error of the case.
        guard index > 0 else { throw error }
        result.notes.append("left out \(device.name): \(Self.words(of: error))")
      }
    }
    let proposal = proposer.proposal
    result.proposal = proposal
    if proposal.obstacle != nil { explain(testCase, &result) }
    return result
  }

  // MARK: references

  /// Gives the picture that a frame of a device is compared with.
  private typealias References = (_ frame: RenderedFrame, _ device: TestDevice) throws -> PixelBuffer

  /// Nil, with a note, where a case compares nothing.
  private func references(of testCase: TestCase, _ result: inout CaseProposal) throws -> References? {
    switch testCase.reference {
    case .none:
      result.notes = ["it has no reference, so no tolerance either: those of invariants stand beside their names"]
      return nil
    case .device(let word):
      _ = try TestDevice(named: word)
      result.reference = "device \(word.text)"
      return try rendered(by: word.text, testCase)
    case .pictures(let pictures):
      result.reference = "'\(pictures[0].path(testCase.moments.numbers.first ?? 0))'"
      let own = try TestDevice(option: devices[0].option)
      guard testCase.moments.numbers.allSatisfy({ number in pictures.contains { StoredPicture($0, number, on: own) != nil } }) else {
        result.notes.append("there is no \(result.reference): the pictures of the CPU device stand in")
        result.reference = "device cpu"
        return try rendered(by: "cpu", testCase)
      }
      return { frame, device in try Self.nearest(to: frame, of: pictures.compactMap { StoredPicture($0, frame.number, on: device) }) }
    }
  }

  private func rendered(by device: String, _ testCase: TestCase) throws -> References {
    let frames = try renderer(device).frames(of: testCase)
    return { frame, _ in
      guard let reference = frames.first(where: { $0.number == frame.number }) else {
        preconditionFailure("a frame that only one device has")
      }
      return testCase.comparesFloats ? reference.floats : reference.levels(bits: testCase.bits)
    }
  }

  /// The picture of several that differs least.
  private static func nearest(to frame: RenderedFrame, of stored: [StoredPicture]) throws -> PixelBuffer {
    let pictures = try stored.map { stored throws(RenderError) in
      let picture = try stored.read()
      guard picture.size == frame.floats.size else {
        throw RenderError(
          .invalidInput, "'\(stored.path)' is \(picture.size), and the picture is \(frame.floats.size), which no tolerance allows",
          help: ["type 'etalon test … --record failed'"])
      }
      return picture
    }
    func rank(_ picture: PixelBuffer) -> Int { comparePictures(frame.picture(like: picture), picture).color?.differing ?? .max }
    guard let nearest = pictures.count > 1 ? pictures.min(by: { rank($0) < rank($1) }) : pictures.first else {
      throw RenderError(.missingInput, "there is no reference for it")
    }
    return nearest
  }

  // MARK: devices

  private func renderer(_ device: String) -> CaseRenderer { CaseRenderer(device: device, library: library, timeout: timeout) }

  private func add(
    _ frames: [RenderedFrame], of device: (option: String, name: String), _ testCase: TestCase, _ references: References,
    _ proposer: inout ToleranceProposer, _ result: inout CaseProposal
  ) throws {
    let facts = try TestDevice(option: device.option)
    let pairs = try frames.map { frame in (frame, try references(frame, facts)) }
    for (frame, reference) in pairs {
      let picture = frame.picture(like: reference)
      proposer.add(picture, reference, from: frames.count > 1 ? "\(device.name), \(frame.moment.text)" : device.name)
      guard facts.isReference, picture.bytes != reference.bytes else { continue }
      result.notes.append(
        "\(frame.moment.text): the CPU device does not show the reference: mend or approve that first, or this bears it, too")
    }
    result.devices.append(device.name)
  }

  /// What makes pixels unstable, as the sanitizer finds it.
  private func explain(_ testCase: TestCase, _ result: inout CaseProposal) {
    if let request = try? renderer("cpu").request(for: testCase), let found = try? Sanitizer().run(request) {
      result.findings = found.findings.prefix(Self.mostFindings).map { finding in
        let place = finding.place.map { "\($0.source.path):\($0.source.position(at: $0.range.lowerBound).line): " } ?? ""
        return "\(place)\(finding.message) [\(finding.id)]"
      }
    }
    let subject =
      switch testCase.subject {
      case .node(let node): node.filter.text
      case .document(let word, _, _): word.text
      case .plain(let path): path
      }
    result.sanitize = "etalon sanitize \(ShellWord.quoted(subject))"
  }

  private static func words(of error: any Error) -> String {
    switch error {
    case let error as RenderError: error.diagnostic.message
    case let error as DiagnosticsError: error.diagnostics.first { $0.severity == .error }?.message ?? "\(error)"
    default: "\(error)"
    }
  }
}

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

  /// The proposal as YAML for the file of cases; everything else is in comments.
  package var lines: [String] {
    var lines = ["# \(id)"]
    if let proposal {
      lines.append(
        "# beside \(reference): \(proposal.pairs.of("picture")), with room for a quarter more")
      lines.append("# rendered by \(Self.words(devices))")
    }
    lines += notes.map { "# \($0)" }
    if let obstacle = proposal?.obstacle {
      lines.append("# no tolerance makes sense: \(obstacle.reason)\(obstacle.source.isEmpty ? "" : " (\(obstacle.source))")")
      if obstacle.isNoise { lines.append("# all of them look like draws of the same noise: 'noise: 0.01' bears that") }
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
