import LinuxSystem
import TestKit

/// The main job of the demo, a folder of 5,700 files into one compressed archive, beside tar with gzip and pigz.
enum ExportRows {
  private static let rounds = 3

  static func measure(_ bench: Workbench) throws -> [Row] {
    let folder = bench.sandbox.path("folder")
    try bench.run([BuiltProducts.packageRoot + "/Tests/Demo/folder.sh", folder])
    let archive = bench.sandbox.path("archive.tar.gz")
    func time(_ command: [String]) throws -> Double {
      let seconds = try bench.time(command) / 1_000
      try File.remove(archive)
      return seconds
    }
    var turns = Alternation()
    let export = try bench.jobrun("submit", "export", "--", folder, archive)
    turns.add("export") { try time(export) }
    var others = ["tar | gzip"]
    if bench.executable("pigz") != nil { others.append("tar | pigz") }
    for other in others {
      let filter = other.split(separator: " ").last.map(String.init) ?? ""
      turns.add(other) {
        try time(["sh", "-c", "tar -C \"$1\" -cf - . | \(filter) >\"$2\"", "sh", folder, archive])
      }
    }
    let series = try turns.run(rounds: rounds)
    try bench.stopRunner()
    return others.compactMap { other in
      series[other].map {
        Row(
          name: "export of the demo's folder", unit: .seconds, ours: series["export"] ?? Series(),
          reference: .init(name: other, series: $0))
      }
    }
  }
}
