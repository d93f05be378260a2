package import EtalonGraph
package import EtalonMedia
package import EtalonSystem
package import EtalonTypes

/// Everything that a person asked for when they asked for pictures of a filter.
package struct RenderRequest: Sendable {
  /// Where the text of a filter comes from.
  package enum FilterLocation: Sendable, Hashable {
    case file(String)
    /// Read from standard input; includes are looked up in the working folder.
    case standardInput
  }

  /// The frames that are wanted.
  package enum Frames: Sendable, Hashable {
    /// One picture at a time of the shot's clock, nil for the time of the first frame.
    case single(time: Rational?)
    case range(FrameRange)
  }

  /// A picture or a sequence of pictures for an image input; nil means the first input that the filter reads.
  package struct InputPicture: Sendable, Hashable {
    package let input: String?
    /// The path of a picture, or the pattern of a sequence.
    package let path: String
    /// When the pictures of a sequence show; nil for a single picture.
    package let sequence: SequenceTiming?
    /// The path in a graph, with its place; nil for the picture of an option.
    package let written: GraphText.Word?

    package init(input: String?, path: String, sequence: SequenceTiming? = nil, written: GraphText.Word? = nil) {
      self.input = input
      self.path = path
      self.sequence = sequence
      self.written = written
    }
  }

  /// How an image input is read, where it differs from the filter's own wish.
  package struct SamplerChange: Sendable, Hashable {
    package let input: String
    package let interpolation: Sampler.Interpolation?
    package let address: Sampler.AddressMode?
    /// False reads the picture upside down, as ShaderToy does when `vflip` is off.
    package let isUpright: Bool?

    package init(input: String, interpolation: Sampler.Interpolation?, address: Sampler.AddressMode?, isUpright: Bool?) {
      self.input = input
      self.interpolation = interpolation
      self.address = address
      self.isUpright = isUpright
    }
  }

  /// A new value for a constant of the filter's text, as typed.
  package struct Setting: Sendable, Hashable {
    package let name: String
    package let value: String
    /// What was written in a graph; nil for `--set`.
    package let written: GraphText.Setting?

    package init(name: String, value: String) {
      self.name = name
      self.value = value
      written = nil
    }

    /// Takes over what was written in a document.
    package init(_ written: GraphText.Setting) {
      name = written.name.text
      value = written.value.list ?? ""
      self.written = written
    }
  }

  /// How the files of one output are written, where that is not as those of the others.
  package struct OutputForm: Sendable, Hashable {
    package var bits: Int?
    package var alpha: AlphaMode?

    package init(bits: Int? = nil, alpha: AlphaMode? = nil) {
      self.bits = bits
      self.alpha = alpha
    }
  }

  /// What pictures are made of.
  package enum Subject: Sendable {
    case filter(FilterLocation)
    /// Several filters, which are looked up in libraries by their names.
    case graph(GraphText, FilterLibrary)
  }

  package var subject: Subject
  /// The name of what the filter is written in; nil tells it from the content.
  package var dialect: String?
  package var inputs: [InputPicture] = []
  /// A folder with the pictures that a player's site offers.
  package var assets: String?
  /// Whether a test card stands in for pictures that are missing.
  package var standsInWithTestCards = false
  /// Whether the inputs that a graph leaves open are filled, without a word, because nobody is going to look.
  package var fillsOpenInputs = false
  package var samplers: [SamplerChange] = []
  package var settings: [Setting] = []
  /// The names of the filter's outputs that are wanted beside its result.
  package var outputs: [String] = []
  /// The outputs of a graph that are needed at all, nil among them for its result; nil means all that it has.
  package var neededOutputs: Set<String?>?
  /// Nil means the size of the main input, else 1280×720.
  package var size: Size?
  /// How much smaller than said everything is rendered.
  package var proxy = ProxyScale.whole
  package var frames: Frames = .single(time: nil)
  /// The first and the last frame of the shot that the wanted frames are a part of, which is what progress and duration measure; nil where
  /// nothing says how long the shot is, and then the wanted frames are the shot.
  package var shot: ClosedRange<Int>?
  /// Says that nothing says which frames are wanted, so that those of a numbered sequence are, where there is one; its frames are then not
  /// known before its graph is.
  package var following: Following?
  package var clock = ShotClock()
  package var pointer: PointerState?
  /// A file that says what the mouse and the keys do.
  package var eventsFile: String?
  package var date: CalendarDate = .fixed
  /// Bits a channel in the files: 8 or 16; 32 are floats, as the filter gives them, for those who look at numbers.
  package var bits = 8
  /// What differs for some outputs, by their names; nil stands for the result.
  package var outputForms: [String?: OutputForm] = [:]
  /// What the files say about coverage; nil is what suits the filter: opaque for ShaderToy, else straight.
  package var alpha: AlphaMode?
  package var compression: CompressionPreset = .fast
  /// The index or a part of the name of a device; nil chooses.
  package var device: String?
  /// Seconds that compiling, and each frame, may take; nil means no limit.
  package var timeout: Double?
  /// Where checkpoints are kept of what frames leave to the next; nil keeps none.
  package var checkpoints: CheckpointFolder?
  /// Asks for the end of the work on frames before it is done.
  package var cancellation: Cancellation?

  /// What plans may do to be fast; off to measure what that is worth.
  package var planOptions = PlanOptions()
  /// Whether kernels are optimized, to see that this changes nothing.
  package var optimizes = false
  /// How pictures between the filters of a graph are stored; nil is what suits the files.
  package var format: PixelFormat?
  /// What the numbers of pictures between filters mean.
  package var workingSpace = WorkingSpace.encoded

  package init(filter: FilterLocation) { subject = .filter(filter) }

  package init(graph: GraphText, library: FilterLibrary) { subject = .graph(graph, library) }

  /// The one filter; nil where a graph is rendered.
  package var filter: FilterLocation? {
    get { if case .filter(let location) = subject { location } else { nil } }
    set { if let newValue { subject = .filter(newValue) } }
  }
}
