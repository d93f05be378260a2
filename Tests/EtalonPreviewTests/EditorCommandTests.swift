import Testing

@testable import EtalonPreview

/// The words that open a text at a line.
@Suite struct EditorCommandTests {
  @Test func wordsAreSplitAsAShellWouldWithoutDoingMore() {
    #expect(EditorCommand.ofUser(["VISUAL": "code --wait", "EDITOR": "vi"]) == ["code", "--wait"])
    #expect(EditorCommand.ofUser(["VISUAL": "", "EDITOR": "'my editor' -n \"$(touch x)\""]) == ["my editor", "-n", "$(touch x)"])
    #expect(EditorCommand.ofUser([:]).isEmpty)
  }

  @Test func editorsThatNeedATerminalAreKnown() {
    for words in [["vim"], ["/usr/bin/nano", "-w"], ["emacs", "-nw"]] { #expect(EditorCommand.needsTerminal(words), "\(words)") }
    for words in [["code", "--wait"], ["emacs"], ["xterm", "-e", "vim", "{file}"], []] {
      #expect(!EditorCommand.needsTerminal(words), "\(words)")
    }
  }

  @Test(arguments: [
    (["vim"], ["vim", "+3", "/a b.glsl"]), (["code", "--wait"], ["code", "--wait", "--goto", "/a b.glsl:3:7"]),
    (["hx"], ["hx", "/a b.glsl:3:7"]), (["unknown"], ["unknown", "/a b.glsl"]),
    (["ed", "{file}", "at={line}.{column}"], ["ed", "/a b.glsl", "at=3.7"]),
  ]) func placeIsWrittenAsTheEditorReadsIt(command: [String], words: [String]) {
    #expect(EditorCommand.words(command, file: "/a b.glsl", line: 3, column: 7) == words)
  }
}
