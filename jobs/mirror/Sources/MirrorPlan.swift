internal import Glibc
internal import JobFiles

/// The source and the target of a copy: everything that can be refused is refused here, before any work.
struct MirrorPlan {
  /// Absolute, without links.
  var source: BytePath
  /// Absolute; it may not exist yet, its parent folder does.
  var target: BytePath
  var updates: Bool

  init(_ arguments: MirrorArguments) throws(MirrorError) {
    updates = arguments.updates
    guard let source = arguments.source.resolved, let status = FileStatus(source, follow: true)
    else { throw .source(arguments.source, Report.reason(errno)) }
    guard status.kind == .folder else { throw .source(arguments.source, "it is not a folder") }
    self.source = source
    target = try Self.resolvedTarget(of: arguments.target)
    try checkNesting(arguments, status)
  }

  private static func resolvedTarget(of asked: BytePath) throws(MirrorError) -> BytePath {
    if let status = FileStatus(asked, follow: true) {
      guard status.kind == .folder else { throw .target(asked, "it is not a folder") }
      guard let real = asked.resolved else { throw .target(asked, Report.reason(errno)) }
      return real
    }
    guard errno == ENOENT, FileStatus(asked, follow: false) == nil else {
      throw .target(asked, Report.reason(errno == 0 ? ENOENT : errno))
    }
    guard let folder = asked.folder.resolved else {
      throw .target(asked, "its folder \(asked.folder): \(Report.reason(errno))")
    }
    return folder.appending(asked.name)
  }

  /// A copy inside of its source would never end, and the reverse would overwrite the source.
  private func checkNesting(
    _ arguments: MirrorArguments, _ status: FileStatus
  ) throws(MirrorError) {
    let existing = FileStatus(target, follow: true)
    if status.isSameFile(as: existing) {
      throw .target(arguments.target, "it is \(arguments.source) itself")
    }
    if Self.isInside(existing == nil ? target.folder : target, status) {
      throw .target(
        arguments.target, "it is inside \(arguments.source); choose a TARGET outside")
    }
    if let existing, Self.isInside(source, existing) {
      throw .target(
        arguments.target, "\(arguments.source) is inside it; choose a TARGET elsewhere")
    }
  }

  /// Looks for `outer` among a folder and its parents, by identity: names are unreliable (links, bind
  /// mounts).
  private static func isInside(_ folder: BytePath, _ outer: FileStatus) -> Bool {
    var current = folder
    while true {
      if FileStatus(current, follow: true)?.isSameFile(as: outer) == true { return true }
      if current.bytes == [UInt8(ascii: "/")] { return false }
      current = current.folder
    }
  }

  /// Refuses a folder that is not empty, unless it is to be updated.
  ///
  /// Called when no earlier attempt of this job has started.
  func checkTargetIsFree() throws(MirrorError) {
    guard !updates, FileStatus(target, follow: true) != nil else { return }
    guard let stream = unsafe target.withCString({ unsafe opendir($0) }) else {
      throw .target(target, Report.reason(errno))
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let name = unsafe directoryEntryName(entry)
      guard name.isDots else { throw .target(target, "it is not empty; --update allows that") }
    }
  }
}

extension BytePath {
  /// Whether it is `.` or `..`, which every folder lists.
  var isDots: Bool { self == BytePath(".") || self == BytePath("..") }
}
