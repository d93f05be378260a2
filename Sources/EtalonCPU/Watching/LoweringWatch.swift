internal import EtalonSPIRV

/// What lowering keeps in mind of a kernel that is watched.
///
/// Each scalar of a local variable has a shadow: a mask of the lanes in which nothing was written to it. Shadows travel with loads, stores and
/// composites; whatever computes with a value reports its shadow.
struct LoweringWatch {
  /// A scalar of a value that may not have been written.
  struct Part {
    /// The lanes in which it was not.
    let flag: ValueId
    /// What the author calls it: `color.a`; nil for what has no name.
    let name: String?
    /// Where it was loaded.
    let origin: Int
  }

  var table = WatchTable()
  let countsOperations: Bool
  /// Whether numbers that are read and not finite are noted.
  let notesReads: Bool
  /// Whether a zero that is stored at a debug line is one that no author wrote.
  let isAddedZero: (Int) -> Bool
  /// Whether an author wrote what stands at a debug line.
  let isAuthored: (Int) -> Bool
  /// The global variable that says whether a pixel is discarded.
  let discardFlag: String
  /// The slot of this variable; nil where nothing is discarded.
  var discardSlot: Int?
  /// The author's function that the entry point called last: it has to write the result.
  var resultOrigin: Int?
  /// For each scalar of a value its shadow, nil for one that was written for certain; values of which all were are not in it.
  var shadows: [Id: [Part?]] = [:]
  /// The first shadow by the first slot, and by the first row, of variables.
  var shadowSlots: [Int: Int] = [:]
  var shadowRows: [Int: Int] = [:]
  /// What was last stored to a slot of a shadow without having been written: copies are reported as what they are copies of.
  var copied: [Int: Part] = [:]
  /// While parts are moved: the ids whose scalars were asked for, in place of which numbers below 0 stand.
  var moved: [Part?]?
  /// What the author calls shared variables, by their first words.
  var sharedNames: [Int: String] = [:]
  /// The first site that stores texels of each texture.
  private(set) var storeSites: [Int: Int] = [:]
  /// The shadow of what the last call returned.
  var returned: [ValueId] = []

  mutating func keep(storeSite site: Int, of texture: Int) { if storeSites[texture] == nil { storeSites[texture] = site } }

  init(
    countsOperations: Bool, notesReads: Bool, discardFlag: String, isAuthored: @escaping (Int) -> Bool,
    isAddedZero: @escaping (Int) -> Bool
  ) {
    (self.countsOperations, self.notesReads, self.discardFlag) = (countsOperations, notesReads, discardFlag)
    (self.isAuthored, self.isAddedZero) = (isAuthored, isAddedZero)
  }
}
