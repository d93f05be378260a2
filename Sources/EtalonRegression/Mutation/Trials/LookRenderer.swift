internal import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes

/// Renders filters as somebody looks at them, from the files of one folder.
struct LookRenderer {
  /// What there was to see.
  enum Outcome {
    case pictures([(moment: String, picture: PixelBuffer)])
    case refused
    case tooSlow

    var isTooSlow: Bool { if case .tooSlow = self { true } else { false } }
  }

  let library: FilterLibrary
  /// Where a file lies in that folder.
  let path: (String) -> String
  private let renderer: CaseRenderer
  private let device: TestDevice

  /// - Parameter place: where a file lies that the task names.
  init(_ libraries: [String], timeout: Double?, place: @escaping (String) -> String) throws(RenderError) {
    path = place
    library = FilterLibrary(try LibrarySearch(named: libraries.map(place)))
    renderer = CaseRenderer(device: "cpu", library: library, timeout: timeout)
    device = try TestDevice(option: "cpu")
  }

  func outcome(of look: Look) -> Outcome {
    do {
      let frames = try frames(look)
      return .pictures(frames.map { ($0.moment.text, $0.levels(bits: 8)) })
    } catch let error as RenderError where error.code.isTemporary {
      return .tooSlow
    } catch {
      return .refused
    }
  }

  private func frames(_ look: Look) throws -> [RenderedFrame] {
    var files: [String: [TestCase]] = [:]
    guard var testCase = TestWorker.load(look.template.moved(path), &files) else {
      throw RenderError(.missingInput, "there is no case '\(look.template.id)'")
    }
    let first = try renderer.request(for: testCase).clock.first
    testCase.moments = look.frames.map { .frame(first + $0) }
    // A shot of their own.
    testCase.momentsOfShot = testCase.moments
    if !testCase.isPlain, !look.settings.isEmpty { testCase = testCase.setting(look.settings) }
    testCase.size = look.size ?? testCase.size
    let settings = testCase.isPlain ? look.settings.map { RenderRequest.Setting(name: $0.key, value: $0.value) } : []
    return try renderer.frames(of: testCase) { $0.settings += settings }
  }

  /// What some cases bear, each tolerance once.
  func tolerances(of cases: [WorkerMessage.Reference]) -> [Tolerance] {
    var files: [String: [TestCase]] = [:]
    let found = cases.compactMap { TestWorker.load($0.moved(path), &files) }.map {
      ($0.tolerances.tolerance(on: device) ?? .exact).inLevels(.bits8, comparesFloats: $0.comparesFloats)
    }
    return found.isEmpty ? [.exact] : Array(Set(found))
  }
}
