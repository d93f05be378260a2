// # EtalonTool
//
// The command `etalon`: parses the command line and prints; decides nothing.
//
// Comes in: arguments, standard input, signals.
// Goes out: text or JSON on standard output, diagnostics on standard error, an exit code.
// Carried by: one `ParsableCommand` for each command; `RenderRequest` for what is rendered; `FailureReport` for errors.
// Start reading: `EtalonCommand.swift` (the list of commands), then `Rendering/RenderCommand.swift` and `Rendering/RenderRequestParser.swift`.
//
// - `Rendering/`  render, plan, sanitize, probe
// - `Library/`    list, describe, check, check-sequence, new, import
// - `Testing/`    test, approve, mutate, survey, compare
// - `OptionText.swift`      texts of options as values, with a place for each error
// - `StandardStreams.swift` whole lines of several threads, tables, JSON
// - `Interruption.swift`    signals become a `Cancellation`; no code runs inside a signal handler
//
// Rules: results go to standard output, all else to standard error. What commands print is pinned by `Tests/EtalonToolTests/Transcripts`.
