/// Words of a command line for a shell.
package enum ShellWord {
  /// The word, in quotes where a shell would see more than a word.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-_./,=+:@%".utf8.contains(byte)
      }
    return isPlain ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
