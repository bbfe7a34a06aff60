import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `An upload in the background` {
  private let run: SessionRun

  init() throws {
    run = try SessionRun()
    try run.sandbox.write(String(repeating: "x", count: 200_000), to: "trip.tar")
  }

  @Test(arguments: ["put", "post"])
  func `sends a file, and gives what the server answers`(method: String) throws {
    let server = try FileServer { _, _ in
      FileServer.Answer(
        status: 201, fields: ["Content-Length": "6"], body: Array("thanks".utf8))
    }
    let finished = try run.run(
      "\(method)=\(run.sandbox.path("trip.tar")),\(server.address("in"))", "completed=1")
    #expect(finished.status == 0, "\(finished.errors)")
    let request = try #require(server.requests.first)
    #expect(request.method == method.uppercased() && request.body.count == 200_000)
    #expect(request.fields["x-probe"] == "secret")
    #expect(run.told("received") == ["received 1 thanks"])
    #expect(run.told("completed") == ["completed 1 0 201"])
    #expect(run.told("sent").last == "sent 1 200000 200000")
    #expect(run.leftovers == [])
  }
}
