import Foundation
import Glibc

extension Sandbox {
  /// Live processes whose environment names this sandbox's home, ascending: the runner, shims, workers and
  /// all descendants with their environment.
  package var processes: [Int32] { processes(with: "JOBRUN_HOME=\(home)") }

  /// Live processes whose environment has one of these variables, ascending.
  private func processes(with variables: String...) -> [Int32] {
    let wanted = variables.map { Data("\($0)\0".utf8) }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { Int32($0) }.filter { pid in
      let environment = bytes("environ", of: pid)
      return wanted.contains { environment.range(of: $0) != nil }
    }.sorted()
  }

  /// Those of `processes` whose command line, joined with blanks, contains `text`.
  package func processes(running text: String) -> [Int32] {
    processes.filter { commandLine(of: $0).contains(text) }
  }

  /// The runners.
  ///
  /// Without their children: between fork and exec, a supervisor has the command line of its runner.
  package var runners: [Int32] {
    let all = processes(running: "jobrund")
    return all.filter { pid in
      let status = String(decoding: bytes("stat", of: pid), as: UTF8.self)
      let parent = status.split(separator: ")").last?.split(separator: " ").dropFirst().first
      return !all.contains { parent.map(String.init) == "\($0)" }
    }
  }

  /// The supervisors of running attempts, from their records.
  package var supervisors: [Int32] {
    let folder = home + "/state/runs"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      let record = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
      let lines = String(decoding: record, as: UTF8.self).split(separator: "\n")
      let words = lines.first?.split(separator: " ") ?? []
      return lines.count == 1 && words.count == 5 ? Int32(words[3]) : nil
    }
  }

  /// The path of a process's program; empty once it has ended.
  package func program(of pid: Int32) -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")) ?? ""
  }

  /// Waits until no process of this sandbox has `text` in its command line.
  ///
  /// - Throws: `Overdue` with the remaining ones.
  package func waitForEnd(
    ofProcessesRunning text: String, within limit: Duration = Deadline.timeout
  ) throws {
    let deadline = Deadline(within: limit)
    while let pid = processes(running: text).first {
      guard let handle = OwnedDescriptor.process(pid) else { continue }
      guard try deadline.anyReadable(of: [handle.number]) else {
        let left = processes(running: text).map { "\($0): \(commandLine(of: $0))" }
        throw Overdue(
          awaited: "the end of all processes running \(text)", limit: limit,
          seen: left.joined(separator: "\n"))
      }
    }
  }

  /// Ends all processes of this sandbox, each by its number, until none is left.
  ///
  /// This includes commands of batch systems, which do not get `JOBRUN_HOME`: the last one of a killed helper
  /// (`SlurmFarewell`) tries for half an hour.
  package func endProcesses() {
    for _ in 0..<50 {
      let alive = processes(with: "JOBRUN_HOME=\(home)", "HOME=\(work)")
      if alive.isEmpty { return }
      for pid in alive { kill(pid, SIGKILL) }
      for pid in alive { try? WaitFor.end(ofProcess: pid) }
    }
  }

  private func commandLine(of pid: Int32) -> String {
    bytes("cmdline", of: pid).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
  }

  /// What a process was started with: its `environ` or its `cmdline`.
  ///
  /// In the middle of exec both are empty, as long as it waits for a processor there: then it is read again.
  /// Kernel threads and zombies have neither, and no executable; supervisors have no environment.
  private func bytes(_ name: String, of pid: Int32) -> Data {
    let folder = "/proc/\(pid)/"
    func read(_ name: String) -> Data {
      FileManager.default.contents(atPath: folder + name) ?? Data()
    }
    for _ in 0..<10_000 {
      let bytes = read(name)
      let hasExecutable = unsafe access(folder + "exe", F_OK) == 0
      if !bytes.isEmpty || !hasExecutable { return bytes }
      // Its exec is over, maybe just now.
      if !read("cmdline").isEmpty { return read(name) }
      sched_yield()
    }
    return Data()
  }
}
