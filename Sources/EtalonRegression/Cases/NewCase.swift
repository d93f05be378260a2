package import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonSystem
package import EtalonTypes
internal import Foundation

/// Writes a case for what a request shows on a frame, and records its reference.
///
/// **Concurrency**: an immutable value; writing blocks, because the case is rendered as `etalon test` renders it.
package struct NewCase: Sendable {
  /// The file of the case.
  package let path: String
  private let request: RenderRequest
  private let frame: Int
  private let size: Size
  private let subject: String
  private let library: FilterLibrary
  private let name: String
  /// What the mouse and the keys do, in pixels of the case; nil where nothing says that.
  private let events: String?

  /// Checks what the case is about: a filter file or a graph document, whose cases lie in `tests` beside it.
  ///
  /// - Parameters:
  ///   - name: of the case, in small letters, digits and hyphens.
  ///   - subject: the path of the filter or of the document.
  ///   - size: as large as the result is without the size of the case.
  package init(named name: String, of request: RenderRequest, subject: String, frame: Int, size: Size, library: FilterLibrary) throws {
    guard FilterName.isName(name) else {
      throw DiagnosticsError(
        Diagnostic(
          "case.name", "'\(name)' is no name of a case", help: ["type '\(FilterName.kebabCase(name) ?? "warm")'"],
          notes: ["names have small letters, digits and hyphens"]))
    }
    path = "\(CaseFiles.home(of: subject))/\(name).yaml"
    (self.request, self.subject, self.frame, self.size, self.library, self.name) = (request, subject, frame, size, library, name)
    // The events of a preview go on while the case is recorded.
    let factor = request.inputs.isEmpty ? Self.factor(size) : 1
    events = try request.eventsFile.map {
      Self.scaled(String(decoding: try FileReader.bytes(of: $0, limit: Self.mostBytes), as: UTF8.self), by: factor)
    }
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RenderError(.cannotWrite, "cannot write '\(path)'", underlying: "it is there already", help: ["give the case another name"])
    }
  }

  /// The largest side of a case that reads no picture, in pixels: references are kept for ever.
  private static let largestSide = 320

  /// The longest file of events, in bytes.
  private static let mostBytes = 1 << 24

  /// How much smaller a case that reads no picture is than the result.
  private static func factor(_ size: Size) -> Double { min(1, Double(largestSide) / Double(max(size.width, size.height))) }

  /// Events with the places of the mouse as a picture of another size has them.
  private static func scaled(_ events: String, by factor: Double) -> String {
    guard factor != 1 else { return events }
    return events.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 5, fields[1].trimmingCharacters(in: .whitespaces) == "mouse" else { return String(line) }
      for index in 3...4 {
        guard let number = Double(fields[index].trimmingCharacters(in: .whitespaces)) else { return String(line) }
        fields[index] = " \((number * factor * 100).rounded() / 100)"
      }
      return fields.joined(separator: ",")
    }.joined(separator: "\n")
  }

  /// Writes the files of the case; what is wrong with it is thrown, and then none of them is left.
  ///
  /// - Returns: the files that were written.
  package func write() throws -> [String] {
    let folder = FolderPath.parent(of: path)
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make '\(folder)'", underlying: error.localizedDescription)
    }
    var written: [String] = []
    do {
      let inputs = try copiedInputs(into: folder, &written)
      let values = try copiedValues(into: folder, &written)
      if let events {
        let place = "\(folder)/\(name)-events.csv"
        try write(Array(events.utf8), to: place)
        written.append(place)
      }
      try write(Array(try text(inputs, values).utf8), to: path)
      written.append(path)
      written += try record()
      return written
    } catch {
      for file in written { try? FileManager.default.removeItem(atPath: file) }
      throw error
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(RenderError) {
    let file = try AtomicFile(path, replacing: .ownFrames)
    try file.write(bytes)
    try file.commit()
  }

  // MARK: its text

  private func text(_ inputs: [(name: String, file: String)], _ values: [(name: String, value: String)]) throws -> String {
    var lines: [String] = []
    if !inputs.isEmpty { lines += ["inputs:"] + inputs.map { "  \($0.name.quotedAsJSON): \($0.file.quotedAsJSON)" } }
    if !values.isEmpty { lines += ["values:"] + values.map { "  \($0.name.quotedAsJSON): \($0.value.quotedAsJSON)" } }
    lines.append("frames: [\(frame)]")
    if inputs.isEmpty {
      let factor = Self.factor(size)
      lines.append("size: \(max(1, Int(Double(size.width) * factor)))x\(max(1, Int(Double(size.height) * factor)))")
    }
    if request.clock.rate != .sixty { lines.append("rate: \(request.clock.rate)") }
    if let shot = request.shot { lines.append("duration: \(shot.count)f") }
    if events != nil { lines.append("events: \(name)-events.csv") }
    if let pointer = request.pointer {
      let factor = inputs.isEmpty ? Self.factor(size) : 1
      let place = [pointer.x, pointer.y].map { "\(($0 * factor).rounded(.down))" } + (pointer.isDown ? ["down"] : [])
      lines.append("mouse: \"\(place.joined(separator: ", "))\"")
    }
    lines.append("reference: \(name).png")
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: its pictures

  /// The pictures of the inputs as files beside the case, so that it needs nothing else.
  private func copiedInputs(into folder: String, _ written: inout [String]) throws -> [(name: String, file: String)] {
    let description = try RequestDescription(request)
    var next = description.unnamedInputs[...]
    var inputs: [(name: String, file: String)] = []
    for picture in request.inputs {
      guard let input = picture.input ?? next.popFirst() else { continue }
      guard picture.sequence == nil, picture.video == nil else {
        throw DiagnosticsError(
          Diagnostic(
            "case.moving", "'\(picture.path)' moves, and a case keeps single pictures",
            help: ["give '\(input)' a picture, or write the case by hand"]))
      }
      let ending = URL(filePath: picture.path).pathExtension
      let file = "\(name)-\(FilterName.kebabCase(input) ?? "input").\(ending)"
      let place = "\(folder)/\(file)"
      try write(try FileReader.bytes(of: picture.path, limit: 1 << 28), to: place)
      written.append(place)
      inputs.append((input, file))
    }
    let known = Set(inputs.map(\.name))
    if let missing = description.inputs.first(where: { $0.value == nil && $0.standard == nil && !known.contains($0.name) }) {
      throw DiagnosticsError(
        Diagnostic(
          "case.input", "a test card stands in for '\(missing.name)'", help: ["give it a picture, which is then kept with the case"]))
    }
    return inputs
  }

  /// The values, with the files that they name beside the case.
  private func copiedValues(into folder: String, _ written: inout [String]) throws -> [(name: String, value: String)] {
    let description = try RequestDescription(request)
    var values: [(name: String, value: String)] = []
    for setting in request.settings {
      guard let file = description.file(of: setting) else {
        values.append((setting.name, setting.value))
        continue
      }
      let ending = URL(filePath: file.path).pathExtension
      let copy = "\(name)-\(FilterName.kebabCase(setting.name) ?? "value").\(ending)"
      try write(try FileReader.bytes(of: file.path, limit: 1 << 28), to: "\(folder)/\(copy)")
      written.append("\(folder)/\(copy)")
      values.append((setting.name, file.text(naming: copy)))
    }
    return values
  }

  // MARK: its reference

  private func record() throws -> [String] {
    let place = try TemporaryFiles.makeFolder("etalon-case")
    defer { TemporaryFiles.remove(place) }
    let selection = TestSelection([path], in: library)
    if let diagnostic = selection.diagnostics.first(where: { $0.severity == .error }) { throw DiagnosticsError(diagnostic) }
    guard let testCase = selection.cases.first else { preconditionFailure("a file of a case without one") }
    var settings = CaseRun.Settings(
      device: "cpu", folder: place, pictures: "pictures", today: Date.now.formatted(.iso8601.year().month().day()))
    settings.keepsAll = true
    settings.timeout = 120
    let run = try CaseRun(settings, library: library)
    var results = TestResults(device: run.device, command: [], started: "")
    results.cases = [run.run(testCase)]
    try Recorder(.missing, folder: place).record(&results)
    guard !results.recorded.isEmpty else {
      throw DiagnosticsError(
        Diagnostic("case.not-recorded", results.cases[0].notes.first ?? results.cases[0].reason))
    }
    return results.recorded
  }
}
