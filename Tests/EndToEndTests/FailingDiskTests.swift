import Foundation
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A disk whose reads and writes fail for a while (EIO), simulated by a test library.
@Suite struct FailingDiskTests {
  private let workshop: Workshop
  private let fault: String
  private let environment: [String: String]
  private var state: String { workshop.sandbox.home + "/state" }

  init() throws {
    workshop = try Workshop()
    let library = workshop.sandbox.path("faulty.so")
    try StubLibrary.build("FaultyMachine/faulty_machine.c", at: library)
    let none = try workshop.sandbox.write("", to: "faults/none")
    fault = File.parent(of: none) + "/disk"
    environment = [
      "LD_PRELOAD": library, "FAULTS": File.parent(of: fault), "FAULTY_PROGRAM": "jobrund",
    ]
    try workshop.define("gated", "echo x > \"$READY.1\"; read line < \"$GATE\"; exit 7")
  }

  @Test func `a store that cannot be read for a while is not given up`() throws {
    #expect(try workshop.jobrun("run", "--", "true", environment: environment).status == 0)
    try workshop.killRunner()
    try workshop.sandbox.write("", to: "faults/disk")
    let refused = try workshop.jobrun("list", environment: environment)
    #expect(refused.status == 73, "\(refused)")
    try File.remove(fault)
    #expect(try workshop.jobrun("show", "1", environment: environment).status == 0)
    #expect(try !File.names(in: state).contains { $0.contains(".broken") })
  }

  @Test func `what ends while the disk fails gets its true end when it works again`() throws {
    let submitted = try workshop.jobrun("submit", "gated", "--detach", environment: environment)
    #expect(submitted.status == 0, "\(submitted)")
    try workshop.awaitReady(1)
    try workshop.sandbox.write("", to: "faults/disk")
    let refused = try workshop.jobrun("submit", "gated", "--detach", environment: environment)
    #expect(refused.status == 73, "\(refused)")
    let waiting = try workshop.start("wait", "1", environment: environment)
    let opened = try workshop.openGate()
    try WaitFor.file(state + "/runs/1.1", contains: "ended exit 7")
    try File.remove(fault)
    #expect(try waiting.wait().status == 7)
    #expect(try workshop.jobrun("submit", "gated", environment: environment).status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test func `leftovers that cannot be removed at a runner's start are removed later`() throws {
    let leftover = state + "/state/9"
    try File.makeDirectories(leftover)
    let blocked = try workshop.sandbox.write("", to: "faults/folders")
    #expect(try workshop.jobrun("run", "--", "true", environment: environment).status == 0)
    #expect(File.exists(leftover))
    try File.remove(blocked)
    try WaitFor.noFile(leftover)
  }

  @Test func `a leftover with a living supervisor is removed once that has gone`() throws {
    let (record, other) = (state + "/runs/9.1", state + "/state/9")
    for folder in [File.parent(of: record), other] { try File.makeDirectories(folder) }
    var supervisor: FileDescriptor? = try File.open(record, [.read, .write, .create])
    #expect(try supervisor?.tryLock() == true)
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
    try WaitFor.noFile(other)
    #expect(File.exists(record))
    supervisor = nil
    try WaitFor.noFile(record)
  }
}
