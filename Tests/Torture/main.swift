import Foundation
import Glibc
import LinuxSystem

// Kills a real runner at random instants while it has every kind of work, then compares the workers' ledgers
// with the store, job by job. `make torture N=1000` runs it.

/// Unbuffered standard output, so that the log of a long run can be followed; on standard error once the reader
/// of that has gone.
func tell(_ line: String) {
  do {
    try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  } catch {
    StandardError.write(line + "\n")
  }
}

/// Runs it all, and ends and removes everything with the return; the exit code.
func torment(_ settings: Settings) -> Int32 {
  do {
    let report =
      switch settings.fault {
      case .kill, .disturb, .scarce: try Torture(settings).run()
      case .power, .disk: try PowerTorture(settings).run()
      case .cluster: try ClusterTorture(settings).run()
      }
    tell(report.text)
    return report.isClean ? 0 : 1
  } catch {
    tell("\(error)\nrepeat it with: \(settings.command)")
    return 1
  }
}

Signal.ignore(Signal.pipe)
var arguments = Array(CommandLine.arguments.dropFirst())
let isWatched = arguments.first == Watchman.word
if isWatched { arguments.removeFirst() }
guard let settings = Settings(arguments) else {
  tell(Settings.usage)
  exit(64)
}
do {
  exit(isWatched ? torment(settings) : try Watchman.run(arguments, settings))
} catch {
  tell("\(error)")
  exit(1)
}
