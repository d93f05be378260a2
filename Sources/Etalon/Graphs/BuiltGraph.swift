internal import EtalonDiagnostics
internal import EtalonGraph

/// A graph that somebody wrote, with its filters loaded and its pictures opened.
struct BuiltGraph: Sendable {
  var image: ImageGraph
  /// What the streams of the graph show, by their names.
  let sources: [String: any PictureSource]
  let subject: ShotSubject
}

/// What a shot is made of, as files about it say.
struct ShotSubject: Sendable {
  /// The name of the filter, or of the filters that the result comes from.
  var name: String
  /// The values that somebody gave, by parameter; in a graph by `node.parameter`.
  var values: [String: String]
  var warnings: [Diagnostic]
  /// Filters, includes, pictures and tracks, as paths that can be watched.
  var files: [String]
  /// What stands in for inputs whose picture or sound is missing, by input; in a graph by `node.input`.
  var standIns: [String: String] = [:]
}
