internal import Foundation

/// The command that opens a text at a line, as the user's environment names it.
package enum EditorCommand {
  /// The words of `VISUAL`, else of `EDITOR`; empty where neither is set.
  ///
  /// Words are separated by spaces, and may be quoted; nothing else is interpreted, because no shell reads them.
  package static func ofUser(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
    words(in: [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "")
  }

  /// The words of a text, without the quotes around some of them.
  static func words(in text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        (quote, word) = (character, word ?? "")
      } else if character == " " || character == "\t" {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// Editors that show themselves in the terminal that they were started from.
  private static let inTerminals: Set<String> = [
    "ed", "helix", "hx", "jed", "joe", "kak", "mg", "micro", "nano", "ne", "nvim", "pico", "vi", "vim",
  ]

  /// Whether a command needs a terminal, which it is not started in.
  static func needsTerminal(_ command: [String]) -> Bool {
    let name = command.first?.split(separator: "/").last.map(String.init) ?? ""
    if name == "emacs" || name == "emacsclient" { return !Set(command).isDisjoint(with: ["-nw", "-t", "--no-window-system", "--tty"]) }
    return inTerminals.contains(name)
  }

  /// The words with the place of a text, in the way that the editor understands.
  static func words(_ command: [String], file: String, line: Int, column: Int) -> [String] {
    if command.contains(where: { $0.contains("{file}") }) {
      return command.map {
        $0.replacing("{file}", with: file).replacing("{line}", with: "\(line)").replacing("{column}", with: "\(column)")
      }
    }
    let name = command.first?.split(separator: "/").last.map(String.init) ?? ""
    switch name {
    case "code", "codium", "cursor", "code-insiders": return command + ["--goto", "\(file):\(line):\(column)"]
    case "subl", "hx", "helix", "zed": return command + ["\(file):\(line):\(column)"]
    case "vi", "vim", "nvim", "gvim", "mvim", "nano", "emacs", "emacsclient", "micro", "kate", "gedit", "joe", "mg", "ne":
      if name == "kate" { return command + ["--line", "\(line)", "--column", "\(column)", file] }
      return command + ["+\(line)", file]
    default: return command + [file]
    }
  }
}
