package import JobCore

/// The paths of all files of one user; derived from the environment alone.
///
/// Does not access the disk: the user of a folder creates and checks it.
package struct Paths: Hashable, Sendable {
  /// Database, lock, run records, logs and the jobs' own folders.
  package var stateDirectory: String
  /// Candidates for the folder of socket and pages, in order of preference: the runner takes the first that is
  /// ours or can be made, and writes it to `runner.lock`.
  package let runtimeCandidates: [String]
  /// The value of `XDG_RUNTIME_DIR`; the first candidate lies in it.
  package let sessionRuntime: String?
  package let configurationFile: String
  /// The folder that `JOBRUN_HOME` names, which is only for jobrun.
  private let sandbox: String?

  /// - Throws: `cannotCreate`, when the environment names no home.
  package init(environment: Environment, user: UInt32) throws(WireError) {
    sandbox = try Paths.sandbox(environment)
    if let root = sandbox {
      stateDirectory = root + "/state"
      runtimeCandidates = [root + "/run"]
      sessionRuntime = nil
      configurationFile = root + "/config.json"
      return
    }
    stateDirectory =
      try Paths.base(environment, "XDG_STATE_HOME", below: ".local/state") + "/jobrun"
    configurationFile =
      try Paths.base(environment, "XDG_CONFIG_HOME", below: ".config") + "/jobrun/config.json"
    let temporary = Paths.absolute(environment["TMPDIR"]) ?? "/tmp"
    let shared = ["/dev/shm/jobrun-\(user)", "\(temporary)/jobrun-\(user)"]
    sessionRuntime = Paths.absolute(environment["XDG_RUNTIME_DIR"])
    runtimeCandidates = (sessionRuntime.map { ["\($0)/jobrun"] } ?? []) + shared
  }

  /// The folder that `JOBRUN_HOME` names; nil when it is unset or empty.
  private static func sandbox(_ environment: Environment) throws(WireError) -> String? {
    guard let value = environment["JOBRUN_HOME"], !value.isEmpty else { return nil }
    guard let path = absolute(value) else {
      throw WireError(
        .cannotCreate, "JOBRUN_HOME is \"\(value)\"; it must be an absolute path")
    }
    return path
  }

  /// An XDG base folder: its variable, or its usual place below HOME.
  ///
  /// The XDG specification: a value that is empty or relative is ignored.
  private static func base(
    _ environment: Environment, _ variable: String, below usual: String
  ) throws(WireError) -> String {
    if let path = absolute(environment[variable]) { return path }
    guard let home = absolute(environment["HOME"]) else {
      throw WireError(
        .cannotCreate,
        "HOME is not set to an absolute path; set it, or JOBRUN_HOME, so that jobrun has a folder")
    }
    return home == "/" ? "/" + usual : "\(home)/\(usual)"
  }

  /// `path` without trailing slashes; nil when it is empty or relative.
  private static func absolute(_ path: String?) -> String? {
    guard var path, path.utf8.first == UInt8(ascii: "/") else { return nil }
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    return path
  }
}

extension Paths {
  /// Whether another store of this user may have the same runtime folder, so that each needs a folder of
  /// its own in it.
  package var sharesRuntime: Bool {
    sandbox.map { stateDirectory != $0 + "/state" } ?? true
  }

  /// The name of a store's own folder in a runtime folder: eight digits, as socket paths are short.
  ///
  /// `path`: the state directory without links, so that one store has one name.
  package static func storeName(_ path: String) -> String {
    // FNV-1a, 32 bits.
    let hash = path.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  package var database: String { stateDirectory + "/jobrun.db" }
  /// Locked by the runner; holds the socket's absolute path, a newline, and the runner's pid.
  package var runnerLock: String { stateDirectory + "/runner.lock" }
  /// The third line of `runnerLock` until its runner listens.
  package static let openingMark = "opening"
  package var runnerLog: String { stateDirectory + "/runner.log" }
  /// In that log before a sentence for the person whose command started the runner.
  package static let noteMark = "note:"
  /// At which files runners have trapped.
  package var runnerTraps: String { stateDirectory + "/runner.traps" }
  /// Up to which number jobs may have been given one, for a store that has lost it.
  package var numberMark: String { stateDirectory + "/numbers" }
  /// Attempts that were given up here and may still run elsewhere.
  package var attemptsLeft: String { stateDirectory + "/elsewhere" }
  /// Registered bundle folders, one a line.
  package var registered: String { stateDirectory + "/registered" }
  package var runRecords: String { stateDirectory + "/runs" }
  package var logs: String { stateDirectory + "/logs" }
  /// Parent of the folders that jobs keep across attempts.
  package var jobStates: String { stateDirectory + "/state" }

  /// Copies of jobs' inputs: by the key of the submission until it is accepted, then by number.
  package var inputs: String { stateDirectory + "/inputs" }

  package func input(key: String) -> String { "\(inputs)/\(key)" }

  package func input(_ number: JobNumber) -> String { "\(inputs)/\(number)" }

  /// Folders that are being removed, a little at a time.
  package var discarded: String { stateDirectory + "/discarded" }

  /// Run records of the commands that follow the ends of jobs.
  package var endRecords: String { stateDirectory + "/ends" }

  package func endRecord(_ number: JobNumber, command: UInt64) -> String {
    "\(endRecords)/\(number).\(command)"
  }

  package func runRecord(_ number: JobNumber, attempt: Int) -> String {
    "\(runRecords)/\(number).\(attempt)"
  }

  /// The launch order of an attempt's supervisor, for a runner that lost its store.
  package func launchOrder(_ number: JobNumber, attempt: Int) -> String {
    runRecord(number, attempt: attempt) + Self.launchOrderEnding
  }

  package static let launchOrderEnding = ".order"

  package func log(_ number: JobNumber) -> String { "\(logs)/\(number).log" }

  /// How far the job was at which time.
  package func trace(_ number: JobNumber) -> String { "\(logs)/\(number).trace" }

  /// The data from which its progress was recognised.
  package func evidence(_ number: JobNumber) -> String { "\(logs)/\(number).evidence" }

  package func jobState(_ number: JobNumber) -> String { "\(jobStates)/\(number)" }

  /// The runtime folder if no other one is ours and can be made.
  package var lastRuntime: String { stateDirectory + "/run" }

  /// The socket in the runtime folder that was chosen.
  package static func socket(in runtime: String) -> String { runtime + "/socket" }

  /// The folder of pages in the runtime folder that was chosen.
  package static func pages(in runtime: String) -> String { runtime + "/pages" }

  package static func page(_ number: JobNumber, attempt: Int, in runtime: String) -> String {
    "\(runtime)/pages/\(number).\(attempt)"
  }

  /// The folder of pipes for keys in the runtime folder that was chosen.
  package static func terminals(in runtime: String) -> String { runtime + "/terminals" }

  /// The pipe for what people type into the terminal of an attempt.
  package static func terminal(
    _ number: JobNumber, attempt: Int, in runtime: String
  ) -> String {
    "\(runtime)/terminals/\(number).\(attempt)"
  }
}
