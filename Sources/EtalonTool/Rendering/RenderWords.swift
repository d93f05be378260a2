import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonFarm
import EtalonMedia
import EtalonPreview
import EtalonSystem
import Foundation

// From a parsed command back to the words that mean the same.

/// An option that was given, with what its value names.
struct GivenOption {
  /// What the value of an option is.
  enum Meaning {
    case plain
    /// A picture, a video or a sequence with what is said about it, behind the name of an input where it has one.
    case picture, namedPicture
    case file, folder
    /// A value for a parameter, by name; it may be the path of a color table or a font.
    case setting
    /// A file that is written, perhaps behind the name of an output.
    case output
  }

  let name: String
  /// One for each time that the option was given; an empty list is a flag.
  let values: [String]
  let meaning: Meaning
}

extension RenderCommand {
  /// Every option that was given; what has its default is left out.
  ///
  /// Whoever adds an option to `etalon render` adds it here, too: a test compares this list with the help.
  var givenOptions: [GivenOption] {
    let standard = StandardValues.all
    var options: [GivenOption] = []
    func add(_ name: String, _ values: [String?], _ meaning: GivenOption.Meaning = .plain) {
      let values = values.compactMap(\.self)
      if !values.isEmpty { options.append(GivenOption(name: name, values: values, meaning: meaning)) }
    }
    func add(_ name: String, if isGiven: Bool) {
      if isGiven { options.append(GivenOption(name: name, values: [], meaning: .plain)) }
    }
    add("--library", libraries.library, .folder)
    add("-i", pictures.i, .picture)
    add("--input", pictures.input, .namedPicture)
    add("--sampler", pictures.sampler)
    add("--assets", [pictures.assets], .folder)
    add("--missing-input", [pictures.missingInput].filter { $0 != standard?.missingInput })
    add("--size", [pictures.size])
    add("--scale", [pictures.scale])
    add("--rate", [time.rate])
    add("--first", [time.first])
    add("--start", [time.start])
    add("--duration", [time.duration])
    add("--frames", [time.frames])
    add("--time", [time.time])
    add("--set", values.set, .setting)
    add("--mouse", [values.mouse])
    add("--events", [values.events], .file)
    add("--date", [values.date])
    add("--dialect", [running.dialect])
    add("--device", [running.device])
    add("--timeout", [running.timeout])
    add("--no-checkpoints", if: running.noCheckpoints)
    add("--bits", [files.bits])
    add("--alpha", [files.alpha])
    add("--format", [files.format])
    add("--working-space", [files.workingSpace])
    add("--compression", [files.compression].filter { $0 != standard?.compression })
    add("--codec", [video.codec])
    add("--quality", [video.quality])
    add("--preset", [video.preset])
    add("--hdr", [video.hdr])
    add("--hdr-white", [video.hdrWhite])
    add("--plays", [video.plays])
    add("--sound", [video.sound], video.sound == "none" ? .plain : .file)
    add("--sample-rate", [video.sampleRate])
    add("--window", [video.window])
    add("--late", [video.late])
    add("--strict", if: video.strict)
    add("--stream", [files.stream].filter { $0 != standard?.stream })
    add("-o", files.output, .output)
    add("--contact-sheet", [files.contactSheet])
    add("--resume", if: files.resume)
    add("--overwrite", if: files.overwrite)
    add("--shard", [farm.shard])
    add("--share", if: farm.share)
    add("--lapse", [farm.lapse])
    add("--checkpoints", [farm.checkpoints], .folder)
    add("--only-checkpoints", [farm.onlyCheckpoints])
    add("--warm-up", [farm.warmUp])
    add("--records", [farm.records], .folder)
    add("--openjd", if: farm.openJobDescription)
    add("--keep-going", if: running.keepGoing)
    add("--watch", if: running.watch)
    add("--json", if: running.json)
    add("--diagnostics", [running.diagnostics.rawValue].filter { $0 != standard?.diagnostics })
    add("--warnings-as-errors", if: running.warningsAsErrors)
    return options
  }

  /// The arguments that say the same.
  var words: [String] {
    var words = CommandWords(stages)
    for option in givenOptions {
      if option.values.isEmpty { words.add(option.name) } else { words.add(option.name, option.values) }
    }
    // Its values end where the next option begins.
    return words.words + (values.sweep.isEmpty ? [] : ["--sweep"] + values.sweep)
  }

  /// The same with paths and values told apart from the rest.
  var farmWords: [FarmWord] {
    stages.map { FarmWord(PathFinder.parts(ofStage: $0)) }
      + givenOptions.flatMap { option -> [FarmWord] in
        if option.values.isEmpty { return [FarmWord(option.name)] }
        return option.values.flatMap { value -> [FarmWord] in
          let parts = PathFinder.parts(of: value, option.meaning)
          if value.hasPrefix("-") { return [FarmWord([.text("\(option.name)=")] + parts)] }
          return [FarmWord(option.name), FarmWord(parts)]
        }
      }
  }
}

/// What options have that are not given; read once.
private struct StandardValues: Sendable {
  static let all = (try? RenderCommand.parse(["-"])).map(StandardValues.init)

  let missingInput: String
  let compression: String
  let stream: String
  let diagnostics: String

  private init(_ command: RenderCommand) {
    (missingInput, compression, stream) = (command.pictures.missingInput, command.files.compression, command.files.stream)
    diagnostics = command.running.diagnostics.rawValue
  }
}

/// Finds the paths in words of the command line.
enum PathFinder {
  static func parts(of value: String, _ meaning: GivenOption.Meaning) -> [FarmWord.Part] {
    switch meaning {
    case .plain: [.text(value)]
    case .picture: picture(value)
    case .namedPicture: behindName(value) { _, picture in Self.picture(picture) }
    case .file: [.file(value)]
    case .folder: [.folder(value.hasSuffix("/") ? value : value + "/")]
    case .setting: behindName(value) { name, value in isFile(value) ? [.file(value)] : [.value(value, of: name)] }
    case .output: output(value)
    }
  }

  private static func behindName(_ value: String, _ parts: (String, String) -> [FarmWord.Part]) -> [FarmWord.Part] {
    guard let equals = value.firstIndex(of: "=") else { return [.text(value)] }
    return [.text(String(value[...equals]))] + parts(String(value[..<equals]), String(value[value.index(after: equals)...]))
  }

  /// A picture with what is said about it: `plates/a.####.png,missing=hold`.
  private static func picture(_ text: String) -> [FarmWord.Part] {
    guard let picture = try? InputText.picture(text, for: nil, option: "-i"), text.hasPrefix(picture.path), !picture.path.isEmpty else {
      return [.text(text)]
    }
    let rest = String(text.dropFirst(picture.path.count)), tail = rest.isEmpty ? [] : [FarmWord.Part.text(rest)]
    guard picture.sequence != nil, let pattern = try? FramePattern(picture.path), pattern.hasNumber else {
      return isFile(picture.path) ? path(picture.path) + tail : [.text(text)]
    }
    return [.folder(pattern.folder), .text(pattern.fileName + rest)]
  }

  private static func output(_ text: String) -> [FarmWord.Part] {
    let path = OutputOption(text).path
    guard let place = text.range(of: path, options: .backwards), let pattern = try? FramePattern(path) else { return [.text(text)] }
    let before = String(text[..<place.lowerBound]), behind = String(text[place.upperBound...])
    return (before.isEmpty ? [] : [.text(before)]) + [.output(pattern.folder), .text(pattern.fileName + behind)]
  }

  /// A stage: a path, or words among which are paths, alone, in quotes or behind `name=`.
  static func parts(ofStage text: String) -> [FarmWord.Part] {
    if mayBePath(text), isFile(text) { return path(text) }
    var parts: [FarmWord.Part] = []
    for token in tokens(of: text) {
      let found = mayBePath(token) ? picture(token) : [.text(token)]
      if case .text(let plain)? = found.first, found.count == 1, case .text(let before)? = parts.last {
        parts[parts.count - 1] = .text(before + plain)
      } else {
        parts += found
      }
    }
    return parts
  }

  /// The words of a stage, and what stands between them; `name=` and quotes are not part of a word.
  private static func tokens(of text: String) -> [String] {
    var tokens = [""]
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if "\"'".contains(character), tokens.last?.isEmpty ?? true {
        quote = character
      }
      let endsName = character == "=" && quote == nil && tokens.last?.contains { ".,/".contains($0) } == false
      if endsName || character == quote || "\"'|".contains(character) || (character == " " && quote == nil) {
        tokens += ["\(character)", ""]
      } else {
        tokens[tokens.count - 1].append(character)
      }
    }
    return tokens.filter { !$0.isEmpty }
  }

  private static func mayBePath(_ text: String) -> Bool { text.contains { "./".contains($0) } }

  private static func isFile(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// A path that names a file or a folder.
  private static func path(_ path: String) -> [FarmWord.Part] {
    guard FolderEntry(path) == .folder else { return [.file(path)] }
    return [.folder(path.hasSuffix("/") ? path : path + "/")]
  }
}
