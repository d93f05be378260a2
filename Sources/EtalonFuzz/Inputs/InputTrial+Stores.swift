import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonPlan
import EtalonTypes
import Foundation

extension InputTrial {
  // MARK: Caches

  /// Damages one file of the caches that rendering a filter by its name leaves, and renders it again.
  mutating func runCache() throws {
    let caches = "\(scratch)/caches"
    let old = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
    _ = unsafe setenv("XDG_CACHE_HOME", caches, 1)
    defer {
      _ = unsafe setenv("XDG_CACHE_HOME", old, 1)
      try? FileManager.default.removeItem(atPath: caches)
    }
    let request = request(for: input.specimen.main)
    // The list of filters has an index of its own.
    let isIndex = dice.happens(25), folder = "\(scratch)/library"
    if isIndex { try makeLibrary(folder) }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func use() throws {
      guard isIndex else { return try render(request) }
      // Without the built-in filters, of which there are many.
      _ = FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: folder, origin: .option)])).listings()
    }
    try use()
    let names = ((try? FileManager.default.subpathsOfDirectory(atPath: caches)) ?? []).sorted().filter {
      $0.hasSuffix(isIndex ? ".filters" : ".kernel")
    }
    guard !names.isEmpty else { throw Told(outcome: .refused("no cache")) }
    let path = "\(caches)/\(dice.pick(from: names))"
    let damaged = CacheDamage.applied(to: try FileReader.bytes(of: path, limit: 1 << 26), isText: isIndex, &dice)
    replace(path, damaged)
    do { try use() } catch let error as RenderError where error.code == .internalError && error.message.hasPrefix("inconsistent plan") {
      // A kernel whose hash is right counts as the compiler's, and a kernel that does not fit is reported as an internal error; here the hash was forged.
      throw Told(outcome: .refused("plan"))
    }
    // A file that the cache refuses is made again.
    if FileManager.default.contents(atPath: path) != Data(damaged) { throw Told(outcome: .refused("made again")) }
  }

  /// Makes a folder with the filter and a few of those beside it.
  private func makeLibrary(_ folder: String) throws {
    let files = FileManager.default
    let path = URL(filePath: input.specimen.main), place = path.deletingLastPathComponent().path
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in Self.libraryFiles(of: path.lastPathComponent, among: try files.contentsOfDirectory(atPath: place)) {
      try files.copyItem(atPath: "\(place)/\(name)", toPath: "\(folder)/\(name)")
    }
    // Files that were written less than 0.1 s before they are read are not remembered.
    Thread.sleep(forTimeInterval: 0.15)
  }

  /// A filter, its vertex half, and a few others: with a sanitizer, reading all filters of a large folder takes longer than an input may.
  static func libraryFiles(of filter: String, among names: [String]) -> [String] {
    let half = URL(filePath: filter).deletingPathExtension().lastPathComponent + ".vs"
    let own = names.filter { $0 == filter || $0 == half }
    let others = names.filter { !own.contains($0) && ["glsl", "fs", "comp"].contains(URL(filePath: $0).pathExtension) }
    return own.sorted() + others.sorted().prefix(5)
  }

  // MARK: Checkpoints

  /// Damages what frames leave to later frames, and renders the later ones.
  mutating func runCheckpoint() throws {
    let folder = "\(scratch)/checkpoints"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var request = request(for: input.specimen.main)
    request.checkpoints = CheckpointFolder(path: folder, interval: .zero)
    try ShotRenderer().prepare(request).keepFrames()
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    guard !names.isEmpty else { throw Told(outcome: .refused("no checkpoint")) }
    // All of them, because the latest whole one is taken.
    for name in names {
      let path = "\(folder)/\(name)"
      replace(path, CheckpointDamage.applied(to: try FileReader.bytes(of: path, limit: 1 << 26), &dice))
    }
    if let range = FrameRange(2...3) { request.frames = .range(range) }
    let shot = try ShotRenderer().prepare(request)
    try render(shot)
    if shot.takeNotes().contains(where: { $0.id == "checkpoint.damaged" }) { throw Told(outcome: .refused("damaged")) }
  }

  // MARK: Side-cars

  /// Damages what stands beside a sequence, and reads the sequence, checks it and goes on with it.
  mutating func runSidecar() throws {
    let folder = "\(scratch)/frames"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pattern = try FramePattern("\(folder)/hand.####.png")
    var request = request(for: input.specimen.main)
    func export(_ request: RenderRequest) throws {
      let shot = try ShotRenderer().prepare(request)
      var destination = SequenceExport.Destination(files: [.init(pattern: pattern)], contactSheet: nil)
      destination.resumes = true
      _ = try SequenceExport(shot, to: destination) { _ in
      } isInterrupted: {
        false
      }.run()
    }
    try export(request)
    let path = SequenceSidecar.path(for: pattern)
    let bytes = try FileReader.bytes(of: path, limit: 1 << 20)
    replace(
      path,
      TextDamage(language: .document, vocabulary: ["frames", "rate", "0-7", "1-9x2", "linear", "premultiplied"]).applied(to: bytes, &dice))
    let isRead = (try? SequenceSidecar(path: path)) != nil
    _ = try SequenceCheck().check("\(folder)/hand.####.png")
    if let range = FrameRange(1...2) { request.frames = .range(range) }
    // A file that is no side-car is not replaced.
    do { try export(request) } catch let error as RenderError where error.code == .cannotWrite && !isRead {}
    var reader = self.request(for: "\(SpecimenTree.made)/picture.glsl")
    reader.inputs = [try InputText.picture("\(folder)/hand.####.png,missing=hold", for: nil, option: "-i")]
    try render(reader)
    if !isRead { throw Told(outcome: .refused("no side-car")) }
  }
}

extension Shot {
  /// Renders its frames and keeps what they leave.
  fileprivate func keepFrames() throws {
    for frame in frames {
      guard let pending = try submit(frame) else { continue }
      defer { pending.release() }
      try pending.wait()
      keepState()
    }
  }
}

/// Damages entries of caches, and gives them the hashes that make them believed.
enum CacheDamage {
  static func applied(to bytes: [UInt8], isText: Bool, _ dice: inout Dice) -> [UInt8] {
    // The hash of the content is the last of the hashes at the start; what is before it stays.
    guard let hash = contentHash(in: bytes), dice.happens(85) else { return BinaryDamage(format: .plain).applied(to: bytes, &dice) }
    let content = Array(bytes[hash.content...])
    let damaged = isText ? TextDamage(language: .document, vocabulary: []).applied(to: content, &dice) : Self.damagedKernel(content, &dice)
    return Array(bytes[..<hash.place]) + Array(ContentHash(of: damaged).description.utf8) + bytes[hash.place + 64..<hash.content] + damaged
  }

  /// The number of words, the words, and what the compiler said.
  private static func damagedKernel(_ content: [UInt8], _ dice: inout Dice) -> [UInt8] {
    guard content.count > 8, dice.happens(80), let count = BinaryDamage.number(content, at: 0, isBig: false), 8 + count * 4 <= content.count
    else {
      return BinaryDamage(format: .plain).applied(to: content, &dice)
    }
    let words = (0..<count).map { UInt32(BinaryDamage.number(content, at: 8 + $0 * 4, isBig: false) ?? 0) }
    let damaged = ModuleDamage.applied(to: words, &dice)
    let digits = [UInt32(damaged.count), 0] + damaged
    return digits.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } } + content[(8 + count * 4)...]
  }

  /// Where the hash of the rest stands, and where the rest begins.
  private static func contentHash(in bytes: [UInt8]) -> (place: Int, content: Int)? {
    let isDigit = bytes.prefix(256).map { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    for place in 0..<max(0, isDigit.count - 64) where isDigit[place..<place + 64].allSatisfy(\.self) {
      for content in [place + 64, place + 65] where content < bytes.count {
        if ContentHash(of: Array(bytes[content...])).description.utf8.elementsEqual(bytes[place..<place + 64]) { return (place, content) }
      }
    }
    return nil
  }
}

/// Damages checkpoints, and gives their header and their parts the hashes that make them believed.
enum CheckpointDamage {
  static func applied(to bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    guard let end = bytes.firstIndex(of: 0x0A), dice.happens(80) else { return BinaryDamage(format: .plain).applied(to: bytes, &dice) }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 5, let count = Int(words[3]), end + 1 + count <= bytes.count else { return bytes }
    var header = Array(bytes[end + 1..<end + 1 + count]), content = Array(bytes[(end + 1 + count)...])
    if dice.happens(70), !content.isEmpty {
      let old = content
      for _ in 0..<dice.pick(1...64) {
        let place = dice.pick(content.count) / 4 * 4
        let word = dice.pick(from: HostileNumbers.words32)
        for byte in 0..<4 where place + byte < content.count { content[place + byte] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte)) }
      }
      header = Self.mended(header, from: old, to: content)
    } else {
      header = TextDamage(language: .document, vocabulary: ["rgba32f", "rgba8", "r32f"]).applied(to: header, &dice)
    }
    let line = "\(words[..<3].joined(separator: " ")) \(header.count) \(ContentHash(of: header))\n"
    return Array(line.utf8) + header + content
  }

  /// Replaces the hashes of all parts in a header; a part is found by its hash.
  private static func mended(_ header: [UInt8], from old: [UInt8], to new: [UInt8]) -> [UInt8] {
    guard var document = (try? JSONSerialization.jsonObject(with: Data(header))) as? [String: Any] else { return header }
    var place = 0
    for (key, size) in [("textures", nil), ("buffers", "byteCount")] as [(String, String?)] {
      var parts = document[key] as? [[String: Any]] ?? []
      for index in parts.indices {
        let count: Int
        if let size {
          count = parts[index][size] as? Int ?? 0
        } else {
          let format = PixelFormat(rawValue: parts[index]["format"] as? String ?? "")
          count = (parts[index]["width"] as? Int ?? 0) * (parts[index]["height"] as? Int ?? 0) * (format?.bytesPerPixel ?? 0)
        }
        guard place + count <= new.count else { return header }
        parts[index]["hash"] = ContentHash(of: Array(new[place..<place + count])).description
        place += count
      }
      document[key] = parts
    }
    return (try? JSONSerialization.data(withJSONObject: document, options: .sortedKeys)).map { Array($0) } ?? header
  }
}
