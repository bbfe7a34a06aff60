import Foundation
import LinuxSystem
import TestKit

/// A queue that is used from Python, in an environment that `make bench-peers` makes below the build
/// folder and that the Makefile names.
struct PythonPeer {
  let name: String
  private let python: String
  private let script: String
  private let bench: Workbench

  static let hyperQueue = "HyperQueue"
  static let rq = "rq"

  /// The installed ones; the others are listed.
  static func installed(_ bench: Workbench) -> [PythonPeer] {
    [(hyperQueue, "hyperqueue", "hyperqueue_rate.py"), (rq, "rq", "rq_rate.py")].compactMap {
      name, module, script in
      let needsRedis = name == rq && bench.executable("redis-server") == nil
      guard let python = CurrentProcess.environmentValue("JOBRUN_BENCH_PYTHON"),
        let scripts = CurrentProcess.environmentValue("JOBRUN_BENCH_SCRIPTS"), !needsRedis,
        File.isExecutable(python), (try? bench.run([python, "-c", "import \(module)"])) == 0
      else {
        tell("\(name) is not installed and therefore not measured; `make bench-peers` installs it")
        return nil
      }
      return PythonPeer(name: name, python: python, script: scripts + "/" + script, bench: bench)
    }
  }

  /// No-op jobs a second with two workers, its own start not counted.
  func rate(jobs: Int) throws -> Double {
    let result = bench.sandbox.path("rate")
    let code = try bench.run([python, script, "\(jobs)", result])
    guard code == 0,
      let rate = Double(String(decoding: try File.readAll(result), as: UTF8.self))
    else { throw Fault("\(name) could not be measured: its script ended with \(code)") }
    return rate
  }
}
