internal import JobWire
internal import LinuxSystem

/// An attempt that runs on the helper's own machine.
final class HostAttempt: FolderAttempt {
  /// Its supervisor; nil while there is none to be watched.
  var node: ProcessDescriptor?
  var pid: Int32?
  /// Started by this process, which therefore must reap it.
  var isChild = false
  /// When everything of it is killed from here, as its supervisor has not.
  var killAt: UInt64?
  /// What is still to be launched, as the machine lacked something.
  var pending: (launch: EngineLaunch, order: [UInt8])?
}
