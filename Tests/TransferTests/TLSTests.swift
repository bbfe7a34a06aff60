import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A download over TLS` {
  private let download: TransferRun
  private let content = TransferRun.bytes(100_000)

  init() throws {
    download = try TransferRun("download")
    try Data(content).write(to: URL(filePath: download.sandbox.path("there.bin")))
  }

  private func fetch(
    _ flaw: TLSServer.Flaw = .none, trusting trusts: Bool = true
  ) throws -> (status: Int32?, message: String) {
    let server = try TLSServer(in: download.sandbox, flaw)
    let flags = trusts ? ["--ca-file", server.authority] : []
    let finished = try download.start(flags + [server.address("there.bin"), "here.bin"]).wait()
    return (finished.status, try download.page().message)
  }

  @Test func `comes from who has a certificate of an authority that is trusted`() throws {
    #expect(try fetch().status == 0)
    #expect(download.content("here.bin") == content)
  }

  @Test(
    arguments: [
      (TLSServer.Flaw.otherHost, true, "no alternative certificate subject name matches"),
      (.expired, true, "certificate has expired"),
      (.none, false, "unable to get local issuer certificate"),
    ])
  func `is refused at once in one sentence, and leaves nothing`(
    flaw: TLSServer.Flaw, trusts: Bool, reason: String
  ) throws {
    let began = ContinuousClock.now
    let (status, message) = try fetch(flaw, trusting: trusts)
    #expect(status == 1)
    #expect(message.hasPrefix("cannot download https://127.0.0.1:"), "\(message)")
    #expect(message.contains(reason), "\(message)")
    #expect(!message.contains("\n"))
    #expect(try download.names().filter { $0.hasPrefix("here.bin") } == [])
    #expect(ContinuousClock.now - began < .seconds(60), "it is not tried again")
  }

  @Test func `has no way around that`() throws {
    let finished = try download.start(["--insecure", "https://127.0.0.1:1/x"]).wait()
    #expect(finished.status == 64)
    #expect(try download.page().message.hasPrefix("download has no flag --insecure"))
  }
}
