internal import JobPage
internal import JobSupervision
internal import LinuxSystem

// The parent of one job's process tree. It outlives the runner and exits when the tree is empty.
//
// The runner starts it with the launch order on descriptor 3, a pipe to the runner on 4, and the job's
// input on 5 if that was passed on; or with a socket on 3, which carries all of these for each copy that it
// makes of itself: one per job.
//
// Its exit code says only whether it could do its work; how the job ended is in the run record.

/// Descriptor 3 held no readable order.
let exitUnusableOrder: Int32 = 65
/// The run record or the kernel refused something that supervision needs.
let exitUnsupervisable: Int32 = 71

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

func begin() -> Int32 {
  CurrentProcess.hideMemory()
  let channel = FileDescriptor(owning: 3)
  if (try? channel.status())?.kind == .socket { return standReady(channel) }
  let input = CurrentProcess.isOpen(5) ? FileDescriptor(owning: 5) : nil
  return supervise(channel, FileDescriptor(owning: 4), input)
}

CurrentProcess.exit(begin())
