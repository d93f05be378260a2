/// The exit codes of every command, after `sysexits.h` where it has a word for it.
public enum ExitCode: Int32, Sendable, CaseIterable {
  /// Fine; warnings may have been printed.
  case success = 0
  /// Pictures differ.
  case picturesDiffer = 1
  /// The command line makes no sense (`EX_USAGE`).
  case usage = 64
  /// A filter, value or graph is wrong (`EX_DATAERR`).
  case invalidInput = 65
  /// An input is missing (`EX_NOINPUT`).
  case missingInput = 66
  /// No usable device (`EX_UNAVAILABLE`).
  case noDevice = 69
  /// A mistake of Etalon's own (`EX_SOFTWARE`).
  case internalError = 70
  /// A result cannot be written (`EX_CANTCREAT`).
  case cannotWrite = 73
  /// Some frames failed under `--keep-going` (`EX_IOERR`).
  case someFramesFailed = 74
  /// Device lost, time-out or no memory: try again (`EX_TEMPFAIL`).
  case tryAgain = 75

  /// The exit code of a failure.
  public init(_ code: RenderError.Code) {
    self =
      switch code {
      case .usage: .usage
      case .invalidInput, .endlessLoop: .invalidInput
      case .missingInput: .missingInput
      case .noDevice: .noDevice
      case .cannotWrite: .cannotWrite
      case .someFramesFailed: .someFramesFailed
      case .timedOut, .deviceLost, .outOfMemory, .interrupted, .tryAgain: .tryAgain
      case .internalError: .internalError
      }
  }
}
