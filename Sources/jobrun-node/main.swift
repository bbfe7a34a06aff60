internal import JobPage
internal import JobSupervision
internal import LinuxSystem

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

CurrentProcess.exit(begin())
