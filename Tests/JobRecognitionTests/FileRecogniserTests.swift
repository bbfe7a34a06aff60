import JobRecognition
import Testing

@Suite struct FileRecogniserTests {
  private static let film = OpenFile.Identity(device: 1, inode: 7)
  private static let copy = OpenFile.Identity(device: 1, inode: 8)

  private func file(
    _ identity: OpenFile.Identity = film, at position: UInt64, of size: UInt64 = 10 << 20,
    isWriting: Bool = false
  ) -> OpenFile {
    OpenFile(
      identity: identity, name: "film", size: size,
      place: FilePosition(position: position, isWriting: isWriting))
  }

  @Test func `what the kernel says of an open file is read`() {
    let reading = "pos:\t4096\nflags:\t0100000\nmnt_id:\t25\nino:\t7\n"
    #expect(
      FilePosition(information: Array(reading.utf8))
        == FilePosition(position: 4096, isWriting: false))
    let writing = "pos:\t0\nflags:\t02100001\n"
    #expect(FilePosition(information: Array(writing.utf8))?.isWriting == true)
    for text in ["", "pos:\t1\n", "flags:\t02\n", "pos:\tx\nflags:\t0\n", "pos: 1 2\nflags: 8\n"] {
      #expect(FilePosition(information: Array(text.utf8)) == nil)
    }
  }

  @Test func `a file counts once its position has grown`() {
    var recogniser = FileRecogniser()
    recogniser.take([file(at: 1 << 20)])
    #expect(recogniser.finding == nil)
    recogniser.take([file(at: 1 << 20)])
    #expect(recogniser.finding == nil)
    recogniser.take([file(at: 4 << 20)])
    #expect(recogniser.finding?.counts.completed == 4 << 20)
    #expect(recogniser.finding?.counts.total == 10 << 20)
    #expect(recogniser.finding?.source == .file)
    #expect(recogniser.finding?.recogniser == "reading film")
  }

  @Test func `small files are passed over`() {
    var recogniser = FileRecogniser()
    recogniser.take([file(at: 1, of: 1000)])
    recogniser.take([file(at: 900, of: 1000)])
    #expect(recogniser.finding == nil)
  }

  @Test func `what is read comes before what is written`() {
    var recogniser = FileRecogniser()
    let far = file(Self.copy, at: 90 << 20, of: 90 << 20, isWriting: true)
    recogniser.take([
      file(at: 1 << 20), file(Self.copy, at: 1 << 20, of: 90 << 20, isWriting: true),
    ])
    recogniser.take([far, file(at: 2 << 20)])
    #expect(recogniser.finding?.recogniser == "reading film")
    recogniser.take([far])
    #expect(recogniser.finding?.counts.completed == 2 << 20)
  }

  @Test func `of what is only written the amount is told`() {
    var recogniser = FileRecogniser()
    recogniser.take([file(at: 1 << 20, isWriting: true)])
    recogniser.take([file(at: 3 << 20, isWriting: true)])
    #expect(recogniser.finding?.counts.completed == 3 << 20)
    #expect(recogniser.finding?.counts.total == 0)
  }

  @Test func `a file that was closed near its end was read to it`() {
    var recogniser = FileRecogniser()
    recogniser.take([file(at: 1 << 20)])
    recogniser.take([file(at: 10 << 20 - 1)])
    recogniser.take([])
    #expect(recogniser.finding?.counts.completed == 10 << 20)
  }

  @Test func `the largest input is what a bare amount is measured by`() {
    #expect(
      FileRecogniser.largestInput(of: [file(at: 0), file(at: 0, of: 99 << 20, isWriting: true)])
        == 10 << 20)
    #expect(FileRecogniser.largestInput(of: []) == nil)
  }
}
