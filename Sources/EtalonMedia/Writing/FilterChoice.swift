internal import CPNG

/// Chooses between SUB and UP row by row.
///
/// A row alone says little, and every change spoils matches with the rows above; so the costs are averages that forget a quarter with each row.
struct FilterChoice {
  private let filter: PNGSettings.Filter
  private var subCost: UInt64 = 0
  private var upCost: UInt64 = 0

  init(_ filter: PNGSettings.Filter) {
    self.filter = filter
  }

  /// Whether a row is to be filtered with UP; the first row of a picture has nothing above it.
  mutating func usesUp(_ row: UnsafePointer<UInt8>?, _ above: UnsafePointer<UInt8>?, _ width: Int, _ layout: cpng_layout) -> Bool {
    guard unsafe above != nil, filter != .sub else { return false }
    guard filter == .adaptive else { return true }
    var (sub, up): (UInt64, UInt64) = (0, 0)
    unsafe cpng_filter_costs(row, above, width, layout, &sub, &up)
    subCost = subCost - subCost / 4 + sub
    upCost = upCost - upCost / 4 + up
    return upCost < subCost
  }
}
