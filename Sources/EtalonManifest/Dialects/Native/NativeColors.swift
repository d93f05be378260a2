/// Writes the arguments of a color kernel: colors of images at the pixel, or what earlier stages of a fused kernel left.
struct NativeColors {
  /// The expressions that read the images.
  private let reads: [String]

  init(_ reads: [String]) { self.reads = reads }

  /// The variables through which a fused kernel hands colors over.
  var declarations: String {
    reads.indices.map { index in
      """
      #ifdef \(StoreVariant.macro(ofLinked: index))
      vec4 \(StageVariables.argument(index));
      #endif

      """
    }.joined()
  }

  /// A variable for each argument.
  var variables: String {
    reads.enumerated().map { index, read in
      """
      #ifdef \(StoreVariant.macro(ofLinked: index))
        vec4 etalonColor\(index) = \(StageVariables.argument(index));
      #else
        vec4 etalonColor\(index) = \(read);
      #endif

      """
    }.joined()
  }

  /// The arguments of the call.
  var names: String { reads.indices.map { "etalonColor\($0)" }.joined(separator: ", ") }
}
