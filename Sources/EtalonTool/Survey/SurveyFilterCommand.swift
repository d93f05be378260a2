import ArgumentParser
import Etalon
import EtalonDiagnostics

/// `etalon survey-filter`: surveys one filter and prints a record in JSON for every step.
///
/// A survey runs it in a process of its own for every filter.
struct SurveyFilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "survey-filter", abstract: "Surveys one filter and prints JSON; 'etalon survey' runs it.", shouldDisplay: false)

  @Argument var filter: String
  @OptionGroup var options: SurveyOptions

  func run() throws {
    let settings: SurveySettings
    do { settings = try options.settings() } catch {
      throw ArgumentParser.ExitCode(FailureReport(format: .text).exitCode(for: error).rawValue)
    }
    var survey = FilterSurvey(filter, settings) { StandardOutput.write(JSONText.text($0)) }
    survey.run()
  }
}
