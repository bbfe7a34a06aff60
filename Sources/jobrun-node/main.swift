internal import JobPage
internal import JobSupervision
internal import LinuxSystem

// jobrun-node terminal KEYS LOG: connects its standard streams with the terminal of a job on this machine.
//
// jobrun-node FOLDER: the supervisor of an attempt that was sent to this machine with all that it needs in
// a folder. It is started by the system that runs jobs here (a batch system, a helper), which needs to know
// nothing about it and may start it too late, or twice.

/// Wrong arguments (EX_USAGE of sysexits(3)).
let exitUsage: Int32 = 64
/// The attempt has been decided elsewhere, or that is unknown: nothing has started here.
let exitNotOurs: Int32 = 75
/// The attempt is this supervisor's, and could not be started.
let exitNotBegun: Int32 = 71

func begin() -> Int32 {
  CurrentProcess.occupyStandardStreams()
  CurrentProcess.hideMemory()
  // A full disk is an ordinary error and must not end this process.
  Signal.ignore(Signal.fileTooLarge)
  let arguments = CurrentProcess.arguments()
  if arguments.count == 4, arguments[1] == Array("terminal".utf8) {
    return carry(arguments[2...].map { String(decoding: $0, as: UTF8.self) })
  }
  guard arguments.count == 2, arguments[1].first == UInt8(ascii: "/") else {
    Complaint.write("it is called with one argument, the whole path of a job's folder")
    return exitUsage
  }
  let node = Node(folder: JobFolder(path: String(decoding: arguments[1], as: UTF8.self)))
  do throws(SystemError) {
    guard try node.claim() else { return exitNotOurs }
  } catch {
    Complaint.write("\(error)")
    return exitNotOurs
  }
  do throws(JobPageError) {
    return try node.supervise()
  } catch {
    Complaint.write("\(error)")
    node.giveUp(error)
    return exitNotBegun
  }
}

/// Connects a person with the terminal of a job that runs here.
func carry(_ files: [String]) -> Int32 {
  Signal.ignore(Signal.pipe)
  do throws(SystemError) {
    var carrier = try TerminalCarrier(keys: files[0], log: files[1])
    try carrier.run()
    return 0
  } catch {
    // The job has ended, or the person has left.
    if error.number == SystemError.brokenPipe { return 0 }
    Complaint.write("\(error)")
    return exitNotBegun
  }
}

CurrentProcess.exit(begin())
