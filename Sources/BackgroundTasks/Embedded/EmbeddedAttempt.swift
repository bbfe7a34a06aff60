internal import Foundation
internal import JobCore
internal import JobPage
internal import LinuxSystem

/// One attempt of a task in an embedded scheduler: its task object, and its page in memory.
final class EmbeddedAttempt: Sendable {
  let number: JobNumber
  let attempt: Int
  let task: BGTask
  let registration: Registration
  private let file: FileDescriptor

  /// Makes the page and the task without starting it.
  init(
    _ liveJob: EmbeddedJob, attempt: Int, gpus: [String], _ registration: Registration,
    clock: any TaskClock, scheduler: BGTaskScheduler, whenCompleted: @escaping @Sendable () -> Void
  ) throws(BGTaskScheduler.Error) {
    number = liveJob.number
    self.attempt = attempt
    self.registration = registration
    var texts = ("", "")
    if case .continued(let values) = liveJob.request.kind {
      texts = (values.title, values.subtitle)
    }
    do throws(JobPageError) {
      file = try PageFile.createInMemory(
        number: liveJob.number.value, attempt: UInt64(attempt), title: texts.0, subtitle: texts.1)
      task = TaskStart(
        number: liveJob.number, identifier: liveJob.request.identifier,
        kind: liveJob.request.taskKind,
        isHealthResearch: liveJob.request.isHealthResearch,
        means: TaskMeans(
          gpus: gpus, stateDirectory: Self.folder(liveJob.number), attempt: attempt),
        page: try WorkerPage(file, clock: clock), queue: registration.queue,
        scheduler: scheduler, whenCompleted: { _ in whenCompleted() }
      ).task()
    } catch {
      throw BGTaskScheduler.Error(.unavailable, "it has no page: \(error)")
    }
    registration.prepare(task)
  }

  /// A job's folder, kept from one attempt to the next during the life of the process.
  private static func folder(_ number: JobNumber) -> String {
    let path =
      "\(NSTemporaryDirectory())jobrun-embedded.\(ProcessInfo.processInfo.processIdentifier)/\(number)"
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return path
  }

  /// The current content of the page.
  func page() -> PageSnapshot {
    guard var reader = try? PageReader(duplicating: file) else {
      var nothing = PageSnapshot()
      nothing.condition = .unreadable
      return nothing
    }
    return reader.snapshot()
  }
}

extension PageSample {
  /// The task's texts on its page.
  init(_ page: PageSnapshot) {
    self.init()
    completed = page.completed
    total = page.total
    reports = page.reports
    unit = page.unit == .bytes ? .bytes : .items
    textSequence = page.textSequence
    quietUntil = Instant(nanoseconds: page.quietUntil)
  }
}

extension RunEnd {
  /// The end of a task in this process, as its page tells it.
  init(_ status: Status, _ page: PageSnapshot) {
    self.init(status: status, sample: PageSample(page))
    switch page.outcome {
    case .none: declared = .nothing
    case .success: declared = .success
    case .failure: declared = .failure
    case .deferred: declared = .deferred(.seconds(UInt64(page.deferSeconds)))
    }
  }
}
