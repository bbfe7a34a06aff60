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
    "opentsne": "it announces other numbers of steps than the command",
    "geometric": "epochs without a total",
    "transformers-lines": "a share of an epoch of nobody knows how many",
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
    "bayes-opt": "trials without a total", "skopt": "trials without a total",
    "dar": "a name of each file", "jpegoptim": "a gain of each file",
    "kmeans": "steps up to nobody knows how many", "mlp": "a name for its total that is not known",
    "pymoo": "a name for its total that is not known", "robot": "tests without a total",
    "memtester": "numbers without a total", "scrub": "dots",
    "svtav1": "numbers without a total", "sysbench": "rates", "sentencepiece": "amounts and sizes",
    "vpxenc": "a total that is as far as it has read",
    "ab": "its total is an option of one letter", "behave": "cases without a total",
    "cksfv": "a name of each file", "hmmlearn": "steps without a total",
    "hyperfine": "a bar and a time left, without a number",
    "iqtree": "steps up to nobody knows how many", "mrbayes": "steps and a time left",
    "rdiff-backup": "a name of each file", "ruby-progressbar": "a bar without a number",
    "scrapy": "pages and rates", "torch-gpt": "iterations without a total",
    "velvet": "its numbers come when each stage is over",
    "wipe": "a name and a pass of each file",
    "advpng": "a ratio of each file", "aomenc": "a total that is as far as it has read",
    "cd-hit": "sequences without a total", "clustalw": "pairs without a total",
    "crunch": "nothing until its end", "gplearn": "generations without a total",
    "mealpy": "epochs without a total", "mpcenc": "a percentage without its sign",
    "nautilus": "a table of what it has found", "ngboost": "steps without a total",
    "pdfcrack": "rates and words", "photorec": "sectors of which only some digits are written",
    "rav1e": "frames without a total", "raxml": "steps without a total",
    "rfecv": "what is left of how many is said nowhere", "rmlint": "a bar without a number",
    "rspec": "dots", "svnadmin": "revisions without a total", "tesseract": "pages without a total",
    "trackpy": "frames without a total", "ultranest": "a share of what it has found",
    "t-coffee": "names of stages", "vina": "stars", "osmium": "nothing until its end",
  ]
  /// Known errors, with the reason why they are invisible from outside.
  private static let known = [
    "zpaq": "it tells what it has read before it works",
    "fasttree": "the first of nine stages, for a second",
    "hisat2": "a quarter of its work comes before the first of eight blocks",
    "scalpel": "it announces a second pass, which takes no time",
    "bup": "as much of its data as it says, and then it writes an index",
    "duplicity": "it counts volumes of 10 MB, when they are written",
    "exiftool": "it looks for files before it counts them",
    "jdupes": "files that it has met, once a second, and not what it has compared",
    "numpyro-gpu": "it compiles before the first of its steps",
    "potrace": "its own bar is complete after three quarters of its work",
    "rzip": "it tells what it has read, and compresses as long again without a word",
    "sqlite-utils": "it tells what it has read, a little ahead of what it has stored",
    "ffmpeg-normalize": "its second pass is shorter than the first",
    "implicit": "its first steps take longer",
    "mutmut": "its last mutants take longer",
    "zeus": "it computes on after its steps",
  ]
  /// Runs whose counted work is done before half of the time has passed.
  private static let goesOn: Set = [
    "cmake-cpack", "cp-xz", "jq", "mksquashfs", "pip-install", "umap", "wget-three", "zpaq", "gmsh",
    "pynndescent",
  ]
  /// Programs whose progress jumps: apt's packages are of any size, shred prints every five seconds,
  /// phpunit every 63 tests.
  private static let grain = [
    "apt": 0.14, "pytest": 0.07, "by-hand-docker-pull": 0.09, "gdal": 0.05, "rsync-P": 0.13,
    "restic-json": 0.04, "restic-check": 0.24, "aria2c-four": 0.14,
    "filter-branch": 0.11, "phpunit": 0.32, "e2image": 0.02, "xfs_copy": 0.1,
    "aria2c": 0.05, "handbrake-two": 0.05, "zstd": 0.05,
    "nvcc-make": 0.01,
  ]
  private static let told = Cast.all.filter {
    unsure[$0.name] == nil && !brief.union(goesOn).contains($0.name)
  }
  /// Runs so short that the third number, which makes progress of a guess, comes late.
  private static let brief: Set = ["phpunit", "restic-pty", "unsquashfs", "zstd"]

  /// Each is looked at once for all tests.
  static let runs = Cast.all.map(run)

  static func run(_ cast: Cast) -> ShownRun {
    ShownRun(cast, grain: grain[cast.name] ?? 0)
  }

  private static func known(_ cast: Cast) throws -> ShownRun {
    try #require(runs.first { $0.cast.name == cast.name })
  }

  @Test func `what is shown of recorded runs is true, and is as the table says`() throws {
    #expect(Cast.all.count >= 60)
    let runs = Self.runs
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
    let runs = Cast.read(folder).map(Self.run)
    let faults = runs.compactMap(\.faults.first).map { "\($0)\n" }.joined()
    let table = ShownRun.table(runs) + faults
    try table.write(to: folder.appending(path: "table.txt"), atomically: true, encoding: .utf8)
    let looks = runs.map { "\($0.cast.name)\n" + $0.looks.map(\.row).joined() }.joined()
    try looks.write(to: folder.appending(path: "looks.txt"), atomically: true, encoding: .utf8)
  }

  @Test(arguments: told)
  fileprivate func `half-way through, a program that tells how far it is is understood`(
    _ cast: Cast
  ) throws {
    #expect(try Self.known(cast).look(at: 0.55)?.share != nil, "\(cast.name)")
  }

  @Test(arguments: Cast.all.filter { unsure[$0.name] != nil })
  fileprivate func `what is not sure is not shown`(_ cast: Cast) throws {
    #expect(try Self.known(cast).looks.allSatisfy { $0.share == nil }, "\(cast.name)")
  }
}
