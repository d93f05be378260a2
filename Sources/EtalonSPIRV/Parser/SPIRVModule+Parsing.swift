package import EtalonDiagnostics

extension SPIRVModule {
  /// Takes a module apart and checks it.
  ///
  /// Whatever the words are, this returns or throws: nothing that it finds is trusted before it is checked.
  package init(_ words: [UInt32]) throws(DiagnosticsError) {
    let scanner = try ModuleScanner(words)
    var tables = scanner.tables
    tables.firstFunction = tables.starts.firstIndex { $0.code.opcode == .OpFunction } ?? tables.starts.count
    var annotations = AnnotationReader()
    var globals = GlobalReader(tables: tables)
    for position in 0..<tables.firstFunction {
      let instruction = tables.instruction(position)
      try annotations.read(instruction, into: &globals.tables)
      try globals.read(instruction)
    }
    annotations.finish(&globals.tables)
    tables = globals.tables
    let functions = try Self.readFunctions(tables)
    self.init(
      header: scanner.header, capabilities: annotations.capabilities, extensions: annotations.extensions,
      extendedInstructionSets: annotations.extendedInstructionSets, entryPoints: annotations.entryPoints,
      globalVariables: globals.variables, functions: functions, tables: tables)
    try checkEntryPoints()
  }

  private static func readFunctions(_ tables: ModuleTables) throws(DiagnosticsError) -> [Function] {
    var functions: [Function] = []
    var callees: [Id: [Id]] = [:]
    var position = tables.firstFunction
    while position < tables.starts.count {
      var reader = FunctionReader(tables, at: position)
      let (function, end) = try reader.read()
      callees[function.id] = try FunctionChecker(tables, function, end: end).check()
      functions.append(function)
      position = end
    }
    try CallGraph(callees).checkAcyclic(functions, names: tables.names)
    return functions
  }

  private func checkEntryPoints() throws(DiagnosticsError) {
    for entryPoint in entryPoints {
      guard let instruction = definitionIfAny(entryPoint.function), instruction.opcode == .OpFunction,
        function(entryPoint.function).parameters.isEmpty
      else {
        throw ModuleMistake.error("entry-point", "entry point '\(entryPoint.name)' is no function without parameters")
      }
      for variable in entryPoint.interface where definitionIfAny(variable)?.opcode != .OpVariable {
        throw ModuleMistake.error("entry-point", "\(variable) in the interface of '\(entryPoint.name)' is no variable")
      }
    }
  }
}

extension SPIRVModule {
  /// The words of a file in either byte order; a rest of less than four bytes is an error.
  package static func words(_ bytes: [UInt8]) throws(DiagnosticsError) -> [UInt32] {
    guard bytes.count % 4 == 0 else {
      throw ModuleMistake.error("truncated", "a module is made of words of 4 bytes, this one has \(bytes.count) bytes")
    }
    let isSwapped = bytes.count >= 4 && bytes[0] == 0x07
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      let word = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return isSwapped ? word.byteSwapped : word
    }
  }
}
