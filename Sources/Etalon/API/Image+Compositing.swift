internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

extension Image {
  /// One color that covers everything, as far as somebody looks.
  ///
  /// ```swift
  /// let orange = try Image.color("#ff8800")
  /// let veil = try Image.color([0, 0, 0, 0.5])
  /// ```
  /// - Parameter color: red, green, blue and alpha, straight and sRGB-encoded; or as text. It may change over time.
  public static func color(_ color: ParameterValue, fileID: String = #fileID, line: Int = #line) throws -> Image {
    try Image(Filter(ImageKernels.color), ["color": color], fileID: fileID, line: line)
  }

  /// This image over another one; it covers what both cover.
  public func composited(over background: Image) throws(DiagnosticsError) -> Image {
    let inputs = ["inputImage": input, "backgroundImage": background.input]
    let recipe = try recipe.applying(ImageOperation.over.filter, [:], inputs: inputs, label: "over")
    return Image(recipe, supplies: supplies.merging(background.supplies))
  }

  /// A transition from this image to another one.
  ///
  /// ```swift
  /// let fade = try day.transition(to: night, with: library["dissolve"])
  /// ```
  /// Throws `DiagnosticsError` for a filter that is no transition, otherwise like ``applying(_:_:inputs:)``.
  ///
  /// - Parameter progress: from 0 to 1; nil runs over the frames that are rendered.
  public func transition(
    to end: Image, with filter: Filter, progress: ParameterValue? = nil, _ values: [String: ParameterValue] = [:],
    fileID: String = #fileID, line: Int = #line
  ) throws -> Image {
    guard filter.kind == .transition else {
      throw DiagnosticsError(
        Diagnostic(
          "input.transition", "'\(filter.name)' is no transition, but a \(filter.kind.rawValue)",
          help: ["a transition reads 'startImage' and 'endImage'; apply other filters with 'applying'"]))
    }
    var values = values
    if let progress { values["progress"] = progress }
    return try Image(filter, values, inputs: ["startImage": self, "endImage": end], fileID: fileID, line: line)
  }
}
