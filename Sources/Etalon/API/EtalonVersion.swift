internal import EtalonCompiler
@_exported public import EtalonDiagnostics
@_exported public import EtalonTypes

/// The version of Etalon, in the form of semver.org.
public enum EtalonVersion {
  /// What `etalon --version` prints and what pictures are marked with.
  public static let current = "0.1.0"

  /// The parts of the compiler with their versions.
  package static var compiler: String { CompilerFacts.text }
}
