/// Everything that can be said about graph documents without rendering them.
package enum GraphCheck {
  /// Checks what a document asks for: its filters, inputs and values, these on all of its frames.
  ///
  /// - Parameter request: reads the document.
  package static func check(_ path: String, _ request: () throws -> RenderRequest) -> FilterCheck.Result {
    FilterCheck.Result(path) { try ShotRenderer.check(try request()) }
  }
}
