internal import BackgroundTasks
internal import Foundation
internal import Glibc
internal import JobFiles

/// The whole job: check the paths, survey, pack, publish.
enum Export {
  /// The exit code of an archive that lacks files.
  private static let incomplete: Int32 = 2

  /// Does what the arguments ask for; `task` reports progress and is checked for cancellation.
  static func run(_ arguments: ExportArguments, _ task: BGContinuedProcessingTask) throws {
    let paths = try ExportPaths(arguments, time: localTime())
    let status = StatusLine(task)
    task.unit = .bytes
    task.progress.totalUnitCount = try SourceSize.bytes(
      of: paths.source, linksOnce: paths.format.storesHardLinks, status: status)
    let partial = try PartialFile.create(for: paths.target)
    let packer = try Packer(paths, to: partial.descriptor, task: task, status: status)
    try packer.pack()
    try Task.checkCancellation()
    try partial.publish(force: paths.force)
    completeProgress(of: task)
    let summary = packer.tally.summary(target: paths.target)
    guard packer.tally.unreadable == 0 else { throw JobFailure(summary, exitCode: incomplete) }
    task.message = summary
  }

  /// Sets the total to the completed count: files may have changed while they were packed.
  private static func completeProgress(of task: BGContinuedProcessingTask) {
    if task.progress.completedUnitCount == 0 { task.advance(by: 1) }
    task.progress.totalUnitCount = task.progress.completedUnitCount
  }

  /// For example `20260314-153012`: sorts by time, and is valid on every filesystem.
  private static func localTime() -> String {
    var now = time(nil)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let length = unsafe strftime(&text, text.count, "%Y%m%d-%H%M%S", &parts)
    return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
