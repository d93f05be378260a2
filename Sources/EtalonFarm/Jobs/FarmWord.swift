/// A word of `etalon render` in parts: a scheduler may put something else in the place of some of them.
///
/// ```
/// plates/a.####.png,missing=hold   →   folder 'plates/', text 'a.####.png,missing=hold'
/// sigma=6                          →   text 'sigma=', value '6' of 'sigma'
/// ```
package struct FarmWord: Sendable, Hashable {
  package enum Part: Sendable, Hashable {
    case text(String)
    /// The path of a file that is read.
    case file(String)
    /// The path of a folder that is read, with its last slash; empty for the working folder.
    case folder(String)
    /// The path of a folder that is written into, with its last slash; empty for the working folder.
    case output(String)
    /// What is typed for a parameter of the filter or the graph.
    case value(String, of: String)

    /// Whether it is a folder that is read.
    var isFolder: Bool { if case .folder = self { true } else { false } }

    /// Whether it is a path.
    var isPlace: Bool {
      switch self {
      case .file, .folder, .output: true
      case .text, .value: false
      }
    }

    /// The part as it was typed.
    package var typed: String {
      switch self {
      case .text(let text), .file(let text), .folder(let text), .output(let text), .value(let text, _): text
      }
    }
  }

  package let parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  /// A word in which nothing is replaced.
  package init(_ text: String) { parts = [.text(text)] }

  /// The word as it was typed.
  package var typed: String { parts.map(\.typed).joined() }

  /// The word with something else in the place of some parts; nil keeps what was typed.
  package func replacing(_ replacement: (Part) -> String?) -> String { parts.map { replacement($0) ?? $0.typed }.joined() }
}
