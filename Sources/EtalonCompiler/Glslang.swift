internal import CGlslang

/// The compiler and the validator as two functions on values; everything about C ends here.
enum Glslang {
  /// What one run of the compiler gave.
  struct Output: Sendable {
    /// The module, nil when there were errors.
    let words: [UInt32]?
    /// All errors and warnings, as the compiler wrote them.
    let log: String
    /// Whether it failed for lack of memory and not because of the text.
    let ranOut: Bool
  }

  /// Memory ran out, whatever is true of the module.
  struct OutOfMemory: Error {}

  /// What the validator has against a module.
  struct ValidatorMessage: Sendable, Hashable {
    let text: String
    /// The 1-based number of the instruction, nil when it is about the whole module.
    let instruction: Int?
  }

  /// Names the compiler that is linked, for the keys of caches, without starting it.
  static let identity = unsafe String(cString: cglslang_identity())

  /// The words of a shorter module that does the same; nil where the optimizer fails.
  static func optimize(_ words: [UInt32]) throws(OutOfMemory) -> [UInt32]? {
    let result = unsafe words.withUnsafeBufferPointer { unsafe cglslang_optimize($0.baseAddress, $0.count) }
    defer { unsafe cglslang_result_free(result) }
    if unsafe result.ran_out != 0 { throw OutOfMemory() }
    return unsafe result.words.map { unsafe Array(UnsafeBufferPointer(start: $0, count: result.word_count)) }
  }

  static func compile(_ text: [UInt8], fileName: String, macros: [String: String]) -> Output {
    let result = unsafe run(text, fileName: fileName, macros: macros, cglslang_compile)
    defer { unsafe cglslang_result_free(result) }
    let words = unsafe result.words.map { unsafe Array(UnsafeBufferPointer(start: $0, count: result.word_count)) }
    return unsafe Output(words: words, log: String(cString: result.log), ranOut: result.ran_out != 0)
  }

  /// The text with its macros expanded, each token at its line; nil where that fails.
  static func preprocess(_ text: [UInt8], fileName: String, macros: [String: String]) -> String? {
    let expanded = unsafe run(text, fileName: fileName, macros: macros, cglslang_preprocess)
    defer { unsafe cglslang_text_free(expanded) }
    return unsafe expanded.map { unsafe String(cString: $0) }
  }

  private static func run<Result>(
    _ text: [UInt8], fileName: String, macros: [String: String],
    _ body: (UnsafePointer<CChar>?, Int, UnsafePointer<CChar>?, UnsafePointer<CGlslangMacro>?, Int) -> Result
  ) -> Result {
    // One string with a terminator after each name and value; C gets pointers into it.
    var strings: [CChar] = []
    var offsets: [Int] = []
    for (name, value) in macros.sorted(by: { $0.key < $1.key }) {
      for part in [name, value] {
        offsets.append(strings.count)
        strings += part.utf8CString
      }
    }
    return unsafe strings.withUnsafeBufferPointer { strings in
      let macros = unsafe stride(from: 0, to: offsets.count, by: 2).map { index in
        unsafe CGlslangMacro(
          name: strings.baseAddress?.advanced(by: offsets[index]), value: strings.baseAddress?.advanced(by: offsets[index + 1]))
      }
      return unsafe macros.withUnsafeBufferPointer { macros in
        unsafe text.withUnsafeBytes { text in
          unsafe body(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, fileName, macros.baseAddress, macros.count)
        }
      }
    }
  }

  /// What is wrong with a module under the rules of Vulkan 1.1; nil when nothing is.
  static func validate(_ words: [UInt32]) throws(OutOfMemory) -> ValidatorMessage? {
    var instruction = 0
    var ranOut: Int32 = 0
    let text = unsafe words.withUnsafeBufferPointer { unsafe cglslang_validate($0.baseAddress, $0.count, &instruction, &ranOut) }
    defer { unsafe cglslang_text_free(text) }
    if ranOut != 0 { throw OutOfMemory() }
    guard let text = unsafe text else { return nil }
    return unsafe ValidatorMessage(text: String(cString: text), instruction: instruction > 0 ? instruction : nil)
  }
}

/// Takes the text of the shader out of a module's debug information; names and lines stay.
///
/// The compiler embeds the whole text that it was given. It is not read there, since lines are looked up in `TokenLines`, and it would make modules
/// larger for drivers and caches.
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
