internal import JobPage
internal import LinuxSystem
internal import Synchronization

/// The worker's view of the page, which the author's calls write to.
@safe
final class WorkerPage: Sendable {
  private let writer: PageWriter
  /// The completed count of `writer`, for additions without a call.
  nonisolated(unsafe) let completedWord: UnsafeMutablePointer<Atomic<UInt64>>
  private let currentUnit = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  /// On which quiet phases and deadlines are.
  let clock: any TaskClock

  /// The texts that the page had at the start.
  let initialTitle: String
  let initialSubtitle: String

  /// Opens the page at `path`.
  convenience init(path: String) throws(JobPageError) {
    self.init(try PageWriter(path: path), try PageReader(path: path), clock: MachineClock())
  }

  /// Opens the page in a file.
  convenience init(
    _ file: borrowing FileDescriptor, clock: any TaskClock
  ) throws(JobPageError) {
    self.init(
      try PageWriter(duplicating: file), try PageReader(duplicating: file), clock: clock)
  }

  private init(
    _ writer: consuming PageWriter, _ reader: consuming PageReader, clock: any TaskClock
  ) {
    self.clock = clock
    unsafe completedWord = unsafe writer.completedWord
    self.writer = writer
    let snapshot = reader.snapshot()
    initialTitle = snapshot.title
    initialSubtitle = snapshot.subtitle
  }

  var completedUnits: Int64 {
    unsafe Int64(bitPattern: completedWord.pointee.load(ordering: .relaxed))
  }

  /// Negative counts become zero.
  func setCompletedUnits(_ units: Int64) {
    writer.setCompleted(UInt64(max(0, units)))
  }

  /// The count after the addition.
  func addCompletedUnits(_ units: Int64) -> Int64 {
    let added = unsafe completedWord.pointee
      .wrappingAdd(UInt64(bitPattern: units), ordering: .relaxed)
    return Int64(bitPattern: added.newValue)
  }

  /// False, without writing, when the count is no longer `expected`.
  func replaceCompletedUnits(_ expected: Int64, by units: Int64) -> Bool {
    writer.replaceCompleted(UInt64(bitPattern: expected), by: UInt64(max(0, units)))
  }

  /// Zero or less: indeterminate.
  func setTotalUnits(_ units: Int64) {
    writer.setTotal(UInt64(max(0, units)))
  }

  var unit: ProgressUnit { currentUnit.load(ordering: .relaxed) ? .bytes : .items }

  func setUnit(_ unit: ProgressUnit) {
    currentUnit.store(unit == .bytes, ordering: .relaxed)
    writer.setUnit(unit == .bytes ? .bytes : .items)
  }

  func setTexts(title: String?, subtitle: String) {
    writer.setText(title: title, subtitle: subtitle)
  }

  func declare(_ ending: TaskEnding) {
    switch ending {
    case .success(let message): writer.declare(.success, message: message)
    case .failure(let message, _): writer.declare(.failure, message: message)
    case .deferral(let seconds, let message):
      writer.declare(.deferred, message: message, deferSeconds: seconds)
    }
  }

  /// Announces a quiet phase of this length.
  func announceQuiet(for span: Duration) {
    let until = span > .zero ? clock.nanoseconds.addingHeld(span.wholeNanoseconds) : 0
    writer.setQuiet(until: until)
  }

  func report() {
    writer.report()
  }

  /// Whether the runner has told this worker to stop.
  var isStopped: Bool { writer.stop != nil }

  /// The attempt is over: ends the wait for its stop.
  func endWaiting() {
    isOver.store(true, ordering: .releasing)
    writer.endWaiting()
  }

  /// Waits in the kernel until the runner tells this worker to stop; nil when the attempt is over.
  func waitForStop() -> TaskLife.Stop? {
    while true {
      guard let stop = writer.waitForStop(until: nil) else { continue }
      if isOver.load(ordering: .acquiring) { return nil }
      return TaskLife.Stop(
        reason: BGTask.StopReason(pageValue: stop.reason), deadlineNanoseconds: stop.deadline)
    }
  }
}
