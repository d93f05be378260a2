internal import EtalonTypes

/// What a person asks of a scheduler.
package struct JobSettings: Sendable, Hashable {
  package var name: String
  package var cpus = 1
  /// In MiB; nil asks for none.
  package var memory: Int?
  package var gpus = 0
  /// The longest that a task may take, in seconds.
  package var timeLimit: Int?
  /// The command that nodes run.
  package var command: String
  /// Variables that the command needs on nodes, as on this machine.
  package var environment: [String: String] = [:]
  package var slurm = Slurm()

  /// What only Slurm is asked.
  package struct Slurm: Sendable, Hashable {
    /// How many chunks may run at once.
    package var throttle: Int?
    package var partition: String?
    package var account: String?
    /// Further words of `#SBATCH`.
    package var lines: [String] = []

    package init() {}
  }

  package init(name: String, command: String) { (self.name, self.command) = (name, command) }
}

extension JobSettings {
  /// Reads `512M`, `4G`, `1T` as MiB; nil for anything else.
  package static func memory(_ text: String) -> Int? {
    let units: [Character: Int] = ["M": 1, "G": 1 << 10, "T": 1 << 20]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), (1...1 << 20).contains(number) else { return nil }
    return number * unit
  }

  /// Reads `02:00:00` or `1-12:00:00` as seconds; nil for anything else.
  package static func seconds(_ text: String) -> Int? {
    guard let found = text.wholeMatch(of: /(?:([0-9]{1,3})-)?([0-9]{1,3}):([0-5][0-9]):([0-5][0-9])/) else { return nil }
    let (days, hours) = (found.output.1.flatMap { Int($0) } ?? 0, Int(found.output.2) ?? 0)
    let (minutes, seconds) = (Int(found.output.3) ?? 0, Int(found.output.4) ?? 0)
    let total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return total > 0 ? total : nil
  }

  /// The time limit as Slurm reads it: `02:00:00`.
  var timeLimitText: String? {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return timeLimit.map { "\(two($0 / 3600)):\(two($0 / 60 % 60)):\(two($0 % 60))" }
  }
}
