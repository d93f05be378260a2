package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import Foundation

/// Reads a file of cases: one case, or several under `cases` that share the keys above them.
///
/// ```yaml
/// filter: gaussian-blur              # default: the filter that the file lies beside
/// inputs: { inputImage: checker.png }
/// size: 64x64
/// cases:
///   soft: { values: { sigma: 8 } }   # compared with soft.png
///   none: { values: { sigma: 0 }, invariants: identity }
/// ```
package struct CaseFileReader {
  /// What a file gave: its cases, and everything that is wrong with it.
  package struct Reading: Sendable {
    package var cases: [TestCase] = []
    package var diagnostics: [Diagnostic] = []
    /// Every file that a case names or has by its name, so that files which no case reads can be reported.
    package var files = NamedFiles()
  }

  private let source: SourceText
  /// The path of the filter or graph that the file lies beside; nil where there is none.
  private let owner: String?

  package init(_ source: SourceText, owner: String?) {
    self.source = source
    self.owner = owner
  }

  package func read() -> Reading {
    var reading = Reading()
    let tree: LocatedNode
    do throws(DiagnosticsError) { tree = try GraphDocumentReader.tree(of: source) } catch {
      reading.diagnostics = error.diagnostics
      return reading
    }
    guard let members = tree.members else {
      reading.diagnostics = [DocumentMembers.wrongForm(tree, named: "the file", expected: "keys with values").ofCase]
      return reading
    }
    if let list = members.first(where: { $0.key == "cases" }) {
      readCases(list, sharing: members.filter { $0.key != "cases" }, &reading)
    } else {
      add(CaseReader(name: stem, id: source.path, tree, source: source, owner: owner), to: &reading)
    }
    var known: Set<Diagnostic> = []
    reading.diagnostics = reading.diagnostics.map(\.ofCase).filter { known.insert($0).inserted }
    return reading
  }

  private var stem: String {
    let name = source.path.split(separator: "/").last.map(String.init) ?? source.path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  private func readCases(_ list: LocatedNode.Member, sharing shared: [LocatedNode.Member], _ reading: inout Reading) {
    guard let cases = list.value.members, !cases.isEmpty else {
      let isEmpty = list.value.members != nil
      let place = list.value.place
      let none = Diagnostic(
        "case.none", "'cases' has no case", labels: [place.label("empty")],
        help: ["write 'cases: { soft: { values: { sigma: 8 } } }'"])
      let form = DocumentMembers.wrongForm(
        list.value, named: "'cases'", expected: "names with keys", help: "write 'cases: { soft: { values: { sigma: 8 } } }'")
      reading.diagnostics.append(isEmpty ? none : form)
      return
    }
    for member in cases {
      guard GraphText.isOutputName(member.key) else {
        reading.diagnostics.append(
          Diagnostic(
            "case.name", "a case cannot be called '\(member.key)'",
            labels: [member.keyPlace.label("not a name")],
            help: ["begin with a letter, and use letters, digits, '-' and '_'"]))
        continue
      }
      guard let own = member.value.members ?? (member.value.scalar == "" ? [] : nil) else {
        reading.diagnostics.append(
          DocumentMembers.wrongForm(member.value, named: "the case '\(member.key)'", expected: "keys with values"))
        continue
      }
      let node = LocatedNode(.mapping(SharedKeys.merge(shared, own)), at: member.keyPlace)
      let id = "\(source.path):\(member.key)"
      add(CaseReader(name: member.key, id: id, node, source: source, owner: owner), to: &reading)
    }
  }

  private func add(_ reader: CaseReader, to reading: inout Reading) {
    var reader = reader
    if let found = reader.read() { reading.cases.append(found) }
    reading.diagnostics += reader.diagnostics
    reading.files.add(reader.files)
  }
}

/// The keys of a case with those that it shares with others.
enum SharedKeys {
  /// Of these, each member of a shared mapping can be replaced by itself.
  private static let mergedKeys = ["inputs", "values"]

  static func merge(_ shared: [LocatedNode.Member], _ own: [LocatedNode.Member]) -> [LocatedNode.Member] {
    let kept = shared.map { member in
      guard let replacement = own.first(where: { $0.key == member.key }) else { return member }
      guard mergedKeys.contains(member.key), let above = member.value.members, let below = replacement.value.members else {
        return replacement
      }
      return .init(
        key: member.key, keyPlace: replacement.keyPlace, value: LocatedNode(.mapping(merge(above, below)), at: replacement.value.place))
    }
    // A case with a graph of its own has no filter, and the other way round.
    let excluded = own.contains { $0.key == "graph" } ? "filter" : own.contains { $0.key == "filter" } ? "graph" : nil
    return kept.filter { $0.key != excluded } + own.filter { member in !shared.contains { $0.key == member.key } }
  }
}

extension Diagnostic {
  /// The same about a file of cases, where documents of all kinds share a message.
  var ofCase: Diagnostic {
    let own = id.hasPrefix("graph.") ? "case." + id.dropFirst(6) : id
    let message = message.replacing("the node 'result'", with: "the case")
    return Diagnostic(own, message, severity: severity, labels: labels, help: help, notes: notes)
  }
}

/// The files that cases read or write, by their paths.
package struct NamedFiles: Sendable, Hashable {
  private var paths: Set<String> = []
  private var references: Set<String> = []

  package init() {}

  /// Adds a picture or another file that a case reads.
  mutating func add(input path: String) { paths.insert(Self.located(path)) }

  /// Adds a stored picture; those for special devices belong to it.
  mutating func add(reference path: String) { references.insert(Self.located(path)) }

  mutating func add(_ other: NamedFiles) {
    paths.formUnion(other.paths)
    references.formUnion(other.references)
  }

  /// Whether some case reads a file, or compares pictures with it on some device.
  package func contains(_ path: String) -> Bool {
    let located = Self.located(path)
    return paths.contains(located) || references.contains(located) || specialKey(of: path) != nil
  }

  /// The kind of device that a picture is for which lies beside the one for all; nil for other files.
  func specialKey(of path: String) -> ReferenceKey? {
    let path = Self.located(path)
    guard !paths.contains(path), !references.contains(path), let (common, key) = ReferenceKey.split(path) else { return nil }
    return references.contains(common) ? key : nil
  }

  /// The name of a file in the folder where it lies, whatever links lead to that folder.
  private static func located(_ path: String) -> String {
    let url = URL(filePath: plain(path))
    return url.deletingLastPathComponent().resolvingSymlinksInPath().appending(path: url.lastPathComponent).path
  }

  /// A path without `.` and `..` in it, as far as they can be resolved.
  static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
