package import EtalonDiagnostics
package import EtalonGLSL
internal import Foundation

/// Puts the text of included files in the place of `#include "file"`; each token keeps the file it comes from.
package struct IncludeExpander {
  private let files: any FileProvider
  private let limits: TextLimits
  private var diagnostics: [Diagnostic] = []
  private var includeCount = 0
  /// What the limit on bytes leaves for further files.
  private var bytesLeft: Int
  /// The files being included, relative to the folder of the filter file; the first is the filter file.
  private var stack: [String] = []
  private var includedOnce: Set<String> = []
  /// How many `#if` are open around the place that is expanded, in all files of the stack.
  private var openConditions = 0
  private let folder: String

  /// Prepares to expand the includes of a file; `path` is how the user knows it.
  package init(path: String, files: any FileProvider, limits: TextLimits) {
    self.files = files
    self.limits = limits
    bytesLeft = limits.bytes
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    folder = parts.dropLast().map { $0 + "/" }.joined()
    stack = [parts.last.map(String.init) ?? path]
  }

  /// The tokens of a file with those of all files that it includes, and what is wrong with the includes.
  package mutating func expand(_ source: SourceText) -> (tokens: [Token], diagnostics: [Diagnostic]) {
    let tokens = expanded(Lexer.tokens(of: source))
    return (tokens, diagnostics)
  }

  /// The names that a text includes, as they are written.
  package static func names(in source: SourceText) -> [String] {
    let tokens = Lexer.tokens(of: source)
    return Directive.all(in: tokens).filter { $0.name == "include" }.compactMap { name(in: $0, tokens) }
  }

  /// The name in `#include "file"` or `#include <file>`; nil for anything else.
  package static func name(in include: Directive, _ tokens: [Token]) -> String? {
    // Readers of includes that go by lines let a semicolon behind the name pass.
    let operands = include.operands.last.map { tokens[$0].isMark(";") } ?? false ? include.operands.dropLast() : include.operands
    guard let first = operands.first, let last = operands.last else { return nil }
    if first == last { return tokens[first].kind == .string ? tokens[first].text.filter { $0 != "\"" } : nil }
    guard tokens[first].isMark("<"), tokens[last].isMark(">") else { return nil }
    return tokens[(first + 1)..<last].map(\.text).joined()
  }

  private mutating func expanded(_ tokens: [Token]) -> [Token] {
    let directives = Directive.all(in: tokens)
    guard directives.contains(where: { $0.name == "include" }) else { return tokens }
    let conditions = openConditions
    defer { openConditions = conditions }
    var result: [Token] = []
    var copied = 0
    for directive in directives {
      switch directive.name {
      case "if", "ifdef", "ifndef": openConditions += 1
      case "endif": openConditions -= 1
      case "include":
        result += tokens[copied..<directive.range.lowerBound]
        result += content(of: directive, in: tokens)
        copied = directive.range.upperBound
      default: break
      }
    }
    return result + tokens[copied...]
  }

  private mutating func content(of include: Directive, in tokens: [Token]) -> [Token] {
    let lineEnd = Token(.lineEnd, "\n")
    guard let operand = include.operands.first, let name = Self.name(in: include, tokens) else {
      let labels = tokens.labels(at: include.range.filter { tokens[$0].isSignificant }, "no file name in quotes")
      diagnostics.append(Diagnostic("glsl.include-syntax", "expected '#include \"file\"'", labels: labels))
      return [lineEnd]
    }
    let end = include.operands.last.flatMap { tokens[$0].origin?.range.upperBound }
    let origin = tokens[operand].origin.map { SourceRange($0.source, $0.range.lowerBound..<(end ?? $0.range.upperBound)) }
    let place = Token(.string, name, origin: origin)
    guard let path = path(of: name, at: place), mayInclude(path, at: place) else { return [lineEnd] }
    includeCount += 1
    guard let source = load(path, named: name, at: place) else { return [lineEnd] }
    stack.append(path)
    defer { stack.removeLast() }
    let content = Lexer.tokens(of: source)
    if saysOnce(content) || (openConditions == 0 && IncludeGuard.surrounds(content)) { includedOnce.insert(path) }
    return expanded(content) + [lineEnd]
  }

  /// The path relative to the folder of the filter file; nil and a diagnostic when it could lead out of it.
  private mutating func path(of name: String, at place: Token) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).filter { $0 != "." }
    var isInside = !name.isEmpty && !name.hasPrefix("/") && !name.contains("\\") && !name.contains("\0") && !parts.contains("")
    var path = Array((stack.last ?? "").split(separator: "/").dropLast())
    for part in parts {
      if part != ".." { path.append(part) } else if path.popLast() == nil { isInside = false }
    }
    guard isInside else {
      report(
        "glsl.include-outside", "cannot include '\(name)'", at: place, "leads out of the folder",
        help: ["put the file beside the shader and include it by its name"])
      return nil
    }
    return path.joined(separator: "/")
  }

  private mutating func mayInclude(_ path: String, at place: Token) -> Bool {
    if includedOnce.contains(path) { return false }
    if stack.contains(path) {
      let chain = (stack.drop { $0 != path } + [path]).joined(separator: " → ")
      report("glsl.include-cycle", "'\(path)' includes itself", at: place, "included again", notes: [chain])
      return false
    }
    if stack.count > limits.includeDepth {
      report("limit.include-depth", "includes are nested deeper than \(limits.includeDepth) files", at: place, "one too many")
      return false
    }
    if includeCount >= limits.includes {
      if includeCount == limits.includes {
        report("limit.includes", "more than \(limits.includes) files are included", at: place, "one too many")
        includeCount += 1
      }
      return false
    }
    return true
  }

  private mutating func load(_ path: String, named name: String, at place: Token) -> SourceText? {
    do throws(FileError) {
      let bytes = try files.bytes(at: path, atMost: bytesLeft)
      bytesLeft -= bytes.count
      return SourceText(path: folder + path, bytes: bytes)
    } catch {
      switch error {
      case .missing: report("glsl.include-missing", "cannot find '\(name)'", at: place, "no such file")
      case .outside: report("glsl.include-outside", "cannot include '\(name)'", at: place, "a link that leads out of the folder")
      case .tooLarge: report("limit.bytes", "included files have more than \(limits.bytes) bytes in all", at: place, "too large")
      case .unreadable(let why): report("glsl.include-unreadable", "cannot read '\(name)': \(why)", at: place, "not readable")
      }
      return nil
    }
  }

  private func saysOnce(_ tokens: [Token]) -> Bool {
    Directive.all(in: tokens).contains { $0.name == "pragma" && $0.operands.first.map { tokens[$0].isName("once") } == true }
  }

  private mutating func report(
    _ id: String, _ message: String, at token: Token, _ label: String, help: [String] = [], notes: [String] = []
  ) {
    let labels = token.origin.map { [$0.label(label)] } ?? []
    diagnostics.append(Diagnostic(id, message, labels: labels, help: help, notes: notes))
  }
}

/// The condition around all of a file that lets a compiler see it only once: `#ifndef NAME`, `#define NAME`, …, `#endif`.
///
/// Such a file need not be included twice, as one with `#pragma once`; libraries of small files would otherwise grow with every file that uses another.
private enum IncludeGuard {
  /// Whether nothing but comments and further includes stands outside of the condition.
  static func surrounds(_ tokens: [Token]) -> Bool {
    let directives = Directive.all(in: tokens).filter { $0.name != "include" && $0.name != "pragma" }
    guard let first = directives.first, directives.count >= 3, first.name == "ifndef", let name = first.operands.first,
      let macro = MacroDefinition(directives[1], in: tokens), macro.name == tokens[name].text, let last = directives.last,
      last.name == "endif"
    else { return false }
    var depth = 0
    for directive in directives {
      switch directive.name {
      case "if", "ifdef", "ifndef": depth += 1
      case "endif": depth -= 1
      case "else", "elif": if depth == 1 { return false }
      case "undef": if directive.operands.contains(where: { tokens[$0].text == macro.name }) { return false }
      default: break
      }
      if depth == 0, directive != last { return false }
    }
    return tokens.indices.allSatisfy { index in
      first.range.upperBound..<last.range.lowerBound ~= index || tokens[index].isInDirective || !tokens[index].isSignificant
    }
  }
}

// MARK: - whole texts

/// The tokens of some texts with those of everything they include.
package struct ExpandedText {
  package let tokens: [Token]
  /// What is wrong with the includes; while a file is missing, the names that the text has are unknown.
  package let includeDiagnostics: [Diagnostic]

  /// Reads a file; one that is too large, nests too deeply or grows too much under its macros is refused before anything else looks at it.
  package init(_ source: SourceText, files: any FileProvider, limits: TextLimits) throws(DiagnosticsError) {
    try self.init([source], files: files, limits: limits)
  }

  /// Reads texts that follow each other.
  package init(_ sources: [SourceText], files: any FileProvider, limits: TextLimits) throws(DiagnosticsError) {
    let check = LimitCheck(limits)
    let sizeDiagnostics = sources.flatMap(check.diagnostics)
    guard sizeDiagnostics.isEmpty else { throw DiagnosticsError(sizeDiagnostics) }
    var tokens: [Token] = []
    var includeDiagnostics: [Diagnostic] = []
    for source in sources {
      var expander = IncludeExpander(path: source.path, files: files, limits: limits)
      let expanded = expander.expand(source)
      tokens += (tokens.isEmpty ? [] : [Token(.lineEnd, "\n")]) + expanded.tokens
      includeDiagnostics += expanded.diagnostics
    }
    let growth = check.diagnostics(of: tokens)
    guard growth.isEmpty else { throw DiagnosticsError((includeDiagnostics + growth).inOrderOfPlaces) }
    self.tokens = tokens
    self.includeDiagnostics = includeDiagnostics
  }

  /// What is wrong with the texts whatever they mean: their includes, comments without an end, and characters that GLSL does not have.
  package var diagnostics: [Diagnostic] {
    includeDiagnostics + UnterminatedComment.diagnostics(in: tokens) + UnknownCharacters.diagnostics(in: tokens)
  }
}

// MARK: - files

/// Where included files come from.
package protocol FileProvider: Sendable {
  /// The bytes of a file, given by its path relative to the folder of the filter file; throws when it is missing, outside, too large or
  /// unreadable.
  func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8]

  /// The names of the files in the folder itself, sorted; none where they cannot be listed.
  func names() -> [String]
}

extension FileProvider {
  package func names() -> [String] { [] }
}

/// Why an included file cannot be had.
package enum FileError: Error, Sendable, Hashable {
  case missing
  /// The path leads out of the folder of the filter file, perhaps through a symbolic link.
  case outside
  case tooLarge
  case unreadable(String)
}

/// No files at all, for text that has no folder (standard input).
package struct NoFiles: FileProvider {
  package init() {}

  package func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] { throw .missing }
}

/// The files of one folder and of the folders in it; symbolic links must not lead out.
package struct FolderFiles: FileProvider {
  private let folder: String

  /// Names the folder of the filter file; an empty path is the current folder.
  package init(_ folder: String) { self.folder = folder.isEmpty ? "." : folder }

  package func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
    try read(file(at: path), atMost: limit)
  }

  /// The path of a file after all symbolic links; throws when it is missing or outside.
  package func realPath(of path: String) throws(FileError) -> String { try file(at: path).path }

  package func names() -> [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  private func file(at path: String) throws(FileError) -> URL {
    let root = URL(fileURLWithPath: folder, isDirectory: true).resolvingSymlinksInPath().standardizedFileURL
    var file = root.appendingPathComponent(path)
    if path.hasPrefix("/"), !FileManager.default.fileExists(atPath: file.path) { file = URL(fileURLWithPath: path) }
    guard FileManager.default.fileExists(atPath: file.path) else {
      let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)) != nil
      throw isLink ? .unreadable("a link that leads to no file") : .missing
    }
    let real = file.resolvingSymlinksInPath().standardizedFileURL
    guard real.pathComponents.starts(with: root.pathComponents) else { throw .outside }
    return real
  }

  private func read(_ file: URL, atMost limit: Int) throws(FileError) -> [UInt8] {
    if let text = UnsavedTexts.bytes(of: file.path) {
      guard text.count <= limit else { throw .tooLarge }
      return text
    }
    do {
      let isRegular = try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile ?? false
      guard isRegular else { throw FileError.unreadable("not a file") }
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else { throw FileError.tooLarge }
      return Array(data)
    } catch let error as FileError {
      throw error
    } catch {
      throw .unreadable(error.localizedDescription)
    }
  }
}
