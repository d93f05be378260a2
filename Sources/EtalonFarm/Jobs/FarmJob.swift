internal import Etalon
package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import Foundation

/// What a job renders and how it is cut, as `job.json` in its folder says it.
///
/// **Concurrency**: an immutable value when it is shared.
package struct FarmJob: Sendable, Hashable, Codable {
  package enum Kind: String, Sendable, Hashable, Codable {
    case openjd, slurm
  }

  /// Where frames go.
  package struct Output: Sendable, Hashable, Codable {
    /// The absolute path of a video, or the absolute pattern of pictures.
    package let path: String
    package let isVideo: Bool

    package init(path: String, isVideo: Bool) { (self.path, self.isVideo) = (path, isVideo) }
  }

  /// The version of this form.
  package private(set) var version = 1
  /// The version of Etalon that wrote it.
  package private(set) var etalon = EtalonVersion.current
  package let kind: Kind
  package let name: String
  /// The words behind `etalon render`, with paths as they were typed.
  package let command: [String]
  /// The absolute path of the folder that those paths start from.
  package let folder: String
  /// The wanted frames in rendering order, and the whole shot, as `--frames` has them.
  package let frames: String
  package let shot: String
  package let size: String
  package let rate: String
  package let cut: JobCut
  package let outputs: [Output]
  /// The absolute path of the folder with the records of machines.
  package let records: String

  package init(
    _ kind: Kind, name: String, command: [String], folder: String, frames: String, shot: String, size: String, rate: String, cut: JobCut,
    outputs: [Output], records: String
  ) {
    (self.kind, self.name, self.command, self.folder, self.frames, self.shot) = (kind, name, command, folder, frames, shot)
    (self.size, self.rate, self.cut, self.outputs, self.records) = (size, rate, cut, outputs, records)
  }

  /// What will be done, for people; ends in a newline.
  package var text: String {
    let count = cut.chunks.count
    let parts = count == 1 ? "one task" : "\(count) chunks"
    let names = outputs.map { "'\($0.path)'" }.joined(separator: ", ")
    return
      "\(name): frames \(frames) of \(shot), \(size) at \(rate) a second, in \(parts): \(names)\ncut: \(cut.method.rawValue), because \(cut.reason)\n"
  }
}

/// The folder of a job: its files appear whole, and those of an earlier job are replaced.
package struct FarmFolder: Sendable, Hashable {
  /// A file of a job.
  package struct File: Sendable, Hashable {
    /// The path inside of the folder.
    package let name: String
    package let text: String
    package let isExecutable: Bool

    package init(_ name: String, _ text: String, isExecutable: Bool = false) {
      (self.name, self.text, self.isExecutable) = (name, text, isExecutable)
    }
  }

  static let jobName = "job.json"
  /// What Slurm was given, written by the script `submit`.
  static let submissionName = "jobs.json"
  /// The files that a job may have, besides logs, records and checkpoints, which a later job of the folder goes on with.
  private static let names = [
    jobName, submissionName, "template.json", "parameters.json", "parameter_values.json", "asset_references.json", "checkpoints.sbatch",
    "render.sbatch", "video.sbatch", "check.sbatch", "submit",
  ]

  /// The absolute path.
  package let path: String

  package init(_ path: String) { self.path = Self.absolute(path) }

  /// The absolute path of what a path names, from the working folder or another one.
  package static func absolute(_ path: String, from folder: String = FileManager.default.currentDirectoryPath) -> String {
    let whole = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    let plain = URL(filePath: whole).standardized.path(percentEncoded: false)
    return plain.count > 1 && plain.hasSuffix("/") ? String(plain.dropLast()) : plain
  }

  /// The path of something inside.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Refuses a folder with something in it that is no job of Etalon's, unless it may be replaced.
  package func check(overwrites: Bool) throws(RenderError) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw RenderError(.cannotWrite, "cannot make the job '\(path)': a file has this name", help: ["name another folder"])
    }
    guard !overwrites, !entries.isEmpty else { return }
    if entries.contains(Self.submissionName) {
      throw RenderError(
        .cannotWrite, "the job in '\(path)' was submitted, and its tasks may still run",
        help: ["name another folder, or pass --overwrite when 'etalon farm status \(ShellWord.quoted(path))' says that it has ended"])
    }
    guard (try? job()) == nil else { return }
    throw RenderError(
      .cannotWrite, "'\(path)' holds files, and none of them is the job.json of an earlier job",
      help: ["name a new folder, or pass --overwrite"])
  }

  /// Writes the files of a job, and removes those of an earlier one.
  package func write(_ job: FarmJob, _ files: [File]) throws(RenderError) {
    let logs = (try? FileManager.default.contentsOfDirectory(atPath: path(of: "logs"))) ?? []
    let codes = logs.filter { $0.hasSuffix(".code") }.map { "logs/\($0)" }
    for name in Self.names + codes { try? FileManager.default.removeItem(atPath: path(of: name)) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(job) else { preconditionFailure("texts and numbers always encode") }
    for file in files + [File(Self.jobName, String(decoding: text, as: UTF8.self) + "\n")] {
      let written = try AtomicFile(path(of: file.name), replacing: .anything, permissions: file.isExecutable ? 0o777 : 0o666)
      try written.write(Array(file.text.utf8))
      try written.commit()
    }
  }

  /// The job that lies in the folder.
  package func job() throws(RenderError) -> FarmJob {
    let file = path(of: Self.jobName)
    guard FileManager.default.fileExists(atPath: file) else {
      throw RenderError(
        .missingInput, "'\(path)' is no job: there is no job.json in it", help: ["name the folder that 'etalon farm' wrote"])
    }
    let bytes = try FileReader.bytes(of: file, limit: 1 << 26)
    do {
      let job = try JSONDecoder().decode(FarmJob.self, from: Data(bytes))
      if job.version == 1 { return job }
    } catch {}
    throw RenderError(
      .invalidInput, "'\(file)' is no job that this Etalon can read", underlying: "it is damaged, or of another version",
      help: ["write the job again with 'etalon farm'"])
  }
}
