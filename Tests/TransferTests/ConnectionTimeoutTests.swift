import Foundation
import Glibc
import JobPage
import TestKit
import Testing

@testable import TransferJob

@Suite(.timeLimit(.minutes(10)))
struct `Patience with a server` {
  private static let content = TransferRun.bytes(50_000)

  @Test(
    arguments: [
      // Bytes are due: half a minute.
      (ConnectionTimeout.Due.receiving, 0, 30, nil), (.receiving, 0, 31, "nothing came for 30 s"),
      (.sending, 0, 30, nil), (.sending, 0, 31, "the server took nothing for 30 s"),
      // The other side thinks: five minutes.
      (.answer, 0, 300, nil), (.answer, 0, 301, "the server did not answer within 300 s"),
      // The client itself is slow, as requested.
      (.receiving, 100, 130, nil), (.receiving, 100, 131, "nothing came for 130 s"),
    ] as [(ConnectionTimeout.Due, Int, Int, String?)])
  func `is as long as what it waits for may take`(
    due: ConnectionTimeout.Due, pause: Int, after: Int, sentence: String?
  ) {
    let start = SuspendingClock.now
    var timeout = ConnectionTimeout(at: start)
    #expect(
      timeout.look(0, due: due, pause: .seconds(pause), at: start + .seconds(after)) == sentence)
  }

  @Test func `begins anew with every byte`() {
    let start = SuspendingClock.now
    var timeout = ConnectionTimeout(at: start)
    for second in stride(from: 29, to: 290, by: 29) {
      let now = start + .seconds(second)
      #expect(timeout.look(Int64(second), due: .receiving, pause: .zero, at: now) == nil)
    }
    let end = start + .seconds(261 + 31)
    #expect(timeout.look(261, due: .receiving, pause: .zero, at: end) != nil)
  }

  @Test func `is told to the runner as long as an answer is awaited`() throws {
    for job in ["download", "upload"] {
      let transfer = try TransferRun(job)
      let page = transfer.nextPagePath
      let server = try FileServer { request, _ in
        guard request.method != "OPTIONS" else { return FileServer.Answer(status: 405) }
        let first = Self.reports(page)
        let deadline = SuspendingClock.now + .seconds(30)
        while Self.reports(page) < first + 3, SuspendingClock.now < deadline { sched_yield() }
        guard Self.reports(page) >= first + 3 else { return FileServer.Answer(status: 404) }
        return request.method == "PUT"
          ? FileServer.Answer(status: 201) : .file(Self.content, to: request)
      }
      try Data(Self.content).write(to: URL(filePath: transfer.sandbox.path("trip.tar")))
      let arguments = job == "upload" ? ["trip.tar", server.address()] : [server.address()]
      #expect(try transfer.start(arguments).wait().status == 0, "\(job)")
    }
  }

  private static func reports(_ page: String) -> UInt64 {
    guard var reader = try? PageReader(path: page) else { return 0 }
    return reader.snapshot().reports
  }

  @Test func `of the runner is asked for while a slow disk takes what is only in memory yet`()
    throws
  {
    let download = try TransferRun("download")
    let (library, reached, gate) = (
      download.sandbox.root + "/slow.so", download.sandbox.root + "/reached",
      download.sandbox.root + "/gate"
    )
    try StubLibrary.build(
      text: """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int fsync(int file) {
          close(open("\(reached)", O_CREAT | O_WRONLY, 0600));
          for (int round = 0; round < 60000 && access("\(gate)", F_OK); round++) usleep(1000);
          return syscall(SYS_fsync, file);
        }
        """, at: library)
    let server = try FileServer { request, _ in .file(Self.content, to: request) }
    let running = try download.start([server.address()], environment: ["LD_PRELOAD": library])
    try WaitFor.file(reached)
    #expect(try download.page().quietUntil > 0)
    try Data().write(to: URL(filePath: gate))
    #expect(try running.wait().status == 0)
    #expect(try download.page().quietUntil == 0)
    #expect(download.content() == Self.content)
  }
}
