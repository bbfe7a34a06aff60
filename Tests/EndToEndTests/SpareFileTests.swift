import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Files of ended attempts are reused, because creating files where many were removed is slow.
@Suite struct SpareFileTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }

  init() throws {
    workshop = try Workshop(slots: 2)
    try workshop.defineGated("gated", #","grace":"1ms""#)
    // While one job runs, the files of others are kept.
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
  }

  /// Starts a job; record, order and page of its attempt, by the numbers that the file system gave them.
  private func start(_ number: UInt64) throws -> [UInt64] {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(number)
    let record = "\(state)/runs/\(number).1"
    let order = record + ".order"
    let page = "\(workshop.sandbox.home)/run/pages/\(number).1"
    // The process that was copied for its supervisor closes it after the job has begun, and a file that is
    // open is not reused.
    try WaitFor.change(at: order, awaited: "the order to be closed", within: Deadline.timeout) {
      (try? File.open(order).isSole()) == true ? true : nil
    }
    return try [record, order, page].map { try #require(try File.status($0)).node }
  }

  /// Ends it, and waits until its files are away.
  private func end(_ number: UInt64) throws {
    #expect(try workshop.jobrun("cancel", "\(number)").status == 0)
    try workshop.waitForEnd(number)
    try WaitFor.noFile("\(workshop.sandbox.home)/run/pages/\(number).1")
  }

  @Test func `those of a job that has ended are the next job's`() throws {
    let before = try start(2)
    try end(2)
    let after = try start(3)
    #expect(Set(after) == Set(before))
    // Their old content is not used.
    #expect(try workshop.show(3).state != .ended)
    try end(3)
    #expect(try workshop.show(3).outcome == .cancelled && workshop.show(2).outcome == .cancelled)
  }

  @Test func `one that somebody has open is never another's`() throws {
    let before = try start(2)
    let record = try File.open("\(state)/runs/2.1")
    try end(2)
    let after = try start(3)
    #expect(!after.contains(before[0]) && after.contains(before[1]))
    let text = String(decoding: try record.read(at: 0, maximum: 4096), as: UTF8.self)
    #expect(text.contains("ended signal"))
    try end(3)
  }

  @Test func `they go when nothing runs`() throws {
    _ = try start(2)
    try end(2)
    try end(1)
    for number in 1...6 { try WaitFor.noFile("\(state)/discarded/\(number)") }
  }

  @Test func `an order that was made for another attempt is none`() throws {
    try File.rename("\(state)/runs/1.1.order", to: "\(state)/runs/other")
    _ = try start(2)
    try workshop.killRunner()
    let order = try File.readAll("\(state)/runs/2.1.order")
    try File.writeAtomically(order, to: "\(state)/runs/1.1.order")
    for ending in ["", "-wal", "-shm"] { try File.remove("\(state)/jobrun.db\(ending)") }
    let listed = try workshop.jobrun("list", "--json").output
    #expect(listed.contains("\"number\":2,") && !listed.contains("\"number\":1,"), "\(listed)")
    // Only the first one ends its own processes.
    let opened = try workshop.openGate()
    try workshop.waitForEnd(2)
    withExtendedLifetime(opened) {}
  }
}
