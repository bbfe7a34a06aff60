import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// What every kind of engine promises is tested by the same suites, which know of a kind only this.
///
/// Its engines `red` and `blue` share machine, controller and folder; all of that is on this machine.
protocol EngineWorkshop {
  var workshop: Workshop { get }
  /// For the process that starts the runner.
  var environment: [String: String] { get }
  /// The folders of attempts are below it.
  var folder: String { get }

  /// From now on the engine is out of reach, and so it says: `silence`.
  func goAway() throws
  func comeBack() throws
  var silence: String { get }

  /// Ends a running job as a person there would; `supervisor`: its process.
  func endThere(_ job: JobStatus, supervisor: Int32) throws
  /// The outcome of that.
  var outcomeThere: Outcome { get }

  /// Waits until the engine has nothing of ours any more.
  func awaitNothingLeft() throws
  /// For the process that starts the runner: the engine's commands fail after they succeeded, or write
  /// rubbish.
  func misled() throws -> [String: String]
}

/// The kinds for which this machine has all that is needed.
enum EngineKind: String, CaseIterable {
  case host, slurm, gridEngine, oar

  /// Those whose attempts wait in a queue that is not ours.
  static let queues: [EngineKind] = [.slurm, .gridEngine, .oar]

  func open() throws -> any EngineWorkshop {
    switch self {
    case .host:
      guard SSHServer.isInstalled else { try Test.cancel("\(SSHServer.absence)") }
      return try SSHWorkshop()
    case .slurm:
      guard SlurmCluster.isInstalled else { try Test.cancel("\(SlurmWorkshop.absence)") }
      let slurm = try SlurmWorkshop(processors: 8)
      try slurm.configure(["red": slurm.folder, "blue": slurm.folder])
      return slurm
    case .gridEngine:
      guard GridEngineCell.isInstalled else { try Test.cancel("\(GridEngineWorkshop.absence)") }
      let grid = try GridEngineWorkshop()
      try grid.configure(["red", "blue"])
      return grid
    case .oar:
      guard OARSite.isInstalled else { try Test.cancel("\(OARWorkshop.absence)") }
      let oar = try OARWorkshop()
      try oar.configure(["red", "blue"])
      return oar
    }
  }

  /// With one counted job, which runs; its supervisor.
  func begin() throws -> (any EngineWorkshop, supervisor: Int32) {
    let engine = try open()
    try engine.defineCounted("gated")
    try engine.submit("gated", "--grace", "1s")
    return (engine, try engine.awaitRunning(1))
  }
}

extension EngineWorkshop {
  /// Submits a job of the workshop's bundle.
  func submit(_ name: String, on engine: String = "red", _ flags: String...) throws {
    let finished = try workshop.sandbox.run(
      "jobrun", ["submit", name, "--detach", "--on", engine] + flags,
      environment: workshop.environment.merging(environment) { $1 })
    #expect(finished.status == 0, "\(finished.errors)")
  }

  /// Each attempt that begins adds the number of its job to this file.
  var ran: String { workshop.sandbox.path("ran") }

  /// The numbers of the attempts that began, in ascending order.
  var begun: [Int] {
    get throws {
      try String(contentsOfFile: ran, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        .sorted()
    }
  }

  /// A job that is counted, tells its supervisor's process, and waits at the gate.
  func defineCounted(_ name: String) throws {
    _ = workshop.gate
    try workshop.define(
      name,
      "echo $JOBRUN_JOB >> '\(ran)'\necho $PPID > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"")
  }

  /// Waits until a counted job is known to run; its supervisor.
  func awaitRunning(_ number: UInt64) throws -> Int32 {
    let path = workshop.sandbox.path("ready.\(number)")
    let text = try WaitFor.file(path, contains: "\n")
    try workshop.feed(until: "started", of: number)
    return try #require(Int32(text.dropLast()))
  }

  /// Removes the folders of all attempts.
  func removeFolders() throws {
    let names = FileManager.default.enumerator(atPath: folder)
    for name in names?.compactMap({ $0 as? String }) ?? [] {
      let parts = name.split(separator: "/")
      guard parts.count > 1, parts[parts.count - 2] == "jobs" else { continue }
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }
}

extension Workshop {
  /// The processes of this name that the runner has started.
  func children(named name: String) throws -> [Int32] {
    Self.children(of: try RestartTests.runner(self), named: name)
  }

  static func children(of parent: Int32, named name: String) -> [Int32] {
    children(of: parent).filter { pid in
      (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)) == "\(name)\n"
    }
  }

  static func children(of parent: Int32) -> [Int32] {
    let path = "/proc/\(parent)/task/\(parent)/children"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { Int32($0) }
  }

  /// The helpers of all engines, or their connections.
  func helpers() throws -> [Int32] {
    try children(named: "jobrun-engine") + children(named: "ssh")
  }

  /// Puts commands of the test's own before others; the PATH with them.
  func path(overriding scripts: [String: String]) throws -> [String: String] {
    for (command, script) in scripts {
      try sandbox.write("#!/bin/sh\n\(script)\n", to: "bad/\(command)", executable: true)
    }
    return ["PATH": sandbox.path("bad") + ":" + (sandbox.environment["PATH"] ?? "")]
  }

  /// Writes engines into `config.json`: by name, the keys of each as JSON.
  func writeEngines(_ engines: [(name: String, keys: String)]) throws {
    let entries = engines.map { "\"\($0.name)\": {\($0.keys)}" }
    try Data("{\"engines\": {\(entries.joined(separator: ", "))}}".utf8)
      .write(to: URL(fileURLWithPath: sandbox.home + "/config.json"))
  }

  /// Of four calls of each command three go wrong, each in its way; `folder` has the command itself.
  func path(
    misleading commands: [String: [String]], in folder: String = "/usr/bin"
  ) throws -> [String: String] {
    // Each call has its turn.
    let turn = #"n=$(cat "$0.turn" 2>/dev/null || echo 0); echo $((n + 1)) > "$0.turn""#
    var scripts: [String: String] = [:]
    for (name, lies) in commands {
      let cases = lies.enumerated().map { "\($0.offset)) \($0.element);;" }.joined(separator: "\n")
      scripts[name] =
        "\(turn)\ncase $((n % 4)) in\n\(cases)\n*) exec \(folder)/\(name) \"$@\";;\nesac"
    }
    return try path(overriding: scripts)
  }
}
