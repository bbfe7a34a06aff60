internal import JobPage
internal import JobSupervision
internal import LinuxSystem

// The parent of one job's process tree. It outlives the runner and exits when the tree is empty.
//
// The runner starts it without an argument, with the launch order on descriptor 3, a pipe to the runner on 4,
// and the job's input on 5 if that was passed on; or with a socket on 3, which carries all of these for each
// copy that it makes of itself: one per job. Its exit code says only whether it could do its work; how the job
// ended is in the run record.
//
// jobrun-shim FOLDER: the supervisor of an attempt that was sent to this machine (`Node`).
//
// jobrun-shim terminal KEYS LOG: connects its standard streams with the terminal of a job on this machine.

/// Wrong arguments (EX_USAGE of sysexits(3)).
let exitUsage: Int32 = 64
/// Descriptor 3 held no readable order.
let exitUnusableOrder: Int32 = 65
/// The run record or the kernel refused something that supervision needs.
let exitUnsupervisable: Int32 = 71
/// The attempt has been decided elsewhere, or that is unknown: nothing has started here.
let exitNotOurs: Int32 = 75

/// Reads the order and closes the channel: its memory file may be large, and a job long.
func order(from channel: consuming FileDescriptor) throws(JobPageError) -> LaunchOrder {
  let bytes: [UInt8]
  do throws(SystemError) {
    bytes = try MemoryFile.content(of: channel, limit: 2 * LaunchSpecification.limit)
  } catch {
    throw .system(error)
  }
  return try LaunchOrder(decoding: bytes)
}

func supervise(
  _ channel: consuming FileDescriptor, _ pipe: consuming FileDescriptor,
  _ input: consuming FileDescriptor?
) -> Int32 {
  let runner = RunnerPipe(owning: pipe)
  let read: LaunchOrder
  do throws(JobPageError) {
    read = try order(from: channel)
  } catch {
    return hold(error, runner) ?? exitUnusableOrder
  }
  do throws(JobPageError) {
    return try Supervision.run(read, input: input, runner: runner)
  } catch {
    return hold(error, runner) ?? exitUnsupervisable
  }
}

/// Tells the runner to try again later; nil for an error that is not temporary.
func hold(_ error: JobPageError, _ runner: RunnerPipe) -> Int32? {
  guard case .system(let shortage) = error, shortage.isShortage else { return nil }
  runner.send(.held("\(shortage)"))
  return LaunchOrder.heldExitCode
}

/// Waits and makes copies; returns the exit code of this process, or of a copy.
func standReady(_ socket: consuming FileDescriptor) -> Int32 {
  Warmup.perform()
  var order: FileDescriptor?
  var pipe: FileDescriptor?
  var input: FileDescriptor?
  guard (try? ForkService.serve(socket, &order, &pipe, &input)) == true, let order = order.take(),
    let pipe = pipe.take()
  else { return 0 }
  return supervise(order, pipe, input)
}

/// Supervises an attempt that was sent here.
func supervise(_ folder: [UInt8]) -> Int32 {
  let node = Node(folder: JobFolder(path: String(decoding: folder, as: UTF8.self)))
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
    return exitUnsupervisable
  }
}

/// Connects a person with the terminal of a job that runs here.
func carry(_ keys: [UInt8], _ log: [UInt8]) -> Int32 {
  Signal.ignore(Signal.pipe)
  do throws(SystemError) {
    var carrier = try TerminalCarrier(
      keys: String(decoding: keys, as: UTF8.self), log: String(decoding: log, as: UTF8.self))
    try carrier.run()
    return 0
  } catch {
    // The job has ended, or the person has left.
    if error.number == SystemError.brokenPipe { return 0 }
    Complaint.write("\(error)")
    return exitUnsupervisable
  }
}

/// What the arguments ask for.
func serve(_ arguments: [[UInt8]]) -> Int32 {
  CurrentProcess.occupyStandardStreams()
  // A full disk is an ordinary error and must not end this process.
  Signal.ignore(Signal.fileTooLarge)
  if arguments.count == 3, arguments[0] == Array("terminal".utf8) {
    return carry(arguments[1], arguments[2])
  }
  guard arguments.count == 1, arguments[0].first == UInt8(ascii: "/") else {
    Complaint.write("it is called with one argument, the whole path of a job's folder")
    return exitUsage
  }
  return supervise(arguments[0])
}

func begin() -> Int32 {
  CurrentProcess.hideMemory()
  let arguments = Array(CurrentProcess.arguments().dropFirst())
  if !arguments.isEmpty { return serve(arguments) }
  let channel = FileDescriptor(owning: 3)
  if (try? channel.status())?.kind == .socket { return standReady(channel) }
  let input = CurrentProcess.isOpen(5) ? FileDescriptor(owning: 5) : nil
  return supervise(channel, FileDescriptor(owning: 4), input)
}

CurrentProcess.exit(begin())
