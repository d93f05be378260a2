/// What stands before the types of a module: capabilities, imports, entry points, names and decorations.
struct Annotations: Sendable {
  var capabilities: [UInt32] = []
  var extensions: [String] = []
  var extendedInstructionSets: [Id: String] = [:]
  var entryPoints: [SPIRVModule.EntryPoint] = []
  var names: [Id: String] = [:]
  var memberNames: [Id: [Int: String]] = [:]
  var decorations: [Id: [SPIRVModule.DecorationRecord]] = [:]
  var executionModes: [Id: [SPIRVModule.ExecutionMode]] = [:]
  /// The texts of `OpString`s.
  var files: [Id: String] = [:]
}
