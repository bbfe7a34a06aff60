import JobCore
import JobRecognition
import Testing

struct FileRecogniserTests {
  private static let film = OpenFile.Identity(device: 1, inode: 7)
  private static let copy = OpenFile.Identity(device: 1, inode: 8)
  private static let megabyte: UInt64 = 1 << 20

  private func file(
    _ identity: OpenFile.Identity = film, at megabytes: UInt64, of size: UInt64 = 10,
    _ access: FilePosition.Access = .reading, change: (inout OpenFile) -> Void = { _ in }
  ) -> OpenFile {
    var file = OpenFile(
      identity: identity, name: identity == Self.film ? "film" : "copy",
      size: size * Self.megabyte,
      place: FilePosition(position: megabytes * Self.megabyte, access: access))
    change(&file)
    return file
  }

  /// One look a second.
  private func recogniser(after looks: [[OpenFile]]) -> FileRecogniser {
    var recogniser = FileRecogniser()
    for (second, files) in looks.enumerated() {
      recogniser.read(files, at: Instant(nanoseconds: UInt64(second + 1) * 1_000_000_000))
    }
    return recogniser
  }

  @Test func `what the kernel says of an open file is read`() {
    let reading = "pos:\t4096\nflags:\t0100000\nmnt_id:\t25\nino:\t7\n"
    #expect(
      FilePosition(information: Array(reading.utf8))
        == FilePosition(position: 4096, access: .reading))
    let writing = "pos:\t0\nflags:\t02100001\n"
    #expect(FilePosition(information: Array(writing.utf8))?.access == .writing)
    #expect(FilePosition(information: Array("pos: 0\nflags: 02\n".utf8))?.access == .both)
    for text in ["", "pos:\t1\n", "flags:\t02\n", "pos:\tx\nflags:\t0\n", "pos: 1 2\nflags: 8\n"] {
      #expect(FilePosition(information: Array(text.utf8)) == nil)
    }
  }

  @Test func `a file counts once its position has grown`() {
    #expect(recogniser(after: [[file(at: 1)], [file(at: 1)]]).finding == nil)
    let finding = recogniser(after: [[file(at: 1)], [file(at: 4)]]).finding
    #expect(finding?.counts.completed == 4 * Self.megabyte)
    #expect(finding?.counts.total == 10 * Self.megabyte)
    #expect(finding?.source == .file)
    #expect(finding?.recogniser == "reading film")
  }

  @Test func `a program that has begun to tell is not passed by its reading ahead`() {
    var view = ExternalProgress(OutputRecogniser(), withFiles: true)
    func look(_ second: UInt64, at megabytes: UInt64) {
      view.receive(
        files: [file(at: megabytes)], at: Instant(nanoseconds: second * 1_000_000_000))
    }
    look(1, at: 1)
    look(2, at: 2)
    #expect(view.finding?.source == .file)
    view.receive("  film:    0%\r".utf8, at: Instant(nanoseconds: 2_500_000_000))
    look(3, at: 4)
    #expect(view.finding == nil)
    for share in [10, 20, 30] {
      let now = Instant(nanoseconds: UInt64(share) * 1_000_000_000)
      view.receive("  film:   \(share)%\r".utf8, at: now)
    }
    #expect(view.finding?.counts == ProgressCounts(hundredths: 3000))
  }

  @Test func `what is read at once and then not for a while is a buffer, told in words`() {
    let big = file(at: 75, of: 100)
    let start = [[file(at: 1, of: 100)], [big]]
    #expect(recogniser(after: start).finding == nil)
    let rest = recogniser(after: start + [[big], [big]]).finding
    #expect(rest?.note == "read 75 % of film")
    #expect(rest?.counts.total == 0)
    let later = recogniser(after: start + [[big], [big], [file(at: 76, of: 100)]]).finding
    #expect(later?.note == "read 76 % of film")
    // A slow reader makes no leaps.
    let slow = [file(at: 4, of: 100)]
    let steady = recogniser(after: [[file(at: 1, of: 100)], slow, slow, slow, slow]).finding
    #expect(steady?.counts.total == 100 * Self.megabyte)
  }

  @Test func `what is kept in memory as it is read is told in words, until the work is on its way`()
  {
    func look(_ megabytes: UInt64, holding held: UInt64) -> [OpenFile] {
      [file(at: megabytes, of: 100) { $0.heldBytes = held * Self.megabyte }]
    }
    let start = [look(0, holding: 5), look(20, holding: 30)]
    let held = recogniser(after: start).finding
    #expect(held?.note == "read 20 % of film")
    #expect(held?.counts.total == 0)
    let late = recogniser(after: start + [look(40, holding: 55), look(100, holding: 130)])
    #expect(late.finding?.note == "read all of film")
    // A compressor fills its dictionary first.
    let later = recogniser(after: start + [look(60, holding: 32)]).finding
    #expect(later?.counts.total == 100 * Self.megabyte)
    let small = recogniser(after: [look(0, holding: 5), look(20, holding: 10)]).finding
    #expect(small?.counts.completed == 20 * Self.megabyte)
  }

  @Test(
    arguments: [
      { $0.isNamed = false }, { $0.isOlder = false }, { $0.hasName = false },
      { $0.size = 1000 }, { $0.place?.access = .both },
    ] as [@Sendable (inout OpenFile) -> Void])
  func `a file that nobody named, that is new, removed, small or open for both is passed over`(
    _ change: @Sendable (inout OpenFile) -> Void
  ) {
    let looks = [1, 2, 3].map { [file(at: UInt64($0), change: change)] }
    #expect(recogniser(after: looks).finding == nil)
  }

  @Test func `a file that is written by anybody is no input`() {
    var files = [[file(at: 1)], [file(at: 2)], [file(at: 3)]]
    #expect(recogniser(after: files).finding != nil)
    files[2] = [file(at: 3) { $0.modifiedNanoseconds = 5 }]
    #expect(recogniser(after: files).finding == nil)
    let writer = file(at: 9, .writing)
    #expect(recogniser(after: [[file(at: 1), writer], [file(at: 2), writer]]).finding == nil)
  }

  @Test func `what is read backwards is dropped for good`() {
    let looks = [[file(at: 1)], [file(at: 5)], [file(at: 2)], [file(at: 6)], [file(at: 7)]]
    #expect(recogniser(after: looks).finding == nil)
  }

  @Test func `at its end with the process going on it was read, and no bar is full`() {
    let looks = [[file(at: 1)], [file(at: 5)], [file(at: 10)], [file(at: 10)]]
    var recogniser = recogniser(after: looks)
    #expect(recogniser.finding?.note == "read all of film")
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 10 << 20, unit: .bytes))
    recogniser.read([file(Self.copy, at: 1)], at: Instant(nanoseconds: 9_000_000_000))
    #expect(recogniser.finding?.note == "read all of film")
  }

  @Test func `a second file of like size makes both doubtful, named or open`() {
    let second = file(Self.copy, at: 0, of: 6)
    #expect(
      recogniser(after: [[file(at: 1)], [file(at: 3)], [file(at: 4), second]]).finding == nil)
    let named = file(Self.copy, at: 0, of: 9) { $0.place = nil }
    #expect(recogniser(after: [[file(at: 1), named], [file(at: 3), named]]).finding == nil)
    // A small file beside it does not count as an input, nor does an output.
    let small = file(Self.copy, at: 1, of: 2)
    #expect(recogniser(after: [[file(at: 1), small], [file(at: 3), small]]).finding != nil)
    let written = file(Self.copy, at: 9, of: 9, .writing)
    #expect(recogniser(after: [[file(at: 1), written], [file(at: 3), written]]).finding != nil)
  }

  @Test func `a file that was closed near its end was read to it, and else nothing is known`() {
    #expect(
      recogniser(after: [[file(at: 1)], [file(at: 9)], []]).finding?.note == "read all of film")
    #expect(recogniser(after: [[file(at: 1)], [file(at: 5)], []]).finding == nil)
  }

  @Test func `of what is only written the amount is told, until there are two`() {
    let looks = [[file(at: 1, .writing)], [file(at: 3, .writing)]]
    let finding = recogniser(after: looks).finding
    #expect(finding?.counts.completed == 3 * Self.megabyte)
    #expect(finding?.counts.total == 0)
    #expect(finding?.note == "writing film")
    let next = [[file(Self.copy, at: 1, .writing)], [file(Self.copy, at: 2, .writing)]]
    #expect(recogniser(after: looks + next).finding == nil)
  }

  @Test func `after a success the bar is full if the rest can have been read since the last look`()
  {
    var near = recogniser(after: [[file(at: 1)], [file(at: 5)], [file(at: 8)]])
    near.conclude(at: Instant(nanoseconds: 4_000_000_000))
    #expect(
      near.finding?.counts == ProgressCounts(completed: 10 << 20, total: 10 << 20, unit: .bytes))
    var far = recogniser(after: [[file(at: 1)], [file(at: 2)], [file(at: 3)]])
    far.conclude(at: Instant(nanoseconds: 3_100_000_000))
    #expect(far.finding == nil)
  }

  @Test func `the only input is what a bare amount is measured by`() {
    #expect(
      FileRecogniser.inputBytes(of: [file(at: 0), file(Self.copy, at: 0, of: 99, .writing)])
        == 10 << 20)
    #expect(FileRecogniser.inputBytes(of: [file(at: 0), file(Self.copy, at: 0)]) == nil)
    #expect(FileRecogniser.inputBytes(of: []) == nil)
  }
}
