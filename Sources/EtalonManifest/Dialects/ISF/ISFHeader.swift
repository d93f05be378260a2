internal import EtalonTypes

/// What the JSON at the top of an ISF file says.
struct ISFHeader {
  /// A pass with the names and expressions as the author wrote them.
  struct Pass {
    /// The target it writes; nil for the result of the filter.
    let target: Placed<String>?
    let isPersistent: Bool
    /// Whether the target holds floating-point numbers.
    let isFloat: Bool
    let width: ISFSizeExpression?
    let height: ISFSizeExpression?
  }

  /// A target of the first version of ISF, where targets are declared beside the passes.
  struct PersistentBuffer {
    let name: Placed<String>
    let isFloat: Bool
    let width: ISFSizeExpression?
    let height: ISFSizeExpression?
  }

  var about = FilterManifest.About()
  /// The image inputs, then the imported files.
  var images: [FilterInput] = []
  var parameters: [FilterParameter] = []
  /// One at least, in the order in which they run.
  var passes: [Pass] = []
  var persistentBuffers: [PersistentBuffer] = []

  /// The names of everything that it declares.
  var names: Set<String> {
    Set(images.map(\.name) + parameters.map(\.name) + passes.compactMap(\.target?.value) + persistentBuffers.map(\.name.value))
  }

  /// Filters read `inputImage`, transitions lead from `startImage` to `endImage`; everything else makes pictures.
  var kind: FilterManifest.Kind {
    let names = Set(images.map(\.name))
    if names.contains("inputImage") { return .filter }
    let hasProgress = parameters.contains { $0.name == "progress" && $0.kind == .float }
    return hasProgress && names.isSuperset(of: ["startImage", "endImage"]) ? .transition : .generator
  }
}
