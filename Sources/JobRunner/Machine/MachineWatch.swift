import JobCore
import JobWire
import LinuxSystem
import MachineProbes

/// The machine's facts: probes them on demand, one probe at a time.
final class MachineWatch: Part {
  /// The newest probe of the machine.
  private struct Look {
    let at: Instant
    /// When the GPUs were probed; earlier than `at` if they were not needed since.
    let gpusAt: Instant
    /// All of them: a change of the settings needs no new probe of the driver.
    let gpus: GPUReading
    let reading: MachineReading
  }

  /// Facts this fresh are not asked for again at a submission.
  private static let freshness = Interval.seconds(2)

  private let loop: Reactor
  private var gpuProbe: GPUProbe
  private let machineProbe: MachineProbe
  private let allowed: () -> GPUSelection?
  private let found: (MachineReading) -> Void
  private let trouble: (String) -> Void
  private var newest: Look?
  /// The GPU probe under way.
  private var call: HelperCall?
  /// Whether the state changed after it began, so that it must be repeated: only once, because a caller waits
  /// for it.
  private var isOutdated = false
  private var isSecond = false
  private typealias Completion = (Result<MachineReading, SystemError>) -> Void
  private var waiting: [Completion] = []
  /// Callers that need a probe which begins after their call.
  private var waitingForNext: [Completion] = []

  /// Starts without facts.
  ///
  /// `allowed`: the GPUs that jobs may use; nil = all. `found` gets each reading, before the waiting callers;
  /// `trouble` a sentence about each failure.
  init(
    loop: Reactor, helper: String, stateDirectory: String, environment: [[UInt8]],
    allowed: @escaping () -> GPUSelection?,
    found: @escaping (MachineReading) -> Void, trouble: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.allowed = allowed
    self.found = found
    self.trouble = trouble
    gpuProbe = GPUProbe(helper: helper, environment: environment)
    machineProbe = MachineProbe(
      stateDirectory: stateDirectory, tree: .given(Environment(entries: environment)))
  }

  /// Whether the facts are fresh enough to decide about a submission.
  var isFresh: Bool {
    newest.map { AwakeClock.instant(in: .zero) - $0.gpusAt < Self.freshness } ?? false
  }

  /// The newest reading, without slots and leases; nil before the first.
  var report: ResourcesReport? {
    newest?.reading.report(leases: [:], slotsTotal: 0, slotsUsed: 0)
  }

  /// Whether a caller waits for a probe.
  var isAwaited: Bool { !waiting.isEmpty || !waitingForNext.isEmpty }

  /// When the helper is given up.
  var nextDue: Instant? { call.map { Instant(nanoseconds: $0.deadline) } }

  func act(at now: Instant) { finish() }

  /// Probes, then calls `body`; concurrent callers share the probe.
  ///
  /// `fromNow`: by a probe that begins after this call, not by the one under way. A failure is a shortage of
  /// the runner's own, which says nothing about the machine: the known facts stay.
  func look(
    fromNow: Bool = false, then body: @escaping (Result<MachineReading, SystemError>) -> Void
  ) {
    if fromNow, call != nil { return waitingForNext.append(body) }
    waiting.append(body)
    look()
  }

  /// A job's GPU may be given to another only after a new probe.
  ///
  /// Until now it showed the work of that job. A probe under way is repeated before its result is used.
  func outdate() {
    newest = nil
    if call != nil, !isSecond { isOutdated = true }
  }

  /// Probes the conditions of waiting and running jobs.
  ///
  /// While only network and power matter, the driver is left alone and no helper is started: on battery this
  /// may last for hours.
  func lookAgain(needsGPUs: Bool) {
    guard let newest, !needsGPUs, call == nil else { return look() }
    apply(newest.gpus, lookedForAt: newest.gpusAt)
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
    if isSecond {
      waiting += waitingForNext
      waitingForNext = []
      look()
    } else {
      apply(reading)
    }
  }

  private func apply(_ gpus: GPUReading, lookedForAt gpusAt: Instant? = nil) {
    var reading = machineProbe.read(gpus: gpus)
    reading.gpus.keep(allowed())
    let now = AwakeClock.instant(in: .zero)
    newest = Look(at: now, gpusAt: gpusAt ?? now, gpus: gpus, reading: reading)
    found(reading)
    answer(.success(reading))
  }

  private func answer(_ result: Result<MachineReading, SystemError>) {
    let answered = waiting
    waiting = waitingForNext
    waitingForNext = []
    for body in answered { body(result) }
    if !waiting.isEmpty { look() }
  }
}
