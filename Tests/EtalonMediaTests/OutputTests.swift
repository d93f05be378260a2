import EtalonDiagnostics
import EtalonMedia
import EtalonSystem
import EtalonTypes
import Foundation
import Synchronization
import Testing

@Suite struct OutputTests {
  private func write(_ picture: PixelBuffer, _ path: String, _ policy: ReplacePolicy = .ownFrames, frame: Int = 1) throws {
    let file = try AtomicFile(path, replacing: policy)
    let text = TestPicture.provenance(frame: frame).textChunks(deflate: .libdeflate)
    try PNGEncoder().encode(picture, text: text, to: file)
    try file.commit()
  }

  @Test func appearsOnlyWhenComplete() throws {
    let folder = try TemporaryFolder()
    let picture = TestPicture.noise(Size(64, 64), .rgba8, isOpaque: true)
    do {
      let file = try AtomicFile(folder.file("a.png"), replacing: .ownFrames)
      try PNGEncoder().encode(picture, to: file)
      #expect(try folder.names().map(TemporaryFiles.isName) == [true])
    }
    #expect(try folder.names() == [])
    try write(picture, folder.file("a.png"))
    #expect(try folder.names() == ["a.png"])
    #expect(try PictureReader().read(path: folder.file("a.png")) == picture)
  }

  @Test func replacesOnlyItsOwn() throws {
    let folder = try TemporaryFolder()
    let picture = TestPicture.noise(Size(8, 8), .rgba8, isOpaque: true)
    try write(picture, folder.file("own.png"))
    try write(picture, folder.file("own.png"))
    for (name, bytes) in [("text.png", Array("hello".utf8)), ("foreign.png", try TestPicture.encoded(picture)), ("empty.png", [])] {
      try folder.write(bytes, to: name)
      let error = #expect(throws: RenderError.self) { try write(picture, folder.file(name)) }
      #expect(error?.code == .cannotWrite)
      #expect(error?.help == ["choose another name, or pass --overwrite"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))) == Data(bytes))
      try write(picture, folder.file(name), .anything)
    }
    #expect(try folder.names() == ["empty.png", "foreign.png", "own.png", "text.png"])
  }

  @Test func runsThatGoOnReplaceEmptyFiles() throws {
    let folder = try TemporaryFolder()
    let picture = TestPicture.noise(Size(8, 8), .rgba8, isOpaque: true)
    try folder.write([], to: "empty.png")
    try folder.write([10], to: "text.png")
    try write(picture, folder.file("empty.png"), .ownFramesAndEmpty)
    try write(picture, folder.file("empty.png"), .ownFramesAndEmpty)
    #expect(throws: RenderError.self) { try write(picture, folder.file("text.png"), .ownFramesAndEmpty) }
    #expect(try PictureReader().read(path: folder.file("empty.png")) == picture)
  }

  @Test func namedPipesThatNothingReadsFromAreRefused() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe.png")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let error = #expect(throws: RenderError.self) { try AtomicFile(pipe, replacing: .anything) }
    #expect(error?.code == .cannotWrite && error?.underlying == "it is a named pipe that nothing reads from")
    // What comes later than the writer is waited for, and written to as fast as it reads.
    let bytes = [UInt8](repeating: 7, count: 1 << 20), copy = folder.file("read.bin"), done = folder.file("done")
    let reader = Thread {
      usleep(200_000)
      try? Data((try? FileReader.bytes(of: pipe, limit: 1 << 21)) ?? []).write(to: URL(filePath: copy))
      try? Data().write(to: URL(filePath: done))
    }
    reader.start()
    let file = try AtomicFile(pipe, replacing: .anything)
    try file.write(bytes)
    try file.commit()
    while !FileManager.default.fileExists(atPath: done) { usleep(10_000) }
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data(bytes))
  }

  @Test func saysThatTheDiskIsFull() {
    let picture = TestPicture.noise(Size(64, 64), .rgba8, isOpaque: true)
    let error = #expect(throws: RenderError.self) { try write(picture, "/dev/full") }
    #expect(error?.code == .cannotWrite)
    #expect(error?.text.hasPrefix("error: cannot write '/dev/full': No space left on device (write)\n") == true)
  }

  @Test func saysWhyAFileCannotBeMade() throws {
    let folder = try TemporaryFolder()
    let picture = TestPicture.noise(Size(2, 2), .rgba8, isOpaque: true)
    try write(picture, folder.file("new/folder/a.png"))
    #expect(FileManager.default.fileExists(atPath: folder.file("new/folder/a.png")))
    let inside = #expect(throws: RenderError.self) { try write(picture, folder.file("new/folder/a.png/b/c.png")) }
    #expect(inside?.underlying == "Not a directory")
    let isFolder = #expect(throws: RenderError.self) { try write(picture, folder.path) }
    #expect(isFolder?.underlying == "it is a folder")
  }

  @Test func aSinkThatStopsEndsTheFile() {
    final class Full: ByteSink {
      var room = 100
      func write(_ bytes: UnsafeRawBufferPointer) throws(RenderError) {
        room -= bytes.count
        if room < 0 { throw RenderError(.cannotWrite, "full") }
      }
    }
    let picture = TestPicture.noise(Size(64, 64), .rgba8, isOpaque: true)
    let error = #expect(throws: RenderError.self) { try PNGEncoder().encode(picture, to: Full()) }
    #expect(error?.message == "full")
  }

  @Test func aPoolWritesEveryFrameAndTellsOfFailures() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "3.png")
    let results = Mutex<[Int: RenderError?]>([:])
    let pool = try FrameWriterPool(threads: 2, queueLength: 2)
    let picture = TestPicture.noise(Size(64, 64), .rgba8, isOpaque: false)
    for frame in 0..<12 {
      pool.submit(
        FrameJob(
          files: [
            .init(path: folder.file("\(frame).png"), provenance: TestPicture.provenance(frame: frame)) { () throws(RenderError) in
              if frame == 5 { throw RenderError(.deviceLost, "device lost") }
              return picture
            }
          ],
          policy: .ownFrames,
          completion: { result in
            results.withLock {
              switch result {
              case .success: $0[frame] = .some(nil)
              case .failure(let error): $0[frame] = error
              }
            }
          }))
    }
    pool.finish()
    let all = results.withLock { $0 }
    #expect(all.count == 12)
    #expect(all.filter { $0.value != nil }.keys.sorted() == [3, 5])
    #expect(try folder.names().count == 11)
    #expect(try PictureReader().read(path: folder.file("11.png")) == picture)
  }

  @Test func aCancelledPoolAnswersEveryJob() throws {
    let answered = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    let pool = try FrameWriterPool(threads: 1, queueLength: 3)
    let picture = TestPicture.noise(Size(2, 2), .rgba8, isOpaque: true)
    for frame in 0..<3 {
      pool.submit(
        FrameJob(
          files: [
            .init(path: "/dev/null", provenance: TestPicture.provenance(frame: frame)) { () throws(RenderError) in
              gate.wait()
              return picture
            }
          ], policy: .ownFrames, completion: { _ in answered.withLock { $0 += 1 } }))
    }
    for _ in 0..<3 { gate.signal() }
    pool.cancel()
    #expect(answered.withLock { $0 } == 3)
  }
}
