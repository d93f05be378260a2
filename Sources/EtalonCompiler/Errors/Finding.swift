internal import EtalonManifest

/// What a rule makes of one message of the compiler, before it is placed and weighed against the others.
struct Finding {
  /// A part of the text to point at.
  enum Mark {
    /// The tokens from one to another.
    case tokens(ClosedRange<Int>)
    /// The gap right behind a token, where something is missing.
    case after(Int)
    case source(SourceRange)
  }

  /// How it stands to the findings before it.
  enum Role {
    case cause
    /// Follows from an earlier mistake in the same statement or about the same name, if there is one.
    case consequence
  }

  /// What the compiler can no longer judge after it.
  enum Damage: Equatable {
    case nothing
    /// The types in the rest of the statement are guesses.
    case statement
    /// Whatever is done with the name is a guess, everywhere.
    case name(String)
    /// The body of the function that comes next is read as something else.
    case nextBody
    /// The rest of the text is.
    case rest
  }

  let id: String
  var message: String
  var mark: Mark?
  var label = ""
  var others: [(mark: Mark, label: String)] = []
  var help: [String] = []
  var notes: [String] = []
  var role = Role.cause
  var damage = Damage.nothing
}
