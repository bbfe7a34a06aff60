import Foundation
import Glibc

// Kills a real runner at random instants while it has every kind of work, then compares what the
// workers wrote with what the store holds, job by job. `make torture N=1000` runs it.

/// Standard output without a buffer, so that a log of a long run can be followed.
func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Runs it all, and ends and removes everything with the return; the exit code.
func torment(_ settings: Settings) -> Int32 {
  do {
    let report =
      switch settings.fault {
      case .kill, .disturb, .scarce: try Torture(settings).run()
      case .power: try PowerTorture(settings).run()
      }
    tell(report.text)
    return report.isClean ? 0 : 1
  } catch {
    tell("\(error)\nrepeat it with: \(settings.command)")
    return 1
  }
}

// A machine that loses its power has mounts of its own.
guard let settings = Settings(Array(CommandLine.arguments.dropFirst())) else {
  tell(Settings.usage)
  exit(64)
}
exit(torment(settings))
