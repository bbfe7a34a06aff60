import JobPage
import LinuxSystem
import TestKit
import Testing

struct MirrorTests {
  private static var mirror: Mirror {
    var mirror = Mirror(page: PageFile.content(number: 7, attempt: 2, title: "Trip", subtitle: "é"))
    mirror.sequence = 3
    mirror.nodeClock = 4
    mirror.wallMilliseconds = 5
    mirror.reportedAgo = 6
    mirror.advancedAgo = 7
    mirror.logBytes = 8
    mirror.state = .ended
    mirror.restart = 9
    mirror.node = "n3"
    mirror.line = "ended exit 0 cpu 1 rss 2 from 3 to 4"
    return mirror
  }

  @Test func `what is written is read`() throws {
    let bytes = Self.mirror.encoded()
    #expect(bytes.count == 4096)
    let read = try #require(Mirror(decoding: bytes))
    #expect(read == Self.mirror)
    #expect(read.snapshot.title == "Trip")
    #expect(read.snapshot.subtitle == "é")
    #expect(read.snapshot.condition == .intact)
  }

  @Test func `a half of one writing and a half of another are none`() {
    let old = Self.mirror.encoded()
    var mirror = Self.mirror
    mirror.sequence += 1
    mirror.image[64] = 1
    let new = mirror.encoded()
    for cut in stride(from: 512, to: 4096, by: 512) {
      let torn = Array(new[..<cut] + old[cut...])
      #expect(Mirror(decoding: torn) == nil, "at \(cut)")
    }
    for place in stride(from: 0, to: 4096, by: 7) {
      var damaged = new
      damaged[place] ^= 0x10
      #expect(Mirror(decoding: damaged) == nil, "at \(place)")
    }
    #expect(Mirror(decoding: Array(new.dropLast())) == nil)
    #expect(Mirror(decoding: [UInt8](repeating: 0, count: 4096)) == nil)
  }

  @Test func `the sum is the one that others compute`() {
    // The standard check value of CRC-32C.
    var bytes = Array("123456789".utf8) + [0, 0, 0, 0]
    bytes.seal()
    #expect(bytes.suffix(4) == [0x83, 0x92, 0x06, 0xE3])
  }

  @Test func `a page that was cut short shows as that`() {
    var mirror = Self.mirror
    mirror.image = Mirror.image(of: [])
    #expect(mirror.snapshot.condition == .truncated)
    mirror.image = [UInt8](repeating: 7, count: Mirror.imageSize)
    #expect(mirror.snapshot.condition == .garbage)
  }

  @Test func `everything is where the document says`() throws {
    let document = try Document("Sources/JobPage/mirror.md")
    let bytes = Self.mirror.encoded()
    let values: [UInt64] = [3, 4, 5, 6, 7, 8, 2, 9]
    let rows = document.table(below: "## Mirror")
    for (row, value) in zip(rows.dropFirst(), values) {
      let start = try #require(Int(row[0]))
      let width = row[1] == "u64" ? 8 : 4
      let read = bytes[start..<(start + width)].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      #expect(read == value, "\(row)")
    }
    #expect(bytes[2104..<2107] == [0x6E, 0x33, 0])
    #expect(bytes[2168] == UInt8(Self.mirror.line.utf8.count))

    var control = ControlPage()
    control.paceMilliseconds = 11
    control.isStopped = true
    control.reason = 12
    control.graceMilliseconds = 13
    control.isKilled = true
    control.terminates = true
    control.fastSeconds = 14
    control.engineGraceMilliseconds = 15
    control.serial = 16
    control.slot = 17
    control.endsAtMilliseconds = 18
    #expect(ControlPage(decoding: control.encoded()) == control)
    let words: [UInt64] = [0x3143_524A, 11, 1, 12, 13, 1, 1, 14, 15, 16, 17, 18]
    for (row, value) in zip(document.table(below: "## Control"), words) {
      let start = try #require(Int(row[0]))
      let width = row[1] == "u64" ? 8 : 4
      let read = control.encoded()[start..<(start + width)].reversed()
        .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(read == value, "\(row)")
    }
  }
}
