import Dispatch
import JobPage
import LinuxSystem
import Synchronization
import TestKit
import Testing

struct RemoteClaimTests {
  /// As many as are quick.
  private static let rounds = 2_000

  @Test func `of two who claim an attempt at once exactly one has it`() throws {
    let scratch = try Scratch()
    for round in 0..<Self.rounds {
      let folder = JobFolder(path: scratch.file("1.\(round)"))
      try File.makeDirectory(folder.path)
      let won = Mutex<[Bool]>([])
      let ready = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: 2) { place in
        // One claims that it runs it, the other revokes it.
        let claims = place == round % 2
        let line: RunRecord.Line =
          claims ? .claimed(.init(node: "n1", job: "1", restart: 0, milliseconds: 1)) : .revoked
        ready.add(1, ordering: .relaxed)
        // For a moment only: the other may be waiting for a processor.
        for _ in 0..<100_000 where ready.load(ordering: .relaxed) < 2 {}
        if (try? RemoteClaim.make(folder, line)) == true { won.withLock { $0.append(claims) } }
      }
      let winners = won.withLock { $0 }
      #expect(winners.count == 1, "round \(round)")
      let record = try RunRecordFile(existing: folder.record).read()
      #expect(record.isRevoked == (winners == [false]), "round \(round)")
      #expect((record.claimed != nil) == (winners == [true]), "round \(round)")
      #expect(try File.names(in: folder.path) == ["record"], "round \(round)")
      try File.removeTree(folder.path)
    }
  }

  @Test func `of two supervisors of one attempt one begins it, and the other touches nothing`()
    throws
  {
    let scratch = try Scratch()
    for round in 1...20 {
      let run = try NodeRun(scratch.path, script: "echo ran", number: UInt64(round))
      let nodes = [try run.start(), try run.start(), try run.start()]
      let codes = try nodes.map { try run.exitCode(of: $0) }
      #expect(codes.sorted() == [0, 75, 75], "round \(round)")
      #expect(try run.log() == "ran\n", "round \(round)")
      #expect(try run.record().ended?.status == .exited(0), "round \(round)")
    }
  }

  @Test func `what was revoked never begins`() throws {
    let scratch = try Scratch()
    let run = try NodeRun(scratch.path, script: "echo ran")
    #expect(try RemoteClaim.make(run.folder, .revoked))
    #expect(try run.exitCode(of: run.start()) == 75)
    #expect(!File.exists(run.order.log))
    #expect(try run.record().isRevoked)
  }

  @Test func `where no folder is left nothing begins`() throws {
    let scratch = try Scratch()
    let run = try NodeRun(scratch.path, script: "echo ran")
    try File.removeTree(run.folder.path)
    #expect(try run.exitCode(of: run.start()) == 75)
    #expect(!File.exists(run.order.log))
  }

  @Test func `a claim for which the disk has no room is none`() throws {
    let scratch = try Scratch()
    let run = try NodeRun(scratch.path, script: "echo ran")
    #expect(try run.exitCode(of: run.start(limits: "ulimit -f 0")) == 75)
    #expect(!File.exists(run.folder.record))
    #expect(try run.exitCode(of: run.start()) == 0)
    #expect(try run.log() == "ran\n")
  }
}
