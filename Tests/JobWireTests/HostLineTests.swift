import JobCore
import JobWire
import Testing

struct HostLineTests {
  private func written(_ line: HostLine) -> String {
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `what a host is told comes back as it was written`() throws {
    let launch = HostedLaunch(
      number: JobNumber(12), attempt: 2, identifier: "org.example.notes.trip",
      page: "/run/pages/12.2", gpus: ["GPU-1"], stateDirectory: "/state/12")
    let number = JobNumber(7)
    for line in [HostLine.launch(launch), .pause(number), .resume(number), .ended(number)] {
      let text = written(line)
      #expect(try RunnerLine(line: Array(text.utf8.dropLast())[...]) == .host(line))
    }
    #expect(written(.ended(JobNumber(7))) == "{\"host\":\"ended\",\"number\":7}\n")
  }

  @Test func `what a host says comes back as it was written`() throws {
    let claim = HostClaim(
      host: "0123456789abcdef", running: [JobNumber(3)], waiting: [JobNumber(5), JobNumber(9)])
    let requests: [Request] = [
      .host(claim), .hostBegan(JobNumber(3), attempt: 1), .hostCompleted(JobNumber(3), attempt: 1),
      .hostPaused(JobNumber(3), true),
    ]
    for request in requests {
      var bytes: [UInt8] = []
      RequestLine(id: 4, request).append(to: &bytes)
      #expect(try RequestLine(line: bytes.dropLast()).request == request)
    }
  }

  @Test func `a mark that is no mark is refused with a sentence`() {
    let line = #"{"v":1,"id":1,"op":"host","host":"short","running":[],"waiting":["x"]}"#
    #expect(throws: RequestLineError.self) { try RequestLine(line: Array(line.utf8)[...]) }
  }
}
