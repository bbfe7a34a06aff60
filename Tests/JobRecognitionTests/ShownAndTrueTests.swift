import Foundation
import Testing

/// The shown progress of recorded runs, beside the true one.
///
/// `JOBRUN_CASTS=FOLDER` writes the table of that folder, of other runs or of these.
struct ShownAndTrueTests {
  /// Programs that tell too little to be sure of anything, and why: no share may be shown.
  private static let unsure = [
    "badblocks-write": "four patterns, each written and read, of which each is told twice",
    "borg": "amounts without a total", "cargo": "names without a number",
    "cat-two": "two inputs", "by-hand-npm": "no number",
    "qemu-img-plain": "nothing until its end", "restic": "nothing until its end",
    "zip": "a ratio of each file", "bzip2": "a ratio of each file",
    "optipng": "a gain of each file", "locust": "failures among requests",
    "top": "shares of a machine", "tsne": "of how many iterations is said nowhere",
    "atop": "shares of a machine", "busybox-top": "shares of a machine",
    "gnu-time": "a processor's share of each command", "glpsol": "a gap that closes",
    "minisat": "a share of what is guessed", "lz4": "a ratio of each file",
    "sort": "what it writes has no total", "minimap2": "it has read all before it works",
    "parallel-progress": "no total", "rich-pipe": "nothing until its end",
    "joblib": "tasks without a total until the last",
    "scp": "three times, and each time two figures",
  ]
  /// Known errors, with the reason why they are invisible from outside.
  private static let known = [
    "jq": "it reads all at an even pace before it works",
    "zpaq": "it tells what it has read before it works",
    "umap": "it counts to 13, ends at 6, and computes for ten seconds without a word",
  ]
  /// Runs whose counted work is done before half of the time has passed.
  private static let goesOn: Set = [
    "cmake-cpack", "cp-xz", "jq", "pip-install", "umap", "wget-three", "zpaq", "gmsh",
  ]
  /// Programs whose progress jumps: apt's packages are of any size, shred prints every five seconds.
  private static let grain = [
    "apt": 0.14, "pytest": 0.07, "by-hand-docker-pull": 0.09, "gdal": 0.05, "rsync-P": 0.13,
    "restic-json": 0.04, "restic-check": 0.24, "aria2c-four": 0.14,
    "aria2c": 0.05, "handbrake-two": 0.05, "zstd": 0.05,
  ]
  private static let told = Cast.all.filter {
    unsure[$0.name] == nil && !brief.union(goesOn).contains($0.name)
  }
  /// Runs so short that the third number, which makes progress of a guess, comes late.
  private static let brief: Set = ["restic-pty", "zstd"]

  private static func run(_ cast: Cast) -> ShownRun {
    ShownRun(cast, grain: grain[cast.name] ?? 0)
  }

  @Test func `what is shown of recorded runs is true, and is as the table says`() throws {
    #expect(Cast.all.count >= 60)
    let runs = Cast.all.map(Self.run)
    for run in runs {
      #expect(run.faults.isEmpty == (Self.known[run.cast.name] == nil), "\(run.faults.first ?? "")")
    }
    let table = ShownRun.table(runs)
    let kept = try String(contentsOf: Cast.folder.appending(path: "table.txt"), encoding: .utf8)
    #expect(table == kept, "the table is now\n\(table)")
  }

  @Test func `the table of a folder that is named is written beside its runs`() throws {
    guard let path = ProcessInfo.processInfo.environment["JOBRUN_CASTS"] else { return }
    let folder = URL(filePath: path)
    let table = ShownRun.table(Cast.read(folder).map(Self.run))
    try table.write(to: folder.appending(path: "table.txt"), atomically: true, encoding: .utf8)
  }

  @Test(arguments: told)
  fileprivate func `half-way through, a program that tells how far it is is understood`(
    _ cast: Cast
  ) {
    #expect(Self.run(cast).look(at: 0.55)?.share != nil, "\(cast.name)")
  }

  @Test(arguments: Cast.all.filter { unsure[$0.name] != nil })
  fileprivate func `what is not sure is not shown`(_ cast: Cast) {
    #expect(Self.run(cast).looks.allSatisfy { $0.share == nil }, "\(cast.name)")
  }
}
