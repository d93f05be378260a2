internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// What filters read at other frames: the recipes of the moments beside those of the inputs.
extension FilterUse {
  /// The inputs with those at other frames that the filter reads.
  ///
  /// - Parameter moments: at which moments the filter itself is applied.
  ///
  /// A frame that the values say is not read is the one that shows, so that nothing is read or computed for it.
  ///
  /// - Parameter values: those that do not change from frame to frame.
  static func addingMoments(
    to inputs: [String: Input], of filter: GraphFilter, at moments: [Moment], _ values: ParameterValues
  ) -> [String: Input] {
    guard !filter.moments.isEmpty else { return inputs }
    var all = inputs
    for (name, window, offsets) in filter.moments {
      guard let input = inputs[name] else { continue }
      let distance = window.distance.flatMap { values[$0]?.components.first }.map { Int($0) } ?? FrameWindow.mostFrames
      for offset in offsets where all[FrameWindow.name(of: name, at: offset)] == nil {
        let isRead = abs(offset) <= distance
        let image = isRead ? input.image.shown(at: offset, ends: window.ends, after: moments.count) : input.image
        all[FrameWindow.name(of: name, at: offset)] = Input(image, address: input.address, interpolation: input.interpolation)
      }
    }
    return all
  }

  /// Whether its result is the same on every frame, if its pictures are.
  fileprivate var isStill: Bool {
    animated.isEmpty && !filter.manifest.keepsState
      && filter.manifest.passes.allSatisfy { pass in pass.uniforms.allSatisfy { $0.meaning.isStill(for: values) } }
  }

  // MARK: errors

  /// What is wrong with what it reads at other frames.
  var momentDiagnostics: [Diagnostic] {
    guard !filter.moments.isEmpty else { return [] }
    let readsTooMuch = ImageRecipe(.filter(self), label: "").parts().count > ImageRecipe.mostParts
    if readsTooMuch { return [tooManyMoments] }
    return filter.moments.compactMap { name, window, offsets in
      guard let image = inputs[name]?.image, let keeper = image.keeper else { return nil }
      if image.canBeDelayed(by: offsets, ends: window.ends) { return nil }
      return stateDiagnostic(name, window, offsets, keeper)
    }
  }

  private var tooManyMoments: Diagnostic {
    Diagnostic(
      "limit.moments",
      "'\(filter.manifest.name)' reads frames of filters that read frames themselves: more than \(ImageRecipe.mostParts) pictures for one frame",
      help: ["render the filters before it to a sequence or a video, and read that"])
  }

  private func stateDiagnostic(_ name: String, _ window: FrameWindow, _ offsets: [Int], _ keeper: String) -> Diagnostic {
    let place = filter.manifest.input(name)?.place
    let isAhead = offsets.contains { $0 > 0 }
    let why =
      isAhead
      ? "frames of '\(keeper)' follow from those before, so that one that comes later is not known yet"
      : "frames of '\(keeper)' follow from those before, and of these \"ENDS\": \"mirror\" would need later ones"
    return Diagnostic(
      "moments.state", "'\(filter.manifest.name)' reads '\(name)' at other frames, and \(why)",
      labels: place.map {
        [
          .init(
            $0.source, $0.range,
            "reads frames \(FrameWindow.text(window.offsets.lowerBound)) to \(FrameWindow.text(window.offsets.upperBound))")
        ]
      } ?? [],
      help: [
        "render what '\(keeper)' makes to a sequence or a video first, and read that"
          + (isAhead ? "; or put '\(filter.manifest.name)' before '\(keeper)'" : "")
      ],
      notes: isAhead ? ["frames before alone are kept: that works with \"FRAMES\": [\(window.offsets.lowerBound), 0]"] : [])
  }
}

// MARK: - recipes

extension ImageRecipe {
  /// The most pictures that one frame is made of where filters read others.
  static let mostParts = 1_000

  /// The name of something in it that keeps what frames leave to the next; nil where nothing does.
  fileprivate var keeper: String? {
    for part in parts() {
      switch part.operation {
      case .before: return part.label
      case .filter(let use): if use.filter.manifest.keepsState { return part.label }
      case .picture, .stream: break
      }
    }
    return nil
  }

  fileprivate func canBeDelayed(by offsets: [Int], ends: FrameWindow.Ends) -> Bool { offsets.allSatisfy { $0 <= 0 } && ends != .mirror }

  /// The picture at another frame.
  ///
  /// - Parameter place: how many moments come before this one.
  fileprivate func shown(at offset: Int, ends: FrameWindow.Ends, after place: Int) -> ImageRecipe {
    if keeper != nil { return offset < 0 ? delayed(by: -offset, ends) : self }
    var streams: Set<String> = []
    for part in parts() { if case .stream(let stream) = part.operation { streams.insert(stream.firstOwnName) } }
    var isComputed = false
    if case .filter = operation { isComputed = true }
    let moment = Moment(offset, ends: ends, streams: streams.sorted(), isComputed: isComputed)
    var shift = MomentShift(moment, after: place)
    let shifted = shift.image(self)
    guard ends == .transparent, shifted != self else { return shifted }
    let chain = shift.lastChain(of: shifted)
    return ImageRecipe(
      .filter(
        FilterUse(
          BuiltInKernels.presence, inputs: ["inputImage": FilterUse.Input(shifted)],
          values: ParameterValues(defaultsOf: BuiltInKernels.presence.manifest), moments: chain)), label: shifted.label)
  }

  /// What it showed some frames ago, kept since then.
  private func delayed(by count: Int, _ ends: FrameWindow.Ends) -> ImageRecipe {
    let filter = BuiltInKernels.delay
    let holds = Value(.bool, [ends == .hold ? 1 : 0])
    var image = self
    for step in 1...count {
      let values = ParameterValues(defaultsOf: filter.manifest).setting("holds", to: holds)
      let use = FilterUse(filter, inputs: ["inputImage": FilterUse.Input(image)], values: values)
      image = ImageRecipe(.filter(use), label: "\(label)[-\(step)]")
    }
    return image
  }
}

extension ImageGraph {
  /// What is read at other moments than the frame that is rendered: its name, and all of these moments.
  package var readMoments: [(name: String, moments: [[Moment]])] {
    var seen: Set<ImageRecipe> = []
    var found: [String: Set<[Moment]>] = [:]
    for root in outputs.map(\.image) + feedback.values {
      for part in root.parts(besides: { seen.contains($0) }) where seen.insert(part).inserted {
        let moments =
          switch part.operation {
          case .stream(let stream): stream.moments
          case .filter(let use): use.moments
          case .picture, .before: [Moment]()
          }
        if !moments.isEmpty { found[String(part.label.dropLast(moments.map(\.label).joined().count)), default: []].insert(moments) }
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value)) }
  }
}

/// Puts one moment more into all parts of a recipe that change over time, each once.
private struct MomentShift {
  private let moment: Moment
  private let place: Int
  private var known: [ContentHash: ImageRecipe] = [:]

  init(_ moment: Moment, after place: Int) { (self.moment, self.place) = (moment, place) }

  mutating func image(_ image: ImageRecipe) -> ImageRecipe {
    for part in image.parts() { known[part.digest] = shifted(part) }
    return known[image.digest] ?? image
  }

  /// At which moments the picture shows of which the last one was put in.
  func lastChain(of image: ImageRecipe) -> [Moment] {
    switch image.operation {
    case .stream(let stream): Array(stream.moments.prefix(place + 1))
    case .filter(let use): Array(use.moments.prefix(place + 1))
    case .picture, .before: []
    }
  }

  private func shifted(_ image: ImageRecipe) -> ImageRecipe {
    switch image.operation {
    case .picture, .before: return image
    case .stream(let stream): return ImageRecipe(.stream(stream.adding(moment, at: place)), label: image.label + moment.label)
    case .filter(let use):
      var inputs: [String: FilterUse.Input] = [:]
      for (name, input) in use.inputs {
        inputs[name] = FilterUse.Input(known[input.image.digest] ?? input.image, address: input.address, interpolation: input.interpolation)
      }
      guard inputs != use.inputs || !use.isStill else { return image }
      var moments = use.moments
      moments.insert(moment, at: min(place, moments.count))
      let shifted = FilterUse(
        use.filter, inputs: inputs, values: use.values, animated: use.animated, declarations: use.declarations, extent: use.extent,
        origin: use.origin, moments: moments)
      return ImageRecipe(.filter(shifted), label: image.label + moment.label)
    }
  }
}
