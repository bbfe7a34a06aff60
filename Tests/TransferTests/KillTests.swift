import Foundation
import Glibc
import TestKit
import Testing

/// Two downloads and an upload at a time, whose processes are killed.
///
/// TRANSFER_KILLS is the number of kills, TRANSFER_SEED determines the victims and times.
@Suite(.timeLimit(.minutes(60)))
final class `Transfers whose parts are killed` {
  private let sandbox: Sandbox
  private let content = TransferRun.bytes(1_500_000)
  private var generator: SeededGenerator
  private var pages: FileServer?
  private var kept: TusServer
  private var open: [Transfer] = []
  private var figures = Figures()

  private struct Transfer {
    let number: Int
    let name: String
    var isUpload: Bool { name.hasPrefix("up") }
  }

  private struct Figures {
    var kills: [String: Int] = [:]
    var whole = 0
    var redone = 0
    /// Bytes from the server that did not arrive in a file or arrived twice.
    var sentAgain = 0
    /// Requests for bytes that a killed worker's part already had.
    var askedAgain = 0
    /// The part of each download when its worker was killed, and the number of its requests.
    var checkpoints: [(path: String, requests: Int, size: Int)] = []
    /// Of servers that are gone.
    var requests: [FileServer.Request] = []
    var sent = 0
  }

  init() throws {
    sandbox = try Sandbox()
    kept = try TusServer()
    let seed = ProcessInfo.processInfo.environment["TRANSFER_SEED"].flatMap { UInt64($0) }
    generator = SeededGenerator(seed: seed ?? 18)
    try Data(content).write(to: URL(filePath: sandbox.path("trip.tar")))
    pages = try server()
  }

  private func server(port: UInt16 = 0) throws -> FileServer {
    try FileServer(port: port) { [content] request, _ in .file(content, to: request) }
  }

  @Test func `come whole, and nothing of what was there is asked for twice`() throws {
    let wanted = ProcessInfo.processInfo.environment["TRANSFER_KILLS"].flatMap { Int($0) } ?? 8
    let feed = try sandbox.start("jobrun", ["feed"])
    defer { feed.signal(SIGKILL) }
    var kinds: [String] = []
    for _ in 0..<wanted {
      if kinds.isEmpty {
        kinds = ["worker", "supervisor", "runner", "server"].shuffled(using: &generator)
      }
      try fill()
      // Not after a guessed time: whenever it happens to be.
      let span = Duration.milliseconds(Int.random(in: 0...600, using: &generator))
      #expect(throws: (any Error).self) { try feed.wait(within: span) }
      try kill(kinds.removeLast())
      try collect()
    }
    let deadline = ContinuousClock.now + Deadline.timeout
    while !open.isEmpty {
      try #require(ContinuousClock.now < deadline, "\(open) go on for ever")
      _ = try jobrun(["wait", "\(open[0].number)"])
      try collect()
    }
    checkCheckpoints()
    figures.sent += pages?.bytesSent ?? 0
    figures.sentAgain += figures.sent - content.count * figures.whole
    if let report = ProcessInfo.processInfo.environment["TRANSFER_REPORT"] {
      try Data(summary.utf8).write(to: URL(filePath: report))
    }
  }

  private var summary: String {
    let kills = figures.kills.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    return """
      \(kills.joined(separator: ", ")) killed; \(figures.whole) downloads and \(uploads) uploads whole, \
      \(figures.redone) redone; asked for again: \(figures.askedAgain) bytes; sent and lost on the way: \
      \(figures.sentAgain) bytes of downloads, \(kept.lost - content.count * max(0, uploads - 1)) of uploads

      """
  }

  private var uploads = 0

  private func jobrun(_ arguments: [String]) throws -> String {
    try sandbox.run("jobrun", arguments).output
  }

  /// Submits up to two downloads and an upload.
  private func fill() throws {
    while open.count(where: { !$0.isUpload }) < 2 {
      try submit("down\(submitted)") { name in
        ["download", "--", "--limit-rate", "1M", pages?.address(name) ?? "", name]
      }
    }
    if !open.contains(where: \.isUpload) {
      try submit("up\(uploads)") { _ in
        ["upload", "--", "--limit-rate", "1M", "trip.tar", kept.address]
      }
    }
  }

  private var submitted = 0

  private func submit(_ name: String, _ words: (String) -> [String]) throws {
    let told = try sandbox.run("jobrun", ["submit", "--detach", "--json"] + words(name))
    let number = try #require(told.output.firstMatch(of: /"number":(\d+)/)?.output.1)
    submitted += 1
    open.append(Transfer(number: try #require(Int(number)), name: name))
  }

  private func kill(_ kind: String) throws {
    switch kind {
    case "server": try replaceServers()
    case "runner": guard try kill(sandbox.runners) else { return }
    case "worker": guard try kill(workers(), whoseWorkersStop: true) else { return }
    default: guard try kill(sandbox.supervisors, whoseWorkersStop: true) else { return }
    }
    figures.kills[kind, default: 0] += 1
  }

  private func workers() -> [Int32] {
    sandbox.processes(running: "--limit-rate").filter {
      sandbox.program(of: $0).hasSuffix("load")
    }
  }

  /// Kills one of them; the downloads' files are read while they are stopped.
  private func kill(_ victims: [Int32], whoseWorkersStop: Bool = false) throws -> Bool {
    guard !victims.isEmpty else { return false }
    let stopped = whoseWorkersStop ? workers() : []
    for pid in stopped { Glibc.kill(pid, SIGSTOP) }
    let victim = victims[Int.random(in: 0..<victims.count, using: &generator)]
    if whoseWorkersStop {
      for transfer in open where !transfer.isUpload {
        let part = try? FileManager.default.attributesOfItem(
          atPath: sandbox.path(transfer.name + ".part"))
        guard let size = part?[.size] as? Int else { continue }
        let asked = requests(of: "/" + transfer.name).count
        figures.checkpoints.append((transfer.name, asked, size))
      }
    }
    Glibc.kill(victim, SIGKILL)
    try WaitFor.end(ofProcess: victim)
    for pid in stopped where pid != victim { Glibc.kill(pid, SIGCONT) }
    return true
  }

  /// As if their machine had been restarted.
  private func replaceServers() throws {
    guard let old = pages else { return }
    old.stop()
    figures.requests += old.requests
    figures.sent += old.bytesSent
    pages = nil
    pages = try server(port: old.port)
    try kept.restart()
  }

  private func requests(of path: String) -> [FileServer.Request] {
    (figures.requests + (pages?.requests ?? [])).filter { $0.path == path }
  }

  /// Checks ended jobs, and redoes those that a kill has ended.
  private func collect() throws {
    for transfer in open {
      let shown = try jobrun(["show", "\(transfer.number)", "--json"])
      let target = FileManager.default.contents(atPath: sandbox.path(transfer.name))
      if !transfer.isUpload, let target { #expect(Array(target) == content, "\(transfer.name)") }
      guard shown.contains("\"state\":\"ended\"") else { continue }
      guard shown.contains("\"outcome\":\"succeeded\"") else {
        let again = try sandbox.run("jobrun", ["redo", "\(transfer.number)"])
        #expect(again.status == 0, "\(again.errors) \(shown)")
        figures.redone += 1
        continue
      }
      open.removeAll { $0.number == transfer.number }
      if transfer.isUpload {
        #expect(kept.content == content, "\(transfer.name)")
        uploads += 1
      } else {
        #expect(target != nil, "\(transfer.name)")
        figures.whole += 1
        let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.path(""))
        #expect(!left.contains { $0.hasPrefix(transfer.name + ".") }, "\(left)")
      }
    }
  }

  private func checkCheckpoints() {
    for (name, asked, size) in figures.checkpoints {
      guard let next = requests(of: "/" + name).dropFirst(asked).first else { continue }
      let start = next.start ?? 0
      #expect(start >= size, "\(name) has \(size) bytes, and is asked for from \(start) on")
      figures.askedAgain += max(0, size - start)
    }
  }
}
