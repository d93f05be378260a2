internal import EtalonManifest
internal import EtalonTypes

/// What stands between two filters whose pictures do not fit each other.
extension GraphLayout {
  /// A picture in another form than its own.
  struct Conversion: Hashable {
    let node: Int
    let step: String
    let detail: String
  }

  /// The picture on a part of the plane, with other numbers.
  mutating func fitted(_ node: Int, to extent: Extent, _ form: PictureForm) throws -> Int {
    try converted(placed(node, on: extent), to: form)
  }

  /// The picture as an input reads it.
  mutating func converted(_ node: Int, for input: FilterInput) throws -> Int {
    if case .picture(let picture) = nodes[node].operation {
      return known(node, step: "picture", "\(input.space) \(input.alpha) \(input.isFlipped)") { read in
        let upright = picture.converted(for: input)
        let wanted = !input.isFlipped ? upright : input.shape == .cube ? upright.facesTurnedOver : upright.turnedOver
        return GraphNode(
          label: read.label, operation: .picture(wanted), extent: read.extent, form: PictureForm(alpha: wanted.alpha, space: input.space))
      }
    }
    var result = node
    if input.isFlipped { result = add(BuiltInKernels.flip, reading: result, values: [:], form: nodes[result].form) }
    guard input.space != .data else { return result }
    return try converted(result, to: PictureForm(alpha: input.alpha, space: input.space))
  }

  /// The picture with other numbers: light is only converted while colors are not multiplied by coverage.
  mutating func converted(_ node: Int, to form: PictureForm) throws -> Int {
    var result = node
    if nodes[result].form.space != form.space {
      result = try converted(result, toAlpha: .straight)
      let step = form.space == .linear ? BuiltInKernels.linearize : BuiltInKernels.encode
      result = add(step, reading: result, values: [:], form: PictureForm(alpha: nodes[result].form.alpha, space: form.space))
    }
    return try converted(result, toAlpha: form.alpha)
  }

  private mutating func converted(_ node: Int, toAlpha alpha: AlphaMode) throws -> Int {
    let form = nodes[node].form
    guard let step = BuiltInKernels.alpha(from: form.alpha, to: alpha) else { return node }
    return add(step, reading: node, values: [:], form: PictureForm(alpha: alpha, space: form.space))
  }

  /// The picture where it lies on another part of the plane; beside it is nothing, or its last pixels go on.
  mutating func placed(_ node: Int, on extent: Extent, continues: Bool = false) -> Int {
    let own = nodes[node].extent
    guard own != extent else { return node }
    let form = nodes[node].form
    let values = [
      "origin": Value(.vec2, [Double(extent.x - own.x), Double(extent.y - own.y)]),
      "span": Value(.vec2, [Double(own.size.width), Double(own.size.height)]),
    ]
    if continues { return add(BuiltInKernels.continued, reading: node, values: values, form: form, extent: extent) }
    // Beside the picture nothing is covered, which opaque pictures could not say.
    let covered = PictureForm(alpha: form.alpha == .opaque ? .straight : form.alpha, space: form.space)
    return add(BuiltInKernels.place, reading: node, values: values, form: covered, extent: extent)
  }

  /// The filter that makes a picture as large as a result, and the node that it reads: the picture, or one with one of its sides.
  ///
  /// Windows of Lanczos have so many pixels that one side after the other needs a fraction of the work. The other windows cost as much either way, and
  /// are gone through at once, without a picture in between, as long as they are small.
  ///
  /// - Parameter values: those of the operation.
  mutating func resizing(_ node: Int, to size: Size, _ values: ParameterValues) -> (filter: GraphFilter, node: Int) {
    let given = pixels(of: node)
    guard let filter = values["filter"], filter.resizesSides(from: given, to: size) else { return (ImageOperation.resize.filter, node) }
    let side = OperationKernels.resizeSide
    guard given.width != size.width, given.height != size.height else { return (side, node) }
    let (across, up) = (Size(size.width, given.height), Size(given.width, size.height))
    let between = across.pixelCount <= up.pixelCount ? across : up
    let half = add(side, reading: node, values: ["filter": filter], form: nodes[node].form, extent: Extent(between))
    nodes[half].format = .rgba32f
    return (side, half)
  }

  /// The size of the texture of a node; files are as large as they are, whatever they are stretched to.
  func pixels(of node: Int) -> Size {
    switch nodes[node].operation {
    case .picture(let picture): picture.size
    case .stream(let stream): stream.model.size
    case .filter, .before: nodes[node].extent.size
    }
  }

  /// A filter of Etalon's own over a node; the same one when it is there already.
  mutating func add(
    _ filter: GraphFilter, reading node: Int, values: [String: Value], form: PictureForm, extent: Extent? = nil
  ) -> Int {
    let text = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.components)" }.joined(separator: " ")
    return known(node, step: filter.manifest.name, "\(text) \(extent ?? nodes[node].extent)") { read in
      let sampler = filter.manifest.inputs.first?.sampler ?? Sampler()
      return GraphNode(
        label: "\(read.label).\(filter.manifest.name)",
        operation: .filter(
          filter, inputs: ["inputImage": .init(node: node, sampler: sampler)],
          values.reduce(ParameterValues(defaultsOf: filter.manifest)) { $0.setting($1.key, to: $1.value) }),
        extent: extent ?? read.extent, form: form)
    }
  }

  mutating func known(_ node: Int, step: String, _ detail: String, _ make: (GraphNode) -> GraphNode) -> Int {
    let conversion = Conversion(node: node, step: step, detail: detail)
    if let found = conversions[conversion] { return found }
    nodes.append(make(nodes[node]))
    conversions[conversion] = nodes.count - 1
    return nodes.count - 1
  }
}

extension Value {
  /// Whether a picture is resized side by side, with this value of the parameter 'filter'.
  fileprivate func resizesSides(from given: Size, to size: Size) -> Bool {
    switch components.first {
    case 3: true
    case 2: (given.width / size.width + 3) * (given.height / size.height + 3) > 4096
    default: false
    }
  }
}
