internal import JobWire
internal import LinuxSystem

/// An attempt that runs on the helper's own machine.
final class HostAttempt: FolderAttempt {
  /// Its supervisor; nil while there is none to watch.
  var node: ProcessDescriptor?
  var pid: Int32?
  /// Started by this process, which therefore must reap it.
  var isChild = false
  /// When this process kills everything of it, as its supervisor has not.
  var killAt: UInt64?
  /// A launch to be repeated, as the machine lacked a resource.
  var pending: (launch: EngineLaunch, order: [UInt8])?
}
