import Foundation

/// A command, as typed, and everything it is expected to answer; kept as a text file.
///
/// ```
/// $ etalon render missing.glsl -o out.png
/// exit 66
/// --- standard error
/// error: cannot read 'missing.glsl': No such file or directory (open)
/// --- files
/// ```
///
/// Several commands may follow each other; they share a folder. Lines before the first `$` describe the transcript. The words after `$` go to a shell.
struct Transcript {
  struct Step: Equatable {
    var command: String
    var exitCode: Int32
    var output: String
    var errors: String
    /// What lies in the folder afterwards, beside what was there at the start.
    var files: [String]
  }

  var preface: String
  var steps: [Step]

  /// Reads the commands of a transcript; the answers are read as they stand.
  init(text: String) {
    var preface: [String] = []
    var steps: [Step] = []
    var section = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), exitCode: 0, output: "", errors: "", files: []))
        section = ""
      } else if steps.isEmpty {
        preface.append(line)
      } else if line.hasPrefix("exit ") && section.isEmpty {
        steps[steps.count - 1].exitCode = Int32(line.dropFirst(5)) ?? -1
      } else if line.hasPrefix("--- ") {
        section = String(line.dropFirst(4))
      } else {
        switch section {
        case "standard output": steps[steps.count - 1].output += line + "\n"
        case "standard error": steps[steps.count - 1].errors += line + "\n"
        case "files" where !line.isEmpty: steps[steps.count - 1].files.append(line)
        default: break
        }
      }
    }
    self.preface = preface.joined(separator: "\n")
    self.steps = steps
  }

  /// The text of the file.
  var text: String {
    var out = preface + "\n"
    for step in steps {
      out += "$ \(step.command)\nexit \(step.exitCode)\n"
      if !step.output.isEmpty { out += "--- standard output\n\(step.output)" }
      if !step.errors.isEmpty { out += "--- standard error\n\(step.errors)" }
      out += "--- files\n" + step.files.map { $0 + "\n" }.joined()
    }
    return out
  }

  /// Runs all commands in a fresh folder that holds copies of the fixtures, and returns what they answered.
  func replayed() throws -> Transcript {
    let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let work = folder.appending(path: "work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: CommandFixtures.folder, to: work)
    let initial = Set(try FileManager.default.subpathsOfDirectory(atPath: work.path))
    var result = self
    for index in steps.indices {
      let answer = try ShellCommand(steps[index].command, in: work, cache: folder.appending(path: "cache")).run()
      result.steps[index].exitCode = answer.exitCode
      result.steps[index].output = answer.output.withoutBuildFolder
      result.steps[index].errors = answer.errors.withoutBuildFolder
      result.steps[index].files = try FileManager.default.subpathsOfDirectory(atPath: work.path).filter { !initial.contains($0) }.sorted()
    }
    return result
  }
}

extension String {
  /// The same with a word for the folder of the built-in filters, which lies where the tests were built.
  fileprivate var withoutBuildFolder: String { replacing(/\/\S*etalon_EtalonPlugins\.resources\//, with: "PLUGINS/") }
}
