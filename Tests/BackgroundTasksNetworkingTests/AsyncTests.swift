import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `An async form in the background` {
  private let run: SessionRun
  private let content = SessionRun.bytes(300_000)

  init() throws { run = try SessionRun() }

  @Test func `gives what the server answers`() throws {
    let server = try SessionRun.server(content)
    #expect(try run.run("data=\(server.address())").status == 0)
    #expect(run.told("data") == ["data 300000 200"])
    #expect(run.leftovers == [])
  }
}
