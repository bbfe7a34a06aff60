internal import JobPage
internal import LinuxSystem

// The parent of one job's process tree. It is started by the runner with the launch order on
// descriptor 3 and a pipe to the runner on 4, outlives the runner, and leaves when the tree is empty.
//
// Its exit code says only whether it could do its work; how the job ended is in the run record.

/// Descriptor 3 held no order that can be read.
let exitUnusableOrder: Int32 = 65
/// The run record or the kernel refused what supervision needs.
let exitUnsupervisable: Int32 = 71

func supervise() -> Int32 {
  let order: LaunchOrder
  do {
    let channel = FileDescriptor(owning: 3)
    order = try LaunchOrder(
      decoding: MemoryFile.content(of: channel, limit: 2 * LaunchSpecification.limit))
  } catch {
    return exitUnusableOrder
  }
  do {
    return try Supervision.run(order, listener: Listener(owning: FileDescriptor(owning: 4)))
  } catch {
    return exitUnsupervisable
  }
}

CurrentProcess.exit(supervise())
