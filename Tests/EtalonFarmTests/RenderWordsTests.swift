import ArgumentParser
import EtalonFarm
import Foundation
import Testing

@testable import EtalonTool

/// A parsed command gives back the words that mean the same.
@Suite struct RenderWordsTests {
  /// The options of `etalon help render`, each with all of its names and whether it takes a value.
  private static let options: [(names: [String], takesValue: Bool)] = RenderCommand.helpMessage(columns: 400).split(separator: "\n")
    .compactMap { line in
      guard let found = line.firstMatch(of: /^  ((?:-[^ ,]+(?:, )?)+)( <)?/) else { return nil }
      return (found.output.1.split(separator: ", ").map(String.init), found.output.2 != nil)
    }

  @Test func theHelpHasOptions() {
    #expect(Self.options.count > 50)
    #expect(Self.options.contains { $0.names == ["--strict"] && !$0.takesValue })
    #expect(Self.options.contains { $0.names == ["-r", "--rate", "--fps"] && $0.takesValue })
  }

  /// An option that is not in `givenOptions` would be lost on a farm, and in what a preview copies.
  @Test(arguments: options.filter { !$0.names.contains("--help") && !$0.names.contains("--version") }) func noOptionIsLost(
    option: (names: [String], takesValue: Bool)
  ) throws {
    let value = option.names.contains("--diagnostics") ? "json" : "7"
    let typed = [option.names[0]] + (option.takesValue ? [value] : [])
    let words = try RenderCommand.parse(["plasma"] + typed).words
    try #require(words.count == 1 + typed.count, "\(typed) became \(words)")
    #expect(words[0] == "plasma")
    #expect(option.names.contains(words[1]))
    #expect(!option.takesValue || words[2] == value)
  }

  @Test func valuesStayAsTheyWereTyped() throws {
    let typed = [
      "photo.png", "blur sigma=(2 + 3*progress)", "--start=-2", "-r", "23.976", "--set", "text=a b", "-o", "m=x.png,bits=16", "--resume",
    ]
    let words = try RenderCommand.parse(typed).words
    #expect(
      words == [
        "photo.png", "blur sigma=(2 + 3*progress)", "--rate", "23.976", "--start=-2", "--set", "text=a b", "-o", "m=x.png,bits=16",
        "--resume",
      ])
  }

  @Test func sweepsKeepTheirValues() throws {
    let words = try RenderCommand.parse(["plasma", "--sweep", "sigma", "1", "2", "-o", "x.png"]).words
    #expect(words == ["plasma", "-o", "x.png", "--sweep", "sigma", "1", "2"])
    #expect(try RenderCommand.parse(words).values.sweep == ["sigma", "1", "2"])
  }

  // MARK: paths

  /// A folder with files, in which no process works: paths are absolute.
  private static let folder: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "etalon-words-\(getpid())").path
    try? FileManager.default.createDirectory(atPath: "\(path)/project", withIntermediateDirectories: true)
    for name in ["photo.png", "my photo.png", "a=b.png", "look.cube", "plasma.glsl"] {
      try? Data("x".utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }
    atexit { try? FileManager.default.removeItem(atPath: RenderWordsTests.folder) }
    return path
  }()

  @Test(arguments: [
    ("FOLDER/photo.png", "<FOLDER/photo.png>"),
    ("FOLDER/my photo.png", "<FOLDER/my photo.png>"),
    ("FOLDER/photo.png,layer=a", "<FOLDER/photo.png>,layer=a"),
    ("FOLDER/plasma.glsl speed=2.5", "<FOLDER/plasma.glsl> speed=2.5"),
    ("blend-with-mask background=FOLDER/photo.png mode=2", "blend-with-mask background=<FOLDER/photo.png> mode=2"),
    ("over \"FOLDER/my photo.png\" at=1.5,2.5", "over \"<FOLDER/my photo.png>\" at=1.5,2.5"),
    ("over background='FOLDER/my photo.png'", "over background='<FOLDER/my photo.png>'"),
    ("FOLDER/photo.png | vignette amount=0.9", "<FOLDER/photo.png> | vignette amount=0.9"),
    ("FOLDER/project", "[FOLDER/project/]"),
    ("FOLDER/plates/a.####.png,missing=hold", "[FOLDER/plates/]a.####.png,missing=hold"),
    ("gaussian-blur sigma=(1.5 + 2/3)", "gaussian-blur sigma=(1.5 + 2/3)"),
    ("missing/photo.png", "missing/photo.png"),
  ]) func pathsInStagesAreFound(stage: String, expected: String) {
    let text = stage.replacing("FOLDER", with: Self.folder)
    let word = FarmWord(PathFinder.parts(ofStage: text))
    #expect(shown(word) == expected.replacing("FOLDER", with: Self.folder))
  }

  @Test func pathsInOptionsAreFound() throws {
    let folder = Self.folder
    let command = try RenderCommand.parse([
      "plasma", "-i", "\(folder)/photo.png", "--input", "b=\(folder)/a=b.png", "--library", folder, "--set", "lut=\(folder)/look.cube",
      "--set",
      "sigma=2.5", "--sound", "none", "-o", "m=out/a.####.png,bits=16", "-o", "b.png",
    ])
    #expect(
      command.farmWords.map(shown) == [
        "plasma", "--library", "[\(folder)/]", "-i", "<\(folder)/photo.png>", "--input", "b=<\(folder)/a=b.png>", "--set",
        "lut=<\(folder)/look.cube>", "--set", "sigma={2.5}", "--sound", "none", "-o", "m=(out/)a.####.png,bits=16", "-o", "()b.png",
      ])
  }

  private func shown(_ word: FarmWord) -> String {
    word.parts.map { part in
      switch part {
      case .text(let text): text
      case .file(let path): "<\(path)>"
      case .folder(let path): "[\(path)]"
      case .output(let path): "(\(path))"
      case .value(let value, _): "{\(value)}"
      }
    }.joined()
  }
}
