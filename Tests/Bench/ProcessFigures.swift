import LinuxSystem

/// The kernel's figures of a process (`man 5 proc`).
struct ProcessFigures {
  let pid: Int32

  /// Resident memory in KiB.
  var residentKibibytes: Double { status("VmRSS:") }

  /// How often it was woken or put aside: 0 more after a while means that it slept all the time.
  var switches: Double {
    tasks.reduce(0) { sum, task in
      sum + number("voluntary_ctxt_switches:", in: task)
        + number("nonvoluntary_ctxt_switches:", in: task)
    }
  }

  /// User and system time of its threads in seconds, to the nanosecond (`schedstat` in
  /// docs.kernel.org/scheduler/sched-stats.html).
  var cpuSeconds: Double {
    paths.reduce(0) { sum, path in
      let nanoseconds = text("\(path)/schedstat").split(separator: " ").first
      return sum + (nanoseconds.flatMap { Double($0) } ?? 0) / 1e9
    }
  }

  private var tasks: [String] { paths.map { text("\($0)/status") } }

  /// Folders of its threads.
  private var paths: [String] {
    ((try? File.names(in: "/proc/\(pid)/task")) ?? []).map { "/proc/\(pid)/task/\($0)" }
  }

  private func status(_ name: String) -> Double { number(name, in: text("/proc/\(pid)/status")) }

  private func number(_ name: String, in text: String) -> Double {
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      let word = line.dropFirst(name.count).split { $0 == " " || $0 == "\t" }.first
      return word.flatMap { Double($0) } ?? 0
    }
    return 0
  }

  private func text(_ path: String) -> String {
    String(decoding: (try? File.readAll(path)) ?? [], as: UTF8.self)
  }
}
