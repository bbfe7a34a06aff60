internal import JobPage
internal import JobSupervision
internal import LinuxSystem

// The parent of one job's process tree. It outlives the runner and leaves when the tree is empty.
//
// The runner starts it with the launch order on descriptor 3 and a pipe to the runner on 4, and what the
// job is to read on 5 if that was passed on; or with a socket on 3, on which all of these come for every
// copy that it is to make of itself: one for each job.
//
// Its exit code says only whether it could do its work; how the job ended is in the run record.

/// Descriptor 3 held no order that can be read.
let exitUnusableOrder: Int32 = 65
/// The run record or the kernel refused what supervision needs.
let exitUnsupervisable: Int32 = 71

/// What the channel holds, which is closed with that: as a file in memory it may be large, and a job long.
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

/// Tells the runner that it is to try again later; nil for an error of which that is not true.
func hold(_ error: JobPageError, _ runner: RunnerPipe) -> Int32? {
  guard case .system(let shortage) = error, shortage.isShortage else { return nil }
  runner.send(.held("\(shortage)"))
  return LaunchOrder.heldExitCode
}

/// Stays as it is and makes copies; the exit code of this process, or of a copy.
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
