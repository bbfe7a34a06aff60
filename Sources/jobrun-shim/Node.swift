internal import JobPage
internal import JobSupervision
internal import LinuxSystem

/// The machine of an attempt that was sent to it with all that it needs in a folder.
///
/// What starts the supervisor there (a batch system, a helper) needs to know nothing about it, and may start it
/// too late, or twice.
struct Node {
  let folder: JobFolder
  private let name: String
  private let restart: UInt32

  /// The node name of the batch system, else the host name.
  init(folder: JobFolder) {
    self.folder = folder
    name = CurrentProcess.environmentValue("SLURMD_NODENAME") ?? CurrentProcess.hostName()
    restart = CurrentProcess.environmentValue("SLURM_RESTART_COUNT").flatMap { UInt32($0) } ?? 0
  }

  /// False when the attempt has been decided already.
  func claim() throws(SystemError) -> Bool {
    let job =
      Self.jobVariables.lazy.compactMap { CurrentProcess.environmentValue($0) }.first
      ?? "\(CurrentProcess.identifier)"
    return try RemoteClaim.make(
      folder,
      .claimed(.init(node: name, job: job, restart: restart, milliseconds: WallClock.now())))
  }

  func supervise() throws(JobPageError) -> Int32 {
    var order = try readOrder()
    order.record = folder.record
    order.page = try makePage(token: order.token)
    order.group = nil
    if order.log.isEmpty { order.log = folder.log }
    if case .file("", let bytes) = order.input { order.input = .file(folder.input, bytes: bytes) }
    if case .terminal("") = order.input { order.input = .terminal(folder.keys) }
    var entries = ["JOBRUN_PAGE=\(order.page)"]
    if order.stateDirectory.isEmpty {
      order.stateDirectory = folder.state
      entries.append("JOBRUN_STATE_DIR=\(folder.state)")
      try? File.makeDirectories(folder.state)  // a job that needs it reports that
    }
    let command = Self.command
    if let command { entries.append("JOBRUN_COMMAND=\(command)") }
    if order.lacksEnvironment { adapt(&order) }
    order.specification.replace(with: entries + Self.knownHere())
    if let command { Self.addToPath(File.parent(of: command), of: &order.specification) }
    defer { try? File.remove(order.page) }
    let relay: Relay
    do throws(SystemError) {
      relay = try Relay(
        folder, page: order.page, log: order.log, node: name, restart: restart,
        partition: CurrentProcess.environmentValue("SLURM_JOB_PARTITION"))
    } catch {
      throw .system(error)
    }
    return try Supervision.run(order, relay: relay)
  }

  /// Records that the attempt failed, so that it cannot be started elsewhere.
  func giveUp(_ problem: JobPageError) {
    guard let record = try? RunRecordFile(existing: folder.record),
      let content = try? record.read(), content.ended == nil
    else { return }
    let now = WallClock.now()
    let number: Int32
    if case .system(let error) = problem { number = error.number } else { number = 0 }
    let end = RunRecord.Ended(
      status: .cannotStart(number), cpuMicroseconds: 0, residentBytes: 0,
      startedMilliseconds: now, endedMilliseconds: now, message: "on \(name): \(problem)")
    try? record.append(.ended(end))
    try? record.synchronise()
  }

  private func readOrder() throws(JobPageError) -> LaunchOrder {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try File.readAll(folder.order, limit: 2 * LaunchSpecification.limit)
    } catch {
      throw .system(error)
    }
    return try LaunchOrder(decoding: bytes)
  }

  /// The submitted page, in memory of this machine, where the job writes it without a system call.
  private func makePage(token: String) throws(JobPageError) -> String {
    let sent = (try? File.readAll(folder.mirror, limit: 1 << 16)) ?? []
    let attempt = folder.attempt ?? (number: 0, attempt: 0)
    var page = PageFile.content(
      number: attempt.number, attempt: attempt.attempt, title: "", subtitle: "")
    if let mirror = Mirror(decoding: sent), mirror.snapshot.condition == .intact {
      page.replaceSubrange(..<Mirror.imageSize, with: mirror.image)
    }
    var problem = JobPageError.malformed("no folder for its page")
    for folder in Self.memoryFolders where folder.first == "/" && File.isDirectory(folder) {
      let path = "\(folder)/jobrun-page.\(token)"
      do throws(JobPageError) {
        try PageFile.create(path, page)
        return path
      } catch {
        problem = error
      }
    }
    throw problem
  }

  /// Adapts environment, program and folder of an order from another machine to this one.
  private func adapt(_ order: inout LaunchOrder) {
    order.specification.addMissing(CurrentProcess.environment())
    let program = order.specification.arguments[0]
    if let slash = program.lastIndex(of: UInt8(ascii: "/")),
      !File.isExecutable(String(decoding: program, as: UTF8.self))
    {
      order.specification.arguments[0] = Array(program[(slash + 1)...])
    }
    var folder = String(decoding: order.specification.directory, as: UTF8.self)
    // That of a job whose files are sent.
    if folder.utf8.first != UInt8(ascii: "/"), let home = CurrentProcess.environmentValue("HOME") {
      folder = "\(home)/\(folder)"
      order.specification.directory = Array(folder.utf8)
      try? File.makeDirectories(folder)
    }
    guard !File.isDirectory(folder), let home = CurrentProcess.environmentValue("HOME") else {
      return
    }
    order.specification.directory = Array(home.utf8)
    let note = Array("jobrun: \(name) has no \(folder); the job begins in \(home)\n".utf8)
    // If this write fails, the job's own output would fail as well.
    _ = try? File.open(order.log, [.write, .append, .create, .noFollow]).writeAll(note)
  }

  /// The command, if it is installed with this program.
  private static var command: String? {
    guard let path = try? CurrentProcess.executablePath() else { return nil }
    let folder = File.parent(of: path)
    let places = ["\(folder)/jobrun", "\(File.parent(of: File.parent(of: folder)))/bin/jobrun"]
    return places.first { File.isExecutable($0) }
  }

  /// Scripts call the command by its name: where the job's PATH lacks it, this program's folder is
  /// appended.
  private static func addToPath(_ folder: String, of specification: inout LaunchSpecification) {
    let path = String(
      decoding: specification.value(of: "PATH") ?? Array("/usr/local/bin:/usr/bin:/bin".utf8),
      as: UTF8.self)
    let hasCommand = path.split(separator: ":").contains { File.isExecutable("\($0)/jobrun") }
    if hasCommand { return }
    specification.replace(with: ["PATH=\(path.isEmpty ? "" : "\(path):")\(folder)"])
  }

  private static var memoryFolders: [String] {
    [
      CurrentProcess.environmentValue("XDG_RUNTIME_DIR"), "/dev/shm",
      CurrentProcess.environmentValue("TMPDIR"), "/tmp",
    ].compactMap { $0 }
  }

  /// Variables that this machine and its batch system know better than the submitting one.
  private static func knownHere() -> [String] {
    CurrentProcess.environment().filter { entry in
      names.contains { entry.starts(with: $0.utf8) }
    }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The job's number in a batch system.
  private static let jobVariables = [
    "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "OAR_JOB_ID", "FLUX_JOB_ID", "JOB_ID",
  ]

  private static let names = [
    "SLURM_", "PBS_", "LSB_", "OAR_", "FLUX_", "SGE_", "JOB_ID=", "NSLOTS=", "PE_HOSTFILE=",
    "CUDA_VISIBLE_DEVICES=", "CUDA_DEVICE_ORDER=", "ROCR_VISIBLE_DEVICES=", "ZE_AFFINITY_MASK=",
    "GPU_DEVICE_ORDINAL=", "TMPDIR=",
  ]
}
