extension Int {
  /// So many of something: `1 pixel`, `12 pixels`.
  ///
  /// - Parameter plural: what several are called, where an `s` is not enough.
  package func of(_ singular: String, _ plural: String? = nil) -> String { "\(self) \(self == 1 ? singular : plural ?? singular + "s")" }
}
