internal import JobCore
internal import JobWire
internal import LinuxSystem
internal import MachineProbes

/// Looks what this machine has, without ever waiting for a driver.
final class MachineSurvey {
  private var gpuProbe: GPUProbe
  private var machineProbe: MachineProbe
  /// The question to the driver that is under way.
  private var call: HelperCall?
  /// The last answer; nil = it was not asked yet.
  private var gpus: GPUReading?

  /// `helper` may load drivers; `folder` is on the file system whose space counts.
  init(helper: String, folder: String) {
    let environment = CurrentProcess.environment()
    gpuProbe = GPUProbe(helper: helper, environment: environment)
    machineProbe = MachineProbe(
      stateDirectory: folder, tree: .given(Environment(entries: environment)))
  }

  /// For the loop: readable when the driver has answered.
  var descriptor: Int32? { call?.descriptor }

  /// When the driver is given up, on `AwakeClock`.
  var due: UInt64? { call?.deadline }

  /// Begins, unless it is under way; the answer if there is nothing to wait for.
  func begin(asksDriver: Bool) -> ResourcesReport? {
    if call != nil { return nil }
    if let gpus, !asksDriver { return report(gpus) }
    let call = gpuProbe.start()
    guard call.descriptor != nil else { return report(gpuProbe.finish(call)) }
    self.call = call
    return nil
  }

  /// The driver has answered, or its time is up; stop watching the descriptor first.
  func finish() -> ResourcesReport? {
    call.take().map { report(gpuProbe.finish($0)) }
  }

  private func report(_ gpus: GPUReading) -> ResourcesReport {
    self.gpus = gpus
    return machineProbe.read(gpus: gpus).report(leases: [:], slotsTotal: 0, slotsUsed: 0)
  }
}
