/// What a plan does to save work; none of it changes what a picture shows, beside the rounding of what is stored in between.
package struct PlanOptions: Sendable, Hashable {
  /// Whether nodes are computed inside their readers where that is possible.
  package var fuses: Bool
  /// Whether nodes that all frames have in common are computed once, before the first one.
  package var hoists: Bool
  /// Whether only those parts of pictures are computed that somebody reads.
  package var crops: Bool
  /// Whether passes say how far they read, for those who watch them.
  package var statesReach = false

  package init(fuses: Bool = true, hoists: Bool = true, crops: Bool = true) {
    self.fuses = fuses
    self.hoists = hoists
    self.crops = crops
  }
}
