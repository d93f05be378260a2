internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import Foundation

/// A picture or a sequence that a graph names.
struct GraphPicture {
  private let word: GraphText.Word
  private let fields: [LocatedNode.Member]
  private let folder: String

  init(_ word: GraphText.Word, _ fields: [LocatedNode.Member], folder: String) {
    self.word = word
    self.fields = fields
    self.folder = folder
  }

  func picture(for input: String) throws(DiagnosticsError) -> RenderRequest.InputPicture {
    let path = word.text.hasPrefix("/") ? word.text : folder + word.text
    if FileManager.default.fileExists(atPath: path), fields.isEmpty { return .init(input: input, path: path, written: word) }
    guard !fields.isEmpty else {
      do throws(DiagnosticsError) {
        let picture = try InputText.picture(path, for: input, option: word.text)
        return .init(input: input, path: picture.path, sequence: picture.sequence, written: word)
      } catch {
        throw DiagnosticsError(error.diagnostics.map(placed))
      }
    }
    let pattern: FramePattern
    do throws(DiagnosticsError) { pattern = try FramePattern(path, option: word.text) } catch {
      throw DiagnosticsError(error.diagnostics.map(placed))
    }
    guard pattern.hasNumber else {
      throw DiagnosticsError(
        Diagnostic(
          "sequence.no-number", "'\(word.text)' is a single picture, which has no '\(fields[0].key)'",
          labels: [.init(fields[0].keyPlace.source, fields[0].keyPlace.range, "for sequences")],
          help: ["a sequence has a place for the number of its pictures: 'plate.####.png'"]))
    }
    return .init(input: input, path: path, sequence: try SequenceTiming(fields.map(\.sequenceField)), written: word)
  }

  /// Fails when there is no such file, or none of the sequence.
  func checkIsThere() throws {
    let picture = try picture(for: "inputImage")
    let pattern = try picture.sequence.map { _ throws(DiagnosticsError) in try FramePattern(picture.path) }
    do throws(RenderError) {
      if let pattern {
        _ = try NumberedFiles(pattern)
      } else if !FileManager.default.fileExists(atPath: picture.path) {
        _ = try PictureReader().read(path: picture.path)
      }
    } catch {
      throw error.asked(at: word.label("asked for here"))
    }
  }

  /// A mistake in the word, where the word stands.
  private func placed(_ found: Diagnostic) -> Diagnostic {
    let labels = found.labels.map { label in
      let shift = word.place.range.lowerBound - folder.utf8.count
      let isVerbatim = word.place.range.count == word.text.utf8.count && label.range.lowerBound >= folder.utf8.count
      let range = isVerbatim ? label.range.lowerBound + shift..<label.range.upperBound + shift : word.place.range
      return Diagnostic.Label(word.place.source, range, label.message)
    }
    return Diagnostic(found.id, found.message, severity: found.severity, labels: labels, help: found.help, notes: found.notes)
  }
}

extension LocatedNode.Member {
  fileprivate var sequenceField: SequenceField {
    SequenceField(
      key: key, value: value.scalar ?? "", source: keyPlace.source, keyRange: keyPlace.range, valueRange: value.place.range)
  }
}
