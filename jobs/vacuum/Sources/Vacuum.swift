internal import BackgroundTasks
internal import Foundation
internal import Glibc
internal import JobFiles

/// The whole job: find the databases, then check and shrink one after the other.
enum Vacuum {
  /// Exit code when a database is damaged.
  private static let damaged: Int32 = 2

  /// Does what the arguments ask for; `task` reports progress and is checked for cancellation.
  static func run(_ arguments: VacuumArguments, _ task: BGProcessingTask) throws {
    guard let folder = arguments.folder.resolved else {
      throw VacuumError.folder(arguments.folder, Report.reason(errno))
    }
    guard FileStatus(folder, follow: true)?.kind == .folder else {
      throw VacuumError.folder(arguments.folder, "it is not a folder")
    }
    var walk = TreeWalk(visitor: DatabaseSearch())
    try walk.walk(folder, as: folder)
    var tally = VacuumTally(unreadable: walk.visitor.unreadable)
    task.unit = .bytes
    task.progress.totalUnitCount = walk.visitor.found.reduce(0) { $0 + $1.size }
    for found in walk.visitor.found {
      try Task.checkCancellation()
      tally.take(try shrink(found), of: found.path)
      task.advance(by: found.size)
    }
    guard tally.damaged == 0 else { throw JobFailure(tally.summary, exitCode: damaged) }
    task.message = tally.summary
  }

  /// Checks one database and frees its unused space.
  ///
  /// - Throws: `CancellationError` when the task is to stop; any other problem is the result.
  private static func shrink(_ found: DatabaseSearch.Found) throws -> VacuumTally.Result {
    if found.isLinked { return .left("it has two hard links, which SQLite's locks do not cover") }
    do throws(DatabaseProblem) {
      let database = try Database(found.path)
      if let fault = try database.fault() { return .damaged(fault) }
      guard try database.hasUnusedPages() else { return .whole }
      // SQLite writes the new content beside the old one, and then the old one beside the new.
      guard freeBytes(beside: found.path) > 2 * found.size else {
        return .left("there is too little free space beside it")
      }
      try database.vacuum()
      let size = FileStatus(found.path, follow: false)?.size ?? found.size
      return .shrunk(from: found.size, to: min(size, found.size))
    } catch {
      switch error {
      case .interrupted: throw CancellationError()
      case .busy: return .left("another program uses it")
      case .damaged(let reason): return .damaged(reason)
      case .other(let reason): return .left(reason)
      }
    }
  }

  private static func freeBytes(beside path: BytePath) -> Int64 {
    var space = statvfs()
    guard unsafe path.folder.withCString({ unsafe statvfs($0, &space) }) == 0 else { return 0 }
    let (bytes, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(
      by: UInt64(space.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }
}
