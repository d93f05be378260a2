package import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation

/// What an image input shows.
struct InputImage {
  let recipe: ImageRecipe
  let size: Size
  /// What the streams of the recipe show, by their names; empty for a still picture.
  let sources: [String: any PictureSource]
  /// How it is read where that differs from the filter's own wish.
  let sampler: Sampler?

  init(_ recipe: ImageRecipe, size: Size, sources: [String: any PictureSource] = [:], sampler: Sampler? = nil) {
    (self.recipe, self.size, self.sources, self.sampler) = (recipe, size, sources, sampler)
  }

  init(_ picture: PixelBuffer, label: String) {
    self.init(ImageRecipe(.picture(picture), label: label), size: picture.size)
  }

  /// As an input of an application of a filter.
  var input: FilterUse.Input { FilterUse.Input(recipe, address: sampler?.address, interpolation: sampler?.interpolation) }
}

/// Finds the picture for every image input that a filter reads.
struct InputResolver {
  /// The pictures by input, and what is worth saying about them.
  struct Result {
    var images: [String: InputImage]
    /// What the streams of all images show, by their names.
    var sources: [String: any PictureSource] { images.values.reduce(into: [:]) { $0.merge($1.sources) { first, _ in first } } }
    var warnings: [Diagnostic]
    /// What stands in for a picture or a sound that is missing, by input.
    var standIns: [String: String]
  }

  let request: RenderRequest
  let filter: LoadedFilter
  /// The inputs that show what other filters make.
  var fed: Set<String> = []
  /// Whether inputs without a picture are for others to judge.
  var mayMiss = false
  var reader = PictureCache()
  private var manifest: FilterManifest { filter.manifest }

  func resolve() throws -> Result {
    try checkNames()
    var images: [String: InputImage] = [:]
    var warnings: [Diagnostic] = []
    var standIns: [String: String] = [:]
    for change in request.samplers where !manifest.inputs.contains(where: { $0.name == change.input }) {
      warnings.append(
        Diagnostic("input.unread", "'\(manifest.name)' does not read '\(change.input)', so '--sampler' changes nothing", severity: .warning)
      )
    }
    var collector = DiagnosticCollector()
    var unnamed = unnamedInputs[...]
    for assignment in request.inputs {
      guard let name = assignment.input ?? unnamed.popFirst()?.name,
        let input = manifest.inputs.first(where: { $0.name == name && ($0.isRead || $0.name == mainInput?.name) })
      else {
        if assignment.input == nil, !open.isEmpty { throw tooMany(assignment) }
        warnings.append(unread(assignment))
        continue
      }
      if images[name] != nil { throw twice(name) }
      try collector.attempt {
        do {
          if input.data != nil || input.shape != .flat { try refuseChoice(assignment, input) }
          if let kind = input.data {
            let data = try DataFile(assignment, kind, for: input).picture(reader)
            images[name] = InputImage(data, label: label(of: assignment, for: input))
          } else if input.shape != .flat {
            let labels = assignment.written.map { [$0.label("a \(input.shape.rawValue)")] } ?? []
            images[name] = InputImage(
              try SolidPicture(input, reader: reader, labels: labels).picture(assignment), label: label(of: assignment, for: input))
          } else if let source = try source(assignment, for: input) {
            images[name] = image(of: source, for: input, file: assignment)
            warnings += (source as? VideoSource)?.file.notes ?? (source as? SequenceSource)?.pictureNotes ?? []
          } else {
            let picture = try reader.picture(assignment.path, assignment.choice)
            images[name] = InputImage(picture, label: label(of: assignment, for: input))
            warnings += reader.notes(on: assignment.path)
            try SoundTextureRule(input).check(picture, assignment, isNode: mayMiss)
          }
        } catch let error as RenderError {
          throw assignment.written.map { error.asked(at: $0.label("asked for here")) } ?? error
        }
      }
    }
    try collector.check()
    let brought = BroughtPictures(filter.folder, reader: reader)
    for input in unfed where images[input.name] == nil {
      if request.standIns.contains(.testCards), brought.isMissing(input) { continue }
      if let path = try brought.path(of: input), let source = try moving(path, for: input) {
        images[input.name] = image(of: source, for: input, file: nil)
        continue
      }
      guard let picture = try brought.picture(of: input) else { continue }
      images[input.name] = InputImage(picture, label: input.name)
    }
    if let folder = try request.assets.map({ path throws(RenderError) in try AssetFolder(path) }) {
      for input in unfed where images[input.name] == nil && input.isRead {
        if let media = input.media, let path = try folder.file(media), let source = try moving(path, for: input) {
          images[input.name] = image(of: source, for: input, file: nil)
        }
        guard case .asset(let asset) = input.origin, let picture = try folder.picture(asset, for: input) else { continue }
        images[input.name] = InputImage(picture, label: input.name)
      }
    }
    if request.standIns.contains(.lookalikes) {
      let lookalikes = Lookalikes(for: unfed.filter { images[$0.name] == nil && $0.isRead }, isNode: mayMiss)
      images.merge(lookalikes.images) { given, _ in given }
      standIns.merge(lookalikes.records) { known, _ in known }
      warnings += lookalikes.notes
    }
    if request.standIns.contains(.testCards) {
      let result = resultSize(of: images)
      for input in unfed where images[input.name] == nil {
        images[input.name] = InputImage(testCard(for: input, result: result), label: input.name)
        warnings.append(testCardWarning(input))
        standIns[input.name] = testCardRecord(for: input)
      }
    }
    if !mayMiss { try checkNothingIsMissing(images) }
    return Result(images: images, warnings: warnings, standIns: standIns)
  }

  /// What an input shows of pictures that move.
  ///
  /// - Parameter file: what it was asked for as; nil for what the filter brings along.
  private func image(of source: any InputSource, for input: FilterInput, file: RenderRequest.InputPicture?) -> InputImage {
    let named = mayMiss ? (source as? SoundSource)?.name ?? file?.streamName ?? input.name : input.name
    let stream = source.stream(named: named)
    let isListening = source is SoundSource && file != nil
    return InputImage(
      ImageRecipe(.stream(stream), label: file.map { label(of: $0, for: input) } ?? input.name), size: stream.size,
      sources: source.sources(of: stream), sampler: isListening ? soundSampler(of: input) : nil)
  }

  /// What messages call the picture of an input: in a graph the file, else the input.
  private func label(of file: RenderRequest.InputPicture, for input: FilterInput) -> String { mayMiss ? file.label : input.name }

  private var unfed: [FilterInput] { manifest.inputs.filter { !fed.contains($0.name) } }

  /// What shows something else from frame to frame; nil for a single picture.
  private func source(_ picture: RenderRequest.InputPicture, for input: FilterInput) throws -> (any InputSource)? {
    if let timing = picture.video {
      if let sound = try sound(picture.path, for: input) {
        if timing != VideoTiming() { throw cutSound(picture, for: input) }
        return sound
      }
      return try VideoSource(reader.video(picture.path, timing, for: request), timing, in: request.clock, written: picture.written)
    }
    guard let timing = picture.sequence else { return try moving(picture.path, for: input) }
    return try SequenceSource(
      FramePattern(picture.path), timing, picture.choice, for: SequenceSource.asItIs, in: request.clock, times: request.wantedTimes,
      written: picture.written)
  }

  /// A sound is heard from its beginning on; a part of it would not be the one that a player plays.
  private func cutSound(_ picture: RenderRequest.InputPicture, for input: FilterInput) -> DiagnosticsError {
    let path = ShellWord.quoted(picture.path)
    return DiagnosticsError(
      Diagnostic(
        "sound.part", "'\(input.name)' listens to the sound of '\(picture.path)' from its beginning on, and it was given a part or a speed",
        labels: picture.written.map { [$0.label("only a part")] } ?? [],
        help: ["cut the sound first: ffmpeg -ss 2 -i \(path) -vn part.wav", "or name the file alone: \(input.name)=\(path)"]))
  }

  /// The sound or the video in a file; nil for a single picture.
  private func moving(_ path: String, for input: FilterInput) throws -> (any InputSource)? {
    if let sound = try sound(path, for: input) { return sound }
    guard input.shape == .flat, VideoFile.isVideo(path) else { return nil }
    var timing = VideoTiming()
    // What a site or a filter brings along plays as there: again and again.
    timing.loop = .repeat
    return try VideoSource(reader.video(path, timing, for: request), timing, in: request.clock)
  }

  /// The sound in a file; nil for other files, and for an input that shows no sound.
  private func sound(_ path: String, for input: FilterInput) throws -> SoundSource? {
    // Loose ShaderToy files do not say what their channels are.
    guard let layout = input.sound ?? (manifest.dialect == .shaderToy && input.shape == .flat ? .player : nil) else { return nil }
    // An input that listens hears the sound of a video; one that may show a picture shows its pictures.
    guard SoundFile.isSound(path) || input.sound != nil && VideoFile.isVideo(path) else { return nil }
    return SoundSource(try SoundFile(path, isStrict: request.isStrict), for: input.name, as: layout)
  }

  /// A player does not repeat sounds, nor make mipmaps of them.
  private func soundSampler(of input: FilterInput) -> Sampler {
    let isUnsaid = input.sound == nil && !request.samplers.contains { $0.input == input.name }
    return isUnsaid ? Sampler(.linear, .clamp) : input.sampler
  }

  /// The input that gives the result its size.
  private var mainInput: FilterInput? { manifest.mainInput }

  /// The inputs for pictures and sounds of a person.
  private var open: [FilterInput] { manifest.inputs.filter { $0.origin == .user && $0.isRead } }

  /// The inputs that `-i` means, one after the other: the main one, those that show pictures, and those that listen, without those that are named.
  private var unnamedInputs: [FilterInput] {
    var all = [mainInput].compactMap(\.self) + open.filter { $0.sound == nil } + open.filter { $0.sound != nil }
    // A cube or a volume of the site is what the shader shows where it reads nothing else.
    if all.isEmpty { all = manifest.inputs.filter { $0.shape != .flat && $0.isRead && $0.needsPicture } }
    let named = request.inputs.compactMap(\.input)
    return all.reduce(into: []) { inputs, input in
      if !named.contains(input.name), !inputs.contains(where: { $0.name == input.name }) { inputs.append(input) }
    }
  }

  /// The size of the result: what was asked for, that of the main picture that was given, or the usual one.
  private func resultSize(of images: [String: InputImage]) -> Size {
    request.size ?? mainInput.flatMap { images[$0.name]?.size } ?? ImageGraph.usualSize
  }

  /// A test card, or silence for an input that shows a sound.
  ///
  /// It is as large as the picture that is missing, where that is known; pictures of the site, faces of cubes and slices of volumes are squares, and any other
  /// picture has the size of the result. Each face and slice is a card with its number.
  private func testCard(for input: FilterInput, result: Size) -> PixelBuffer {
    if let sound = input.sound { return SoundSource.silence(sound) }
    guard case .asset(let asset) = input.origin else {
      return input.shape == .flat
        ? TestCard.picture(named: input.name, size: result) : SolidPicture.testCard(named: input.name, input.shape)
    }
    guard input.shape == .flat else { return SolidPicture.testCard(named: input.name, input.shape, size: asset.size) }
    return TestCard.picture(named: input.name, size: asset.size ?? Size(512, 512))
  }

  /// What files say about it: `test-card`, or with the title of the picture in whose place it stands.
  private func testCardRecord(for input: FilterInput) -> String {
    if input.sound != nil { return "silence" }
    guard case .asset(let asset) = input.origin else { return "test-card" }
    return "test-card: \(asset.title ?? asset.fileName)"
  }

  private func testCardWarning(_ input: FilterInput) -> Diagnostic {
    if input.sound != nil {
      return Diagnostic(
        "input.silence", "silence stands in for the sound of input '\(input.name)'", severity: .warning,
        labels: input.place.map { [$0.label("silence")] } ?? [])
    }
    var what = "its picture"
    if case .asset(let asset) = input.origin { what = "'\(asset.title ?? asset.fileName)'" }
    return Diagnostic(
      "input.test-card", "a test card stands in for \(what) of input '\(input.name)'", severity: .warning,
      labels: input.place.map { [$0.label("a test card")] } ?? [])
  }

  /// Inputs that the dialect does not have are refused; inputs that the text merely does not read get a warning.
  private func checkNames() throws(DiagnosticsError) {
    let named = request.inputs.compactMap(\.input).map { ("--input", $0) } + request.samplers.map { ("--sampler", $0.input) }
    let unknown = named.filter { !manifest.channelNames.contains($0.1) }
    guard !unknown.isEmpty else { return }
    throw DiagnosticsError(
      unknown.map { option, name in
        let nearest = NearestName.find(name, in: manifest.channelNames)
        return Diagnostic(
          "input.unknown", "'\(manifest.name)' has no image input '\(name)', which '\(option)' names",
          help: [nearest.map { "did you mean '\($0)'?" } ?? "its image inputs are \(list(manifest.channelNames))"])
      })
  }

  private func checkNothingIsMissing(_ images: [String: InputImage]) throws(RenderError) {
    let missing = manifest.inputs.filter { images[$0.name] == nil }
    guard let first = missing.first else { return }
    let isMain = images.isEmpty && missing.count == 1
    let options = missing.map { input in
      "--input \(input.name)=\(input.sound != nil ? "song.wav" : input.shape == .flat ? "photo.jpg" : SolidPicture.example(of: input.shape))"
    }
    let example = isMain && first.sound == nil && first.shape == .flat ? "-i photo.jpg" : options.joined(separator: " ")
    let files = missing.compactMap { input -> String? in
      if case .asset(let asset) = input.origin { return asset.title.map { "'\($0)' (\(asset.fileName))" } ?? asset.fileName }
      return input.media.flatMap { $0.path.hasPrefix("/") && !$0.path.hasPrefix("/presets/") ? $0.fileName : nil }
    }
    var help = [
      "type '\(example)'"
        + (missing.contains { $0.shape == .cube } ? ", with the other five faces of the cube, 'sky_1.png' to 'sky_5.png', beside it" : "")
    ]
    if !files.isEmpty {
      let folder = request.assets.map { "'\($0)'" } ?? "a folder and name it with '--assets'"
      help.append("or put these files of the site into \(folder): \(Set(files).sorted().joined(separator: ", "))")
    }
    if !request.standIns.contains(.lookalikes), missing.contains(where: { Lookalikes.original(of: $0) != nil }) {
      help.append("or type '--missing-input lookalike' for pictures and sounds of Etalon's that are like those of the site")
    }
    help.append("or type '--missing-input test-card' to see the filter without")
    throw RenderError(
      .missingInput,
      "'\(manifest.name)' reads \(list(missing.map(\.name))), and no \(first.sound == nil ? "picture" : "sound") was given for \(missing.count == 1 ? "it" : "them")",
      help: help)
  }

  private func twice(_ name: String) -> DiagnosticsError {
    let paths = request.inputs.filter { $0.input == name }.map(\.path)
    return DiagnosticsError(Diagnostic("input.twice", "'\(name)' has two pictures, \(list(paths))", help: ["keep one of them"]))
  }

  /// Files of data, cubes and volumes are read as they are.
  private func refuseChoice(_ assignment: RenderRequest.InputPicture, _ input: FilterInput) throws(DiagnosticsError) {
    guard let key = assignment.choice.keys.first else { return }
    let what = input.data?.words ?? "a \(input.shape.rawValue)"
    let reason = key == "space" ? "whose numbers nothing converts" : "which has no parts and no layers"
    throw DiagnosticsError(
      Diagnostic(
        "picture.\(key)", "'\(input.name)' reads \(what), \(reason), and '\(assignment.path)' has '\(key)'",
        labels: assignment.written.map { [$0.label(what)] } ?? [], help: ["leave out '\(key)'"]))
  }

  private func tooMany(_ assignment: RenderRequest.InputPicture) -> DiagnosticsError {
    let names = list(open.map(\.name)), count = open.count.of("picture")
    return DiagnosticsError(
      Diagnostic(
        "input.too-many", "'\(manifest.name)' reads \(count), and '\(assignment.path)' is one more",
        help: ["keep \(open.count) of them; its \(open.count == 1 ? "image input is" : "image inputs are") \(names)"]))
  }

  private func unread(_ assignment: RenderRequest.InputPicture) -> Diagnostic {
    let message =
      assignment.input.map { "'\(manifest.name)' does not read '\($0)', so '\(assignment.path)' is not used" }
      ?? "'\(manifest.name)' reads no picture, so '\(assignment.path)' is not used"
    return Diagnostic("input.unread", message, severity: .warning, labels: assignment.written.map { [$0.label("not used")] } ?? [])
  }

  private func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}

// MARK: what is typed

/// Reads what a person types for an image input: the path of a picture or a video, or the pattern of a sequence, and when its pictures show.
///
/// ```
/// photo.png
/// clip.mp4,from=10s,loop=repeat
/// plate.####.png
/// plate.%04d.png,rate=24,first=1001,missing=hold
/// plate.####.exr,layer=diffuse
/// ```
package enum InputText {
  /// - Parameter option: what the text belongs to, such as `-i`.
  package static func picture(_ text: String, for input: String?, option: String) throws(DiagnosticsError) -> RenderRequest.InputPicture {
    // A file may have any name, also one that looks like a pattern.
    if FileManager.default.fileExists(atPath: text) {
      return .init(input: input, path: text, video: VideoFile.isVideo(text) ? VideoTiming() : nil)
    }
    let source = SourceText(path: option, text: text)
    let fields = fields(of: source)
    if let stream = try stream(source, fields, for: input, option: option) { return stream }
    let end = fields.first.map { $0.keyRange.lowerBound - 1 } ?? source.bytes.count
    let path = String(decoding: source.bytes[..<end], as: UTF8.self)
    guard try FramePattern(path, option: option).hasNumber else {
      guard !fields.isEmpty else { return .init(input: input, path: text) }
      if VideoFile.isVideo(path) { return .init(input: input, path: path, video: try timing(fields, of: path)) }
      guard let field = fields.first(where: { !$0.choosesPicture }) else {
        return .init(input: input, path: path, choice: try PictureChoice(fields))
      }
      throw DiagnosticsError(
        Diagnostic(
          "sequence.no-number", "'\(path)' is a single picture, which has no '\(field.key)'",
          labels: [.init(source, field.keyRange, "for sequences")],
          help: ["a sequence has a place for the number of its pictures: 'plate.####.png,\(field.key)=\(field.value)'"]))
    }
    let timing = try SequenceTiming(fields.filter { !$0.choosesPicture })
    return .init(input: input, path: path, choice: try PictureChoice(fields), sequence: timing)
  }

  /// A stream, a pipe or a camera; nil for a file.
  private static func stream(
    _ source: SourceText, _ fields: [SequenceField], for input: String?, option: String
  ) throws(DiagnosticsError) -> RenderRequest.InputPicture? {
    let end = fields.first.map { $0.keyRange.lowerBound - 1 } ?? source.bytes.count
    let path = String(decoding: source.bytes[..<end], as: UTF8.self)
    if let wrong = StreamAddress.diagnostic(path, option: option) { throw DiagnosticsError(wrong) }
    guard VideoFile.isStream(path) else { return nil }
    return .init(input: input, path: path, video: try timing(fields, of: path))
  }

  /// What is said about a video; sizes, rates and formats only of cameras.
  static func timing(_ fields: [SequenceField], of path: String) throws(DiagnosticsError) -> VideoTiming {
    if StreamAddress(path)?.kind != .camera, let field = fields.first(where: VideoTiming.isOfCamera) {
      throw DiagnosticsError(
        Diagnostic(
          "video.not-a-camera", "a video has no '\(field.key)', which can only be asked of a camera",
          labels: [.init(field.source, field.keyRange, "for cameras")],
          help: ["what can be said is \(VideoTiming.keys.map { "'\($0)'" }.joined(separator: ", "))"]))
    }
    return try VideoTiming(fields)
  }

  /// A text without what stands behind the name of the file.
  static func path(_ text: String, exists: (String) -> Bool) -> String {
    guard !exists(text) else { return text }
    let source = SourceText(path: "", text: text)
    return fields(of: source).first.map { String(decoding: source.bytes[..<($0.keyRange.lowerBound - 1)], as: UTF8.self) } ?? text
  }

  /// The `key=value` parts behind commas at the end of the text; commas and equals signs before them belong to the path.
  private static func fields(of source: SourceText) -> [SequenceField] {
    var fields: [SequenceField] = []
    var end = source.bytes.count
    while let comma = source.bytes[..<end].lastIndex(of: UInt8(ascii: ",")),
      let equals = source.bytes[comma..<end].firstIndex(of: UInt8(ascii: "=")), isKey(source.bytes[comma + 1..<equals])
    {
      let (keyRange, valueRange) = (comma + 1..<equals, equals + 1..<end)
      fields.insert(
        SequenceField(
          key: String(decoding: source.bytes[keyRange], as: UTF8.self), value: String(decoding: source.bytes[valueRange], as: UTF8.self),
          source: source, keyRange: keyRange, valueRange: valueRange), at: 0)
      end = comma
    }
    return fields
  }

  private static func isKey(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
  }
}

extension PictureChoice {
  /// Takes what fields say about it; the others say when it shows.
  ///
  /// Fails for a space that there is not, and for two fields that say the same thing.
  init(_ fields: [SequenceField]) throws(DiagnosticsError) {
    let own = fields.filter(\.choosesPicture)
    for (index, field) in own.enumerated() {
      if let diagnostic = field.refusedSpace { throw DiagnosticsError(diagnostic) }
      guard let first = own[..<index].first(where: { $0.key == field.key }) else { continue }
      throw DiagnosticsError(
        Diagnostic(
          "picture.repeated", "'\(field.key)' has two values",
          labels: [.init(field.source, field.keyRange, "again"), .init(first.source, first.keyRange, "first")],
          help: ["keep one of them"]))
    }
    func value(_ key: String) -> String? { own.first { $0.key == key }?.value }
    self.init(part: value("part"), layer: value("layer"), space: value("space").flatMap { PictureSpace(rawValue: $0) })
  }
}
