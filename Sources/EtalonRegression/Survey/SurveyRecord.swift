internal import Etalon
package import EtalonDiagnostics
internal import EtalonInspection
internal import EtalonMedia
package import EtalonTypes
internal import Foundation

/// What a survey knows about one filter.
///
/// A record grows while its filter is rendered: when that ends early, what is known until then is not lost.
package struct SurveyRecord: Sendable, Hashable, Codable {
  /// One frame on one device beside the same frame on the first device.
  package struct Frame: Sendable, Hashable, Codable {
    package let device: String
    package let frame: Int
    /// How many of 100 pixels agree with those of the first device; nil for the first device itself.
    package var agreement: Double?
    /// The largest difference of a channel, in levels of 8 bits.
    package var largest: Int?
    package var isFlat: Bool
    /// How many pixels have values that are no numbers, or infinite, before they become levels; nil for none.
    package var notFinite: Int?
    /// The picture as a PNG in base64.
    package var picture: String?
    /// Eight times the difference from the first device, with pixels beyond the limit in red.
    package var difference: String?
  }

  /// As people would name it: a path, with `:` and a line when it is one of many in a file.
  package var name: String
  /// What its author called it; nil where only the file has a name.
  package var title: String?
  /// Nil until the file was read.
  package var dialect: String?
  package var kind: String?
  /// Nil until everything was done.
  package var verdict: SurveyVerdict?
  /// Why, in one line; empty where the verdict is enough.
  package var reason = ""
  /// Everything that Etalon said about what is wrong, for people.
  package var diagnostics = ""
  package var frames: [Frame] = []
  /// What is being done; empty when everything was done.
  package var step = ""
  package var seconds = 0.0
  /// What to type to see the pictures.
  package var command = ""

  package init(name: String) { self.name = name }

  /// The share of pixels that agree where they agree least; nil when nothing was compared.
  package var agreement: Double? { frames.compactMap(\.agreement).min() }
  /// The largest difference of any frame.
  package var largest: Int? { frames.compactMap(\.largest).max() }

  /// The same without pictures, for those who read text.
  package var withoutPictures: SurveyRecord {
    var copy = self
    for index in copy.frames.indices {
      copy.frames[index].picture = nil
      copy.frames[index].difference = nil
    }
    return copy
  }
}

/// What a survey of one part of the filters says before its records, so that no part is missed when they are put together.
package struct SurveyPart: Sendable, Hashable, Codable {
  /// Such as `2/5`.
  package let shard: String
  /// How many filters all parts have together.
  package let filters: Int

  package init(_ shard: Shard, of filters: Int) { (self.shard, self.filters) = ("\(shard)", filters) }
}

extension SurveyRecord {
  private static let longestFile = 1 << 30

  /// The records of the files that surveys of all parts printed.
  ///
  /// A filter that occurs twice is an error, because its verdict would count twice, and so is a part that is missing.
  package static func read(_ paths: [String]) throws(RenderError) -> [SurveyRecord] {
    var records: [SurveyRecord] = []
    var parts: [SurveyPart] = []
    var found: [String: String] = [:]
    for path in paths {
      let lines = try FileReader.bytes(of: path, limit: longestFile).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where !line.isEmpty {
        if let part = try? JSONDecoder().decode(SurveyPart.self, from: Data(line)) {
          parts.append(part)
          continue
        }
        guard let record = try? JSONDecoder().decode(SurveyRecord.self, from: Data(line)) else {
          throw RenderError(
            .invalidInput, "line \(index + 1) of '\(path)' is no result of a survey",
            help: ["name files that 'etalon survey … --json' printed"])
        }
        if let other = found.updateValue(path, forKey: record.name) {
          throw RenderError(
            .invalidInput, "'\(record.name)' is in '\(path)' and in '\(other)'", help: ["name the file of each part once"])
        }
        records.append(record)
      }
    }
    try check(parts, records.count)
    return records
  }

  /// Refuses results that are not those of all parts of one survey.
  private static func check(_ parts: [SurveyPart], _ count: Int) throws(RenderError) {
    guard let first = parts.first else { return }
    let total = Shard(first.shard)?.count ?? 0
    let missing = (1...max(1, total)).filter { number in !parts.contains { $0.shard == "\(number)/\(total)" } }
    let differs = parts.contains { $0.filters != first.filters || Shard($0.shard)?.count != total }
    guard missing.isEmpty, !differs, count == first.filters else {
      let why =
        differs
        ? "they are parts of different surveys"
        : missing.isEmpty
          ? "they have \(count) of \(first.filters.of("filter"))"
          : "\(missing.map { "\($0)/\(total)" }.joined(separator: ", ")) \(missing.count == 1 ? "is" : "are") missing"
      throw RenderError(
        .invalidInput, "the results are not those of all parts", underlying: why,
        help: ["name the files of all parts of one survey, each of which ran to its end"])
    }
  }
}

// MARK: verdicts

/// What became of one filter of a survey.
package enum SurveyVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The devices show the same picture.
  case agrees
  /// There is a picture, and no second device to compare it with.
  case renders
  /// The devices differ where the last bit of an elementary function decides.
  case unstable
  /// The result has values that are no numbers, or infinite.
  case notFinite = "not-finite"
  /// Every device shows one single color.
  case flat
  /// It needs something that Etalon says it does not have, such as sound.
  case refused
  /// It needs a picture that was not given.
  case needsPicture = "needs-picture"
  /// The file is wrong, and a diagnostic says where.
  case defect
  /// The devices show different pictures.
  case differs
  /// There was no result within the time.
  case slow
  /// Etalon could not do it, or crashed.
  case failed

  /// Whether it makes a survey fail: the only reason that is known for it is a defect of Etalon.
  package var isFailure: Bool {
    switch self {
    case .differs, .slow, .failed: true
    case .agrees, .renders, .unstable, .notFinite, .flat, .refused, .needsPicture, .defect: false
    }
  }

  /// The id of the diagnostic for a text that makes a sound and no picture.
  static let onlySound = "shadertoy.only-sound"

  /// The ids of diagnostics that mean something is not supported, and nothing is wrong with the file.
  private static let refusedIds: Set<String> = [
    "shadertoy.unsupported-input", "shadertoy.sound-pass", "shadertoy.no-picture", onlySound, "isf.unsupported-input",
    "compute.unsupported",
  ]

  /// What an error means that ended a filter before there was a picture.
  init(of error: any Error) {
    switch error {
    case let error as DiagnosticsError:
      let ids = error.diagnostics.filter { $0.severity == .error }.map(\.id)
      if ids.contains(where: { $0.hasPrefix("internal.") }) {
        self = .failed
      } else {
        self = ids.contains(where: Self.refusedIds.contains) ? .refused : .defect
      }
    case let error as RenderError where error.code == .missingInput: self = .needsPicture
    case let error as RenderError where error.code == .invalidInput: self = .defect
    default: self = .failed
    }
  }
}

// MARK: summary

/// How many filters of each dialect got which verdict.
package struct SurveySummary: Sendable, Hashable {
  private var counts: [String: [SurveyVerdict: Int]] = [:]

  /// What files count as whose dialect is not known.
  static let unknown = "unknown"

  package init() {}

  package mutating func add(_ record: SurveyRecord) {
    counts[record.dialect ?? Self.unknown, default: [:]][record.verdict ?? .failed, default: 0] += 1
  }

  package var dialects: [String] { counts.keys.sorted() }
  /// The verdicts that occur, the best first.
  package var verdicts: [SurveyVerdict] { SurveyVerdict.allCases.filter { count(of: $0) > 0 } }

  /// How many filters of a dialect, or of all, have a verdict.
  package func count(of verdict: SurveyVerdict, dialect: String? = nil) -> Int {
    counts.filter { dialect == nil || $0.key == dialect }.reduce(0) { $0 + ($1.value[verdict] ?? 0) }
  }

  /// How many filters of a dialect, or of all, there are.
  package func count(dialect: String? = nil) -> Int {
    SurveyVerdict.allCases.reduce(0) { $0 + count(of: $1, dialect: dialect) }
  }

  /// How many make the survey fail.
  package var failureCount: Int { SurveyVerdict.allCases.filter(\.isFailure).reduce(0) { $0 + count(of: $1) } }

  /// The rows of a table: a head, a row for each dialect, and one for all where there are several.
  package var rows: [[String]] {
    let head = ["dialect", "filters"] + verdicts.map(\.rawValue)
    let body = dialects.map { row($0, $0) } + (dialects.count > 1 ? [row("all", nil)] : [])
    return [head] + body
  }

  private func row(_ title: String, _ dialect: String?) -> [String] {
    let all = count(dialect: dialect)
    return [title, "\(all)"]
      + verdicts.map { verdict in
        let number = count(of: verdict, dialect: dialect)
        return number == 0 ? "-" : "\(number) (\(Percentage(of: number, in: all)))"
      }
  }
}

/// A share in percent with one digit behind the point: `98.5 %`.
package struct Percentage: CustomStringConvertible {
  private let tenths: Int

  package init(of part: Int, in all: Int) { tenths = all == 0 ? 0 : (part * 1000 + all / 2) / all }

  package init(_ share: Double) { tenths = Int((share * 1000).rounded()) }

  package var description: String { tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %" }
}
