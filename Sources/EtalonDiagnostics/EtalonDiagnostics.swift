// # EtalonDiagnostics
//
// What went wrong, and where.
//
// Comes in: the text of a file (`SourceText`) and byte ranges in it, from every other module.
// Goes out: text for people, JSON for programs, and an exit code.
// Carried by: `Diagnostic` for what a person wrote (id, message, labels with byte ranges, help, notes); `DiagnosticsError`, which throws several of
// them together; `RenderError` for what the machine did (code, operation, underlying code).
// Start reading: `Diagnostic.swift`, then `RenderError.swift` with its table of exit codes.
//
// - `Diagnostic.swift`         the value, and `SourceText`, which turns bytes into lines and columns
// - `DiagnosticPrinter.swift`  the only code that formats diagnostics: text with a caret, and versioned JSON
// - `NearestName.swift`        "did you mean", for every list of names
// - `RenderError.swift`        failures of devices, files and memory, and `ExitCode`
//
// A defect of Etalon itself is a `precondition`, or a `RenderError` of the code `internalError`, which ends a command with 70.
