package import EtalonDiagnostics

extension SPIRVModule {
  /// Takes a module apart and checks it.
  ///
  /// Whatever the words are, this returns or throws: nothing that it finds is trusted before it is checked.
  package init(_ words: [UInt32]) throws(DiagnosticsError) {
    let scanner = try ModuleScanner(words)
    let instructions = scanner.instructions
    let firstFunction = instructions.records.firstIndex { $0.code.opcode == .OpFunction } ?? instructions.records.count
    var annotations = AnnotationReader()
    var globals = GlobalReader(instructions, idBound: scanner.header.idBound)
    for position in 0..<firstFunction {
      let instruction = instructions.instruction(position)
      try annotations.read(instruction)
      try globals.read(instruction)
    }
    let functions = try Self.readFunctions(instructions, globals.types, annotations.annotations.names, from: firstFunction)
    self.init(
      ModuleContent(
        header: scanner.header, instructions: instructions, lines: scanner.lines, annotations: annotations.annotations,
        types: globals.types,
        globalVariables: globals.variables, firstFunction: firstFunction, functions: functions))
    try checkEntryPoints()
  }

  private static func readFunctions(
    _ instructions: InstructionTable, _ types: TypeTable, _ names: [Id: String], from firstFunction: Int
  ) throws(DiagnosticsError) -> [Function] {
    var functions: [Function] = []
    var callees: [Id: [Id]] = [:]
    var position = firstFunction
    while position < instructions.records.count {
      var reader = FunctionReader(instructions, types, at: position)
      let (function, end) = try reader.read()
      callees[function.id] = try FunctionChecker(instructions, types, firstFunction: firstFunction, function, end: end).check()
      functions.append(function)
      position = end
    }
    try CallGraph(callees).checkAcyclic(functions, names: names)
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
