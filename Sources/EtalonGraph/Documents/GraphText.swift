package import EtalonDiagnostics
package import EtalonManifest

/// A graph as somebody wrote it, in a document or as stages of a command line, before any file is opened: all texts with their places.
///
/// **Concurrency**: an immutable value.
package struct GraphText: Sendable, Hashable {
  /// A word with its place.
  package struct Word: Sendable, Hashable {
    package let text: String
    package let place: SourceRange

    package init(_ text: String, at place: SourceRange) {
      self.text = text
      self.place = place
    }
  }

  /// Where the picture of an input comes from.
  package enum Origin: Sendable, Hashable {
    /// Another node or an input of the graph, by its name.
    case node(Word)
    /// What a node showed a frame ago, by its name.
    case before(Word)
    /// A picture, a numbered sequence or a sound, by its path, with what is said about it (`rate`, `missing`, …).
    case file(Word, fields: [LocatedNode.Member])
  }

  /// A picture for an image input of a node.
  package struct Input: Sendable, Hashable {
    /// Nil means the first that the filter reads.
    package let name: Word?
    package let origin: Origin
    /// Whether the picture is there only because its node comes before: a node that reads none, or has another one there, does without.
    package let isImplied: Bool

    package init(name: Word?, origin: Origin, isImplied: Bool = false) {
      self.name = name
      self.origin = origin
      self.isImplied = isImplied
    }
  }

  /// A value for a parameter of a node.
  package struct Setting: Sendable, Hashable {
    package let name: Word
    package let value: LocatedNode

    package init(name: Word, value: LocatedNode) {
      self.name = name
      self.value = value
    }
  }

  /// One application of a filter or of an image operation.
  package struct Node: Sendable, Hashable {
    /// Unique in the graph; made up for a stage that has none.
    package let name: Word
    /// The name of a filter, the path of a filter file or of a graph, or an image operation.
    package let filter: Word
    package var inputs: [Input]
    package var settings: [Setting]
    /// Whether it was written as a stage, on the command line or in a chain of a document.
    package let isStage: Bool

    package init(name: Word, filter: Word, inputs: [Input] = [], settings: [Setting] = [], isStage: Bool = false) {
      self.name = name
      self.filter = filter
      self.inputs = inputs
      self.settings = settings
      self.isStage = isStage
    }
  }

  /// A picture that leaves the graph.
  package struct Output: Sendable, Hashable {
    /// `main` where there is only one.
    package let name: Word
    package let origin: Origin
    /// Where its frames go; nil where the command line says it.
    package var file: Word?
    package var alpha: Word?
    package var bits: Word?

    package init(name: Word, origin: Origin, file: Word? = nil, alpha: Word? = nil, bits: Word? = nil) {
      self.name = name
      self.origin = origin
      self.file = file
      self.alpha = alpha
      self.bits = bits
    }
  }

  /// A value of a node that can be set from outside under another name.
  package struct Parameter: Sendable, Hashable {
    package let name: Word
    /// `node.parameter`, one or several that have the same value.
    package let targets: [Word]
    package var label: Word?
    /// Takes the place of the value that the node has in the document.
    package var initial: LocatedNode?
    /// Narrow the range that the filter declares.
    package var minimum: Word?
    package var maximum: Word?

    package init(name: Word, targets: [Word], label: Word? = nil) {
      self.name = name
      self.targets = targets
      self.label = label
    }
  }

  /// A node that was written as stages.
  package struct Chain: Sendable, Hashable {
    /// The name of what the last stage gives.
    package let name: Word
    /// Each may hold several stages, with ` | ` between them.
    package let stages: [Word]

    package init(name: Word, stages: [Word]) {
      self.name = name
      self.stages = stages
    }
  }

  /// `size`, `rate`, `first`, `start`, `frames`, `duration`, `format`, `workingSpace`: as written.
  package var clock: [String: Word] = [:]
  /// What it tells people.
  package var about = FilterManifest.About()
  package var inputs: [String: Origin] = [:]
  /// The inputs whose pictures come from whoever applies the graph, in the order of the text.
  package var openInputs: [Word] = []
  package var nodes: [Node] = []
  /// Nodes that whoever knows the filters has to put in the place of their stages.
  package var chains: [Chain] = []
  package var outputs: [Output] = []
  package var parameters: [Parameter] = []
  /// What relative paths start from, with a slash at its end; empty is the working folder.
  package var folder = ""
  /// The documents that it was read from, as paths that can be watched.
  package var documents: [String] = []
  /// What reading the documents found wrong; a graph with mistakes lacks parts, and is good for nothing but finding more of them.
  package var mistakes: [Diagnostic] = []

  package init() {}

  /// Whether an output can have a name, so that `-o name=file.png` can be typed for it.
  package static func isOutputName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "-"), !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}
