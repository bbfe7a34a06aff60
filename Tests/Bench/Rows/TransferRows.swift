import Foundation
import JobCore
import JobWire
import LinuxSystem
import TestKit

/// Files from a web server on this machine, as jobs, beside common tools; without a disk.
final class TransferRows {
  private static let megabytes = 512
  private static let limitedMegabytes = 96
  private static let files = 1_000

  private let bench: Workbench
  private let server: WebServer
  /// Submitted so far.
  private var jobs: UInt64 = 0

  static func measure(rounds: Int) throws -> [Row] {
    guard let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx"].first(where: File.isExecutable) else {
      tell("nginx is not installed")
      return []
    }
    let bench = try Workbench(rounds: rounds, in: Workbench.memory)
    let server = try WebServer(nginx, bench)
    defer { server.end() }
    let rows = TransferRows(bench, server)
    return try rows.one() + rows.limited() + [rows.memory()] + rows.many()
  }

  private init(_ bench: Workbench, _ server: WebServer) {
    (self.bench, self.server) = (bench, server)
  }

  /// Bytes a second and processor time of one connection.
  private func one() throws -> [Row] {
    try server.make("large", megabytes: Self.megabytes)
    var processorTime: [String: Series] = [:]
    var turns = Alternation()
    let add = { (name: String, take: @escaping () throws -> (Double, Double)) in
      turns.add(name) {
        let (seconds, own) = try take()
        processorTime[name, default: Series()].samples.append(own * 1_000)
        return Double(Self.megabytes) / seconds
      }
    }
    add("jobrun") { [self] in
      try download(["--connections", "1", server.address("large"), "large"])
    }
    add("curl") { [self] in
      try child(["curl", "-s", "-f", "-o", "large.curl", server.address("large")])
    }
    let rates = try turns.run(rounds: bench.rounds)
    let reference = { (all: [String: Series]) in
      all["curl"].map { Row.Reference(name: "curl", series: $0) }
    }
    return [
      Row(
        name: "download, one connection, MB/s", unit: .count, ours: rates["jobrun"] ?? Series(),
        reference: reference(rates), budget: .ratioAtLeast(0.95)),
      Row(
        name: "download of \(Self.megabytes) MiB, processor time", unit: .milliseconds,
        ours: processorTime["jobrun"] ?? Series(), reference: reference(processorTime),
        budget: .ratioAtMost(1.15)),
    ]
  }

  /// Four connections to a server with a limited rate per connection.
  private func limited() throws -> [Row] {
    guard let aria = bench.executable("aria2c") else {
      tell("aria2c is not installed")
      return []
    }
    try server.make("limited/some", megabytes: Self.limitedMegabytes)
    let address = server.address("limited/some")
    var turns = Alternation()
    turns.add("jobrun") { [self] in
      Double(Self.limitedMegabytes)
        / (try download(["--connections", "4", address, "some"]).seconds)
    }
    turns.add("aria2c") { [self] in
      Double(Self.limitedMegabytes)
        / (try child(
          [
            aria, "-q", "-x4", "-s4", "-k1M", "--file-allocation=none", "--allow-overwrite=true",
            "-o", "some.aria", address,
          ]
        ).0)
    }
    let rates = try turns.run(rounds: min(3, bench.rounds))
    return [
      Row(
        name: "download, 4 connections of 8 MiB/s, MB/s", unit: .count,
        ours: rates["jobrun"] ?? Series(),
        reference: rates["aria2c"].map { .init(name: "aria2c", series: $0) },
        budget: .ratioAtLeast(0.95))
    ]
  }

  /// The largest resident size over ten gigabytes, of which all but the last gigabyte has come before.
  private func memory() throws -> Row {
    let size = 10_000
    try server.make("huge", megabytes: size)
    let there = (size - 1_000) << 20
    let part = bench.sandbox.path("huge.part")
    try File.open(part, [.write, .create]).resize(to: UInt64(there))
    let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    let notes = """
      {"address":"\(server.address("huge"))","validator":"\\"\(try server.tag(of: "huge"))\\"",
      "total":\(size << 20),"refusesRanges":false,"boot":"\(boot.dropLast())","durable":[],
      "pieces":[{"start":0,"end":\(size << 20),"done":\(there)}]}
      """
    try Data(notes.utf8).write(to: URL(fileURLWithPath: part + ".notes"))
    let job = try finished(["--connections", "1", server.address("huge"), "huge"])
    try FileManager.default.removeItem(atPath: bench.sandbox.path("huge"))
    return Row(
      name: "download of 10 GB, largest resident size", unit: .mebibytes,
      ours: Series([Double(job.use.maxResidentBytes ?? 0) / 1_048_576]), budget: .atMost(24))
  }

  /// Many small files: each as a job with its own process, beside one process for all.
  private func many() throws -> [Row] {
    for number in 1...Self.files { try server.make("small/\(number)", kilobytes: 1) }
    // As a person would: one command for each, and then the wait for all.
    let script = """
      for i in $(seq \(Self.files)); do
        "$0" submit --quiet --detach download -- --force "$1$i" small || exit 1
      done
      "$0" list --format number | xargs -r "$0" wait
      """
    var turns = Alternation()
    turns.add("jobrun") { [self] in
      let command = ["sh", "-c", script, try Workbench.command, server.address("small/")]
      return Double(Self.files) / (try bench.time(command)) * 1_000
    }
    turns.add("curl --parallel") { [self] in
      let milliseconds = try bench.time([
        "curl", "-s", "-f", "--parallel", "-o", "small.curl/#1", "--create-dirs",
        server.address("small/[1-\(Self.files)]"),
      ])
      return Double(Self.files) / milliseconds * 1_000
    }
    try FileManager.default.createDirectory(
      atPath: bench.sandbox.path("small"), withIntermediateDirectories: true)
    let rates = try turns.run(rounds: min(3, bench.rounds))
    return [
      Row(
        name: "downloads of 1 KB, each a job, 2 slots", unit: .perSecond,
        ours: rates["jobrun"] ?? Series(),
        reference: rates["curl --parallel"].map { .init(name: "curl --parallel", series: $0) },
        budget: .ratioAtLeast(0.5))
    ]
  }

  /// Seconds of a download from before its submission, and its worker's processor time in seconds.
  private func download(_ arguments: [String]) throws -> (seconds: Double, Double) {
    let start = AwakeClock.now()
    let job = try finished(["--force"] + arguments)
    return (bench.milliseconds(since: start) / 1_000, job.use.cpuSeconds ?? 0)
  }

  private func finished(_ arguments: [String]) throws -> JobStatus {
    let command = try bench.jobrun("submit", "--quiet", "download", "--")
    guard try bench.run(command + arguments) == 0 else { throw Fault("\(arguments) failed") }
    jobs += 1
    return try bench.channelToRunner().show(JobNumber(jobs))
  }

  private func child(_ command: [String]) throws -> (Double, Double) {
    let start = AwakeClock.now()
    let end = try LinuxSystem.ChildProcess.wait(try bench.start(command))
    guard end.status == .exited(0) else { throw Fault("\(command) ended with \(end.status)") }
    return (bench.milliseconds(since: start) / 1_000, Double(end.cpuMicroseconds) / 1e6)
  }
}
