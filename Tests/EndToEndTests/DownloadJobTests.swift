import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Downloads as jobs of a runner on a machine that stops.
@Suite(.timeLimit(.minutes(10))) struct `A download that is a job` {
  private let workshop: Workshop
  private let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8) }

  init() throws { workshop = try Workshop() }

  /// Waits until the part has this size.
  private func awaitPart(_ size: Int) throws {
    let path = workshop.sandbox.path("file.bin.part")
    try WaitFor.change(at: path, awaited: "\(size) bytes", within: Deadline.timeout) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.size] as? Int).flatMap { $0 >= size ? true : nil }
    }
  }

  @Test func `goes on after a restart of the machine with what had reached the disk`() throws {
    let server = try FileServer { [content] request, number in
      var answer = FileServer.Answer.file(content, to: request)
      if number == 0 { (answer.sent, answer.isHeld) = (400_000, true) }
      return answer
    }
    #expect(
      try workshop.jobrun("submit", "--detach", "download", "--", server.address()).status == 0)
    try awaitPart(400_000)
    let record = try WaitFor.file(
      workshop.sandbox.home + "/state/runs/1.1", contains: "started")
    let supervisor = try #require(
      record.split(separator: " ").dropFirst(3).first.flatMap { Int32($0) })
    try workshop.reboot(killing: [supervisor])
    try forgetBehind(250_000)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try workshop.show(1).attempt == 2)
    let got = FileManager.default.contents(atPath: workshop.sandbox.path("file.bin"))
    #expect(got.map { Array($0) } == content)
    #expect(server.requests.map(\.start) == [nil, 250_000])
  }

  /// Damages the part as a power cut does: its last bytes differ, beyond the synced size in the notes.
  private func forgetBehind(_ size: Int) throws {
    let (part, notes) = (
      workshop.sandbox.path("file.bin.part"), workshop.sandbox.path("file.bin.part.notes")
    )
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: part))
    try file.seek(toOffset: UInt64(size))
    try file.write(contentsOf: Data(count: 400_000 - size))
    try file.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: notes))
    var kept = try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    kept["boot"] = "00000000-0000-4000-8000-000000000000"
    kept["durable"] = [["start": 0, "end": content.count, "done": size]]
    try JSONSerialization.data(withJSONObject: kept).write(to: URL(fileURLWithPath: notes))
  }
}
