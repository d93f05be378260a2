/// The global variables through which a fused kernel and its stages hand each other values.
///
/// They have the same names on both sides, and linking makes one variable of each.
enum StageVariables {
  /// The pixel of the invocation, which stages only read.
  static let pixel = "etalonPixel"
  /// The color that a stage leaves behind.
  static let result = "etalonStageResult"

  /// The color that a stage is given for an argument.
  static func argument(_ index: Int) -> String { "etalonArgument\(index)" }
}
