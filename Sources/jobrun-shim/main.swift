internal import JobPage
internal import LinuxSystem

// The parent of one job's process tree. It outlives the runner and leaves when the tree is empty.
//
// The runner starts it with the launch order on descriptor 3 and a pipe to the runner on 4; or with a
// socket on 3, on which both come for every copy that it is to make of itself: one for each job.
//
// Its exit code says only whether it could do its work; how the job ended is in the run record.

/// Descriptor 3 held no order that can be read.
let exitUnusableOrder: Int32 = 65
/// The run record or the kernel refused what supervision needs.
let exitUnsupervisable: Int32 = 71

/// What the channel holds, which is closed with that: as a file in memory it may be large, and a job long.
func order(from channel: consuming FileDescriptor) -> LaunchOrder? {
  let bytes = try? MemoryFile.content(of: channel, limit: 2 * LaunchSpecification.limit)
  return bytes.flatMap { try? LaunchOrder(decoding: $0) }
}

func supervise(_ channel: consuming FileDescriptor, _ pipe: consuming FileDescriptor) -> Int32 {
  guard let order = order(from: channel) else { return exitUnusableOrder }
  do {
    return try Supervision.run(order, listener: Listener(owning: pipe))
  } catch {
    return exitUnsupervisable
  }
}

/// Stays as it is and makes copies; the exit code of this process, or of a copy.
func standReady(_ socket: consuming FileDescriptor) -> Int32 {
  Rehearsal.perform()
  var order: FileDescriptor?
  var pipe: FileDescriptor?
  guard (try? ForkService.serve(socket, &order, &pipe)) == true, let order = order.take(),
    let pipe = pipe.take()
  else { return 0 }
  return supervise(order, pipe)
}

func begin() -> Int32 {
  let channel = FileDescriptor(owning: 3)
  if (try? channel.status())?.kind == .socket { return standReady(channel) }
  return supervise(channel, FileDescriptor(owning: 4))
}

CurrentProcess.exit(begin())
