internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// The whole job: check the existing data, fetch the rest, verify it, give it its name.
struct Download {
  private let plan: DownloadPlan
  private let part: PartFile
  private let state: DownloadState
  private let published: PublishedNote
  private let sent: SentNote
  private let task: BGContinuedProcessingTask

  /// Does what the arguments ask for; `task` reports progress and is checked for cancellation.
  static func run(_ arguments: DownloadArguments, _ task: BGContinuedProcessingTask) throws {
    task.unit = .bytes
    let state = BGTaskScheduler.shared.stateDirectory.map { BytePath($0.path) }
    let (published, sent) = (PublishedNote(in: state), SentNote(in: state))
    if let target = published.target {
      finish(target, try? DownloadPlan(arguments), task)
      sent.remove()
      return published.remove()
    }
    let plan = try DownloadPlan(arguments)
    if let target = plan.chosenTarget { try plan.checkIsFree(target) }
    let library = try CurlLibrary()
    let part = try PartFile(plan.part, force: plan.force)
    let download = Download(
      plan: plan, part: part,
      state: try DownloadState(plan, part, hasSent: sent.isThere), published: published,
      sent: sent, task: task)
    try download.run(library)
  }

  /// Succeeds at once: an earlier attempt was killed after it had given the file its name.
  private static func finish(
    _ target: BytePath, _ plan: DownloadPlan?, _ task: BGContinuedProcessingTask
  ) {
    let status = FileStatus(target, follow: false)
    if let plan, FileStatus(plan.part, follow: false)?.isSameFile(as: status) ?? true {
      SmallFile.remove(plan.part)
      DownloadState.remove(plan.notes)
    }
    let size = status?.size ?? 0
    TransferView(task, name: target.name.description).show(size, of: size)
    task.message = "downloaded \(Report.bytes(size)) to \(target), in an earlier attempt"
    task.setTaskCompleted(success: true)
  }

  private func run(_ library: CurlLibrary) throws {
    do {
      try Fetching(plan, part, state, sent, library, task).run()
    } catch {
      if state.notes.done == 0 { removeAll() }
      // Wrong content is not resumed.
      if case .content = error as? TransferError { state.remove() }
      throw error
    }
    let notes = state.notes
    try check(notes)
    let target = plan.target(serverName: notes.name.map { BytePath($0) })
    try publish(as: target)
    state.remove()
    let checked = expectedDigest(notes) == nil ? "" : "; its SHA-256 is right"
    task.message = "downloaded \(Report.bytes(notes.done)) to \(target)\(checked)"
    // Until the success is recorded, another attempt must know that the file is its own.
    task.setTaskCompleted(success: true)
    sent.remove()
    published.remove()
  }

  /// Removes everything when nothing has arrived.
  private func removeAll() {
    state.remove()
    SmallFile.remove(part.path)
  }

  /// The digest from the command line, else the server's.
  private func expectedDigest(_ notes: TransferNotes) -> [UInt8]? {
    plan.digest ?? notes.promisedDigest.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
  }

  /// A file of wrong content stays as a partial file for inspection, and is not resumed; one that differs only from
  /// the digest of the command line is complete, and is checked again if another digest is given.
  private func check(_ notes: TransferNotes) throws {
    guard part.size == notes.done else {
      state.remove()
      throw TransferError.content(
        part.path, "it has \(part.size) bytes of \(notes.done); another program has written it")
    }
    guard let expected = expectedDigest(notes) else { return }
    task.updateSubtitle("Checking \(plan.part.name)")
    let found = try part.digest { _ in
      try Task.checkCancellation()
      task.reportAlive()
    }
    guard found != expected else { return }
    if plan.digest == nil { state.remove() }
    throw TransferError.content(
      part.path,
      "its SHA-256 is \(Self.hexadecimal(found ?? [])), not \(Self.hexadecimal(expected));"
        + " remove it to download it again")
  }

  private func publish(as target: BytePath) throws(TransferError) {
    task.updateSubtitle("Finishing \(target.name)")
    // A slow disk may take long to write the cached data.
    task.announceQuiet(for: .seconds(600))
    defer { task.announceQuiet(for: .zero) }
    do {
      part.takeUsualMode()
      published.write(target, part.descriptor)
      try FinalName.give(target, to: part.path, part.descriptor, force: plan.force)
    } catch {
      switch error {
      case .taken:
        throw .target(target, "another program has made it meanwhile; --force replaces it")
      case .replaced: throw .foreign(target, "another file has appeared there")
      case .system(let number): throw .target(target, Report.reason(number))
      }
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
