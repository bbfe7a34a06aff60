import Foundation
import Glibc
import JobFiles
import TestKit
import Testing

@testable import TransferJob

@Suite(.timeLimit(.minutes(10)))
struct `Connections of one transfer` {
  private func connection(_ piece: Int, _ library: CurlLibrary) throws -> Connection {
    try #require(
      unsafe Connection(
        Request(address: "http://127.0.0.1:1/", speed: 1_000_000), piece: piece, library: library,
        takesBody: { _, _ in true }))
  }

  @Test func `share the rate, however many there are just then`() throws {
    let library = try CurlLibrary()
    let pool = try ConnectionPool(library, speed: 1_000_000)
    for piece in 0..<4 {
      pool.add(try connection(piece, library))
      #expect(pool.connections.count == piece + 1)
      let rates = pool.connections.values.compactMap(\.speed)
      #expect(rates == Array(repeating: 1_000_000 / Int64(piece + 1), count: piece + 1))
    }
    // Without a listener there, all of them end.
    let deadline = Deadline()
    while let last = pool.connections.values.first, !deadline.hasPassed {
      let rates = pool.connections.values.compactMap(\.speed)
      #expect(Set(rates) == [1_000_000 / Int64(rates.count)], "\(last.piece)")
      _ = pool.perform()
      pool.wait(.milliseconds(10))
    }
    #expect(pool.connections.isEmpty)
  }

  @Test func `are several over TLS, too: HTTP/2 would make one of them`() throws {
    let download = try TransferRun("download")
    let greeted = download.sandbox.root + "/greeted"
    let server = try FileServer { _, _ in
      _ = FileManager.default.createFile(atPath: greeted, contents: nil)
      return FileServer.Answer(status: 400)
    }
    let address = server.address().replacing("http://", with: "https://")
    let running = try download.start([address])
    try WaitFor.file(greeted)
    running.signal(SIGKILL)
    _ = try running.wait()
    let greeting = try #require(server.requests.first)
    #expect(greeting.method == "TLS" && greeting.path.contains("http/1.1"))
    #expect(!greeting.path.contains("\u{2}h2"))
  }

  @Test(arguments: ["1", "4"])
  func `keep to the rate together`(count: String) throws {
    let download = try TransferRun("download")
    let content = TransferRun.bytes(3_000_000)
    let server = try FileServer { request, _ in .file(content, to: request) }
    let began = ContinuousClock.now
    let arguments = ["--limit-rate", "1M", "--connections", count, server.address()]
    #expect(try download.start(arguments).wait().status == 0)
    #expect(ContinuousClock.now - began > .seconds(2))
    #expect(download.content() == content)
  }

  @Test func `what is still on its way to the disk does not count for another file`() {
    let pieces = (0..<4).map { [Piece(start: 0, end: 9, done: $0)] }
    var state = SyncedPieces.State()
    var arrived: [[Piece]?] = []
    let rounds = [state.begin(), state.begin()]
    #expect(rounds == [0, nil], "one at a time")
    state.forget()
    state.end(0, pieces[0])
    arrived.append(state.take())
    let round = state.begin()
    state.end(round ?? 0, pieces[1])
    arrived.append(state.take())
    arrived.append(state.take())
    _ = state.begin()
    state.end(1, pieces[2])
    state.forget()
    arrived.append(state.take())
    #expect(arrived == [nil, pieces[1], nil, nil])
  }
}
