package import EtalonDiagnostics
package import EtalonTypes

/// A GLSL expression that was written outside of a shader: an animated value, a size, a constraint.
package struct GLSLExpression: Sendable, Hashable {
  /// Where the expression was written.
  package struct Place: Sendable, Hashable {
    package let source: SourceText
    /// UTF-8 byte offsets into `source`.
    package let range: Range<Int>

    package init(_ source: SourceText, _ range: Range<Int>) {
      self.source = source
      self.range = range
    }
  }

  /// GLSL without its enclosing parentheses.
  package let text: String
  /// The type of the value that is wanted; no matrix.
  package let type: ValueType
  /// Nil for an expression that Etalon made.
  package let place: Place?

  package init(_ text: String, as type: ValueType, place: Place?) {
    precondition(type.componentCount <= 4, "expressions give scalars and vectors")
    self.text = text
    self.type = type
    self.place = place
  }
}

/// Something that evaluates GLSL expressions.
package protocol ExpressionEvaluator: Sendable {
  /// Compiles expressions over some names together; errors are told at their places, unknown names with the nearest known one.
  ///
  /// Whole numbers in an expression, and names of type `int`, are read as floats unless a whole number is wanted.
  func compile(_ expressions: [GLSLExpression], names: [String: ValueType]) throws -> any CompiledExpressions
}

/// Expressions that are ready to be evaluated.
///
/// **Concurrency**: usable from every thread; evaluations take turns.
package protocol CompiledExpressions: Sendable {
  /// The value of each expression, in the order in which they were given.
  ///
  /// - Parameter names: a value for every name that was declared, of the declared type.
  func values(_ names: [String: Value]) throws(RenderError) -> [Value]

  /// The values of the expressions for each of several sets of names, in fewer runs than one by one.
  func values(_ names: [[String: Value]]) throws(RenderError) -> [[Value]]
}

extension CompiledExpressions {
  package func values(_ names: [[String: Value]]) throws(RenderError) -> [[Value]] {
    try names.map { names throws(RenderError) in try values(names) }
  }
}
