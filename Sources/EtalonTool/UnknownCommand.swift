import ArgumentParser
import EtalonDiagnostics

/// Explains a first word that is no subcommand: a misspelling, or a shader without `render` before it.
enum UnknownCommand {
  /// What is wrong with the first argument; nil when it is an option or a subcommand.
  static func problem(with word: String?) -> UsageError? {
    guard let word, !word.isEmpty, !word.hasPrefix("-") else { return nil }
    let commands = EtalonCommand.configuration.subcommands
    guard word != "help", !commands.contains(where: { $0._commandName == word }) else { return nil }
    let names = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName } + ["help"]
    let isFile = word.contains(".") || word.contains("/")
    let help =
      isFile
      ? "type 'etalon render \(word) -o picture.png'"
      : NearestName.find(word, in: names).map { "did you mean '\($0)'?" } ?? "the commands are \(names.joined(separator: ", "))"
    return UsageError("usage.command", "etalon has no command '\(word)'", help: help)
  }
}

/// Explains words of the command line that are no UTF-8, as the names of files from old archives may be.
enum UnreadableWords {
  /// What is wrong with some words, escaped; nil when there are none.
  static func problem(with words: [String]) -> UsageError? {
    guard let first = words.first else { return nil }
    return UsageError(
      "usage.encoding", "the word '\(first)' is not UTF-8, so that no file can be opened by it",
      help: "rename the file: mv $'\(first)' \(first.replacing(/\\x[0-9A-F]{2}/, with: "_"))")
  }
}
