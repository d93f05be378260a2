internal import CLaneKernels

/// Owns what a thread remembers of who touched the shared memory of the workgroup that it runs.
///
/// **Concurrency**: used by one thread.
@safe final class RaceMemory {
  let races: UnsafeMutablePointer<lane_races>
  private let words: UnsafeMutablePointer<lane_shared_word>

  init(wordCount: Int) {
    unsafe words = .allocate(capacity: max(wordCount, 1))
    unsafe words.initialize(repeating: lane_shared_word(), count: max(wordCount, 1))
    unsafe races = .allocate(capacity: 1)
    unsafe races.initialize(to: lane_races())
    unsafe races.pointee.words = words
    unsafe races.pointee.word_count = UInt32(wordCount)
  }

  deinit {
    unsafe races.deallocate()
    unsafe words.deallocate()
  }
}
