/// Takes the text of the shader out of a module's debug information; names and lines stay.
///
/// The compiler embeds the whole text that it was given. Nobody reads it there, since lines are looked up in `TokenLines`, and drivers and
/// caches would carry it along.
enum SourceStripper {
  private static let headerWords = 5
  private static let opSourceContinued: UInt32 = 2
  private static let opSource: UInt32 = 3
  private static let opModuleProcessed: UInt32 = 330
  /// `OpSource` without its optional text: the opcode, language, version and file.
  private static let wordsOfSourceWithFile = 4

  static func strip(_ words: [UInt32]) -> [UInt32] {
    guard words.count >= headerWords else { return words }
    var out = Array(words[..<headerWords])
    out.reserveCapacity(words.count)
    var index = headerWords
    while index < words.count {
      let count = Int(words[index] >> 16)
      guard count > 0, count <= words.count - index else { return words }
      let instruction = words[index..<index + count]
      switch words[index] & 0xFFFF {
      case opSourceContinued, opModuleProcessed: break
      case opSource where count > wordsOfSourceWithFile:
        out.append(UInt32(wordsOfSourceWithFile) << 16 | opSource)
        out += instruction.dropFirst().prefix(wordsOfSourceWithFile - 1)
      default: out += instruction
      }
      index += count
    }
    return out
  }
}
