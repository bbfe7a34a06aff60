import JobCore
import JobWire
import LinuxSystem

/// What is known of the machine: probes it for whoever asks, one look at a time.
final class MachineWatch: Part {
  /// The newest look at the machine.
  private struct Look {
    let at: Instant
    /// When the GPUs were looked for; earlier than `at` when nobody needed them since.
    let gpusAt: Instant
    let reading: MachineReading
  }

  /// Facts this fresh are not asked for again at a submission.
  private static let freshness = Interval.seconds(2)

  private let loop: Reactor
  private var gpuProbe: GPUProbe
  private let machineProbe: MachineProbe
  private let found: (MachineReading) -> Void
  private let trouble: (String) -> Void
  private var newest: Look?
  /// The look for GPUs that is under way.
  private var call: HelperCall?
  /// It began before something changed, and is to be made again: once, as somebody waits for it.
  private var isOutdated = false
  private var isSecond = false
  private var waiting: [(Result<MachineReading, SystemError>) -> Void] = []

  /// `found` is told each reading, before whoever waited for it; `trouble` in a sentence what is wrong.
  init(
    loop: Reactor, helper: String, stateDirectory: String, environment: [[UInt8]],
    found: @escaping (MachineReading) -> Void, trouble: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.found = found
    self.trouble = trouble
    gpuProbe = GPUProbe(helper: helper, environment: environment)
    machineProbe = MachineProbe(
      stateDirectory: stateDirectory, tree: .given(Environment(entries: environment)))
  }

  /// Whether a submission may be decided with what is known.
  var isFresh: Bool {
    newest.map { AwakeClock.instant(in: .zero) - $0.gpusAt < Self.freshness } ?? false
  }

  /// Whether somebody waits for a look.
  var isAwaited: Bool { !waiting.isEmpty }

  /// When the helper is given up.
  var nextDue: Instant? { call.map { Instant(nanoseconds: $0.deadline) } }

  func act(at now: Instant) { finish() }

  /// Looks anew, then calls `body`; who asks meanwhile shares the look.
  ///
  /// A failure is a shortage of the runner's own, which says nothing about the machine: what was known
  /// of it stays.
  func look(then body: @escaping (Result<MachineReading, SystemError>) -> Void) {
    waiting.append(body)
    look()
  }

  /// A GPU that a job had is another's to have only once it was looked at again.
  ///
  /// What it showed until now was the work of that job. A look that is under way is made again before
  /// anybody hears of it.
  func outdate() {
    newest = nil
    if call != nil, !isSecond { isOutdated = true }
  }

  /// Looks at what waiting and running jobs depend on.
  ///
  /// While only network and power matter, the driver is left alone and no helper is started: on a
  /// battery, this goes on for hours.
  func lookAgain(needsGPUs: Bool) {
    guard let newest, !needsGPUs, call == nil else { return look() }
    apply(newest.reading.gpus, lookedForAt: newest.gpusAt)
  }

  private func look() {
    guard call == nil else { return }
    let call = gpuProbe.start()
    if let shortage = call.shortage { return answer(.failure(shortage)) }
    guard let descriptor = call.descriptor else { return apply(gpuProbe.finish(call)) }
    do throws(SystemError) {
      try loop.watch(descriptor) { [unowned self] _ in finish() }
      self.call = call
    } catch {
      trouble("the machine cannot be probed: \(error)")
      _ = gpuProbe.finish(call)
      answer(.failure(error))
    }
  }

  /// The helper has answered, or its time is up.
  private func finish() {
    guard let call else { return }
    if let descriptor = call.descriptor { loop.remove(descriptor) }
    self.call = nil
    let reading = gpuProbe.finish(call)
    isSecond = isOutdated
    isOutdated = false
    if isSecond { look() } else { apply(reading) }
  }

  private func apply(_ gpus: GPUReading, lookedForAt gpusAt: Instant? = nil) {
    let reading = machineProbe.read(gpus: gpus)
    let now = AwakeClock.instant(in: .zero)
    newest = Look(at: now, gpusAt: gpusAt ?? now, reading: reading)
    found(reading)
    answer(.success(reading))
  }

  private func answer(_ result: Result<MachineReading, SystemError>) {
    let waiting = waiting
    self.waiting = []
    for body in waiting { body(result) }
  }
}
