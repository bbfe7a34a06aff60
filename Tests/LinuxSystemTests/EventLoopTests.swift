import LinuxSystem
import Testing

struct EventLoopTests {
  @Test func `a deadline is met, and not early`() throws {
    var loop = try EventLoop()
    let deadline = AwakeClock.now() + 3_000_000
    #expect(try loop.wait(until: deadline).isEmpty)
    #expect(AwakeClock.now() >= deadline)
  }

  @Test func `a deadline in the past only looks`() throws {
    var loop = try EventLoop()
    #expect(try loop.wait(until: 0).isEmpty)
  }

  @Test func `input is told with its token until it is read`() throws {
    var loop = try EventLoop()
    var pipe = try Pipe()
    let reading = pipe.takeReading()
    let writing = pipe.takeWriting()
    try loop.add(reading.number, .readable, token: 7)
    try writing.writeAll([1, 2])
    for _ in 0..<2 {
      let ready = try loop.wait(until: generousDeadline())
      #expect(ready.map(\.token) == [7])
      #expect(ready.first?.isReadable == true)
    }
    var bytes: [UInt8] = []
    #expect(try reading.read(into: &bytes) == .bytes(2))
    #expect(try loop.wait(until: 0).isEmpty)
  }

  @Test func `a closed other side is a hang-up, also when nothing else is wanted`() throws {
    var loop = try EventLoop()
    var pipe = try Pipe()
    let reading = pipe.takeReading()
    try loop.add(reading.number, [], token: 1)
    _ = consume pipe
    #expect(try loop.wait(until: generousDeadline()).first?.isHangup == true)
  }

  @Test func `what is no longer watched is no longer told`() throws {
    var loop = try EventLoop()
    var pipe = try Pipe()
    let reading = pipe.takeReading()
    let writing = pipe.takeWriting()
    try loop.add(reading.number, .readable, token: 1)
    try writing.writeAll([1])
    loop.remove(reading.number)
    #expect(try loop.wait(until: 0).isEmpty)
    try loop.add(reading.number, .readable, token: 2)
    #expect(try loop.wait(until: generousDeadline()).map(\.token) == [2])
  }

  @Test func `more descriptors than fit into one wait all come out`() throws {
    var loop = try EventLoop()
    var pipes: [OpenPipe] = []
    for token in 0..<300 {
      let pipe = try OpenPipe()
      try loop.add(pipe.writing, .writable, token: UInt64(token))
      pipes.append(pipe)
    }
    var seen: Set<UInt64> = []
    while seen.count < 300 {
      let ready = try loop.wait(until: generousDeadline())
      #expect(ready.count <= EventLoop.eventsPerWait)
      try #require(!ready.isEmpty)
      for event in ready {
        seen.insert(event.token)
        loop.remove(pipes[Int(event.token)].writing)
      }
    }
  }

  @Test func `polling tells which of several descriptors is ready`() throws {
    var first = try Pipe()
    var second = try Pipe()
    let quiet = first.takeReading()
    let loud = second.takeReading()
    try second.takeWriting().writeAll([1])
    let ready = try Poll.wait(
      [(quiet.number, .readable), (loud.number, .readable)], until: generousDeadline())
    #expect(ready.map(\.token) == [1])
    #expect(try !Poll.wait(quiet.number, until: 0))
  }
}

/// A pipe in a shape that an array can hold.
private final class OpenPipe {
  private let reading: FileDescriptor
  private let end: FileDescriptor
  let writing: Int32

  init() throws {
    var pipe = try Pipe()
    let end = pipe.takeWriting()
    writing = end.number
    reading = pipe.takeReading()
    self.end = end
  }
}
