internal import Glibc
internal import JobFiles

/// What goes where: everything that can be refused is refused here, before any work.
struct MirrorPlan {
  /// Absolute, without links.
  var source: BytePath
  /// Absolute; it may not exist yet, the folder that it is in does.
  var target: BytePath
  var updates: Bool

  init(_ arguments: MirrorArguments) throws(MirrorError) {
    updates = arguments.updates
    guard let source = arguments.source.resolved, let status = FileStatus(source, follow: true)
    else { throw .source(arguments.source, Report.reason(errno)) }
    guard status.kind == .folder else { throw .source(arguments.source, "it is not a folder") }
    self.source = source
    target = try Self.place(of: arguments.target)
    try checkNesting(arguments, status)
  }

  private static func place(of asked: BytePath) throws(MirrorError) -> BytePath {
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

  /// A copy inside of what it is made of would never end, and the reverse would overwrite it.
  private func checkNesting(
    _ arguments: MirrorArguments, _ status: FileStatus
  ) throws(MirrorError) {
    let existing = FileStatus(target, follow: true)
    if status.isSameFile(as: existing) {
      throw .target(arguments.target, "it is \(arguments.source) itself")
    }
    if Self.isInside(existing == nil ? target.folder : target, status) {
      throw .target(
        arguments.target, "it lies inside \(arguments.source); choose a TARGET outside")
    }
    if let existing, Self.isInside(source, existing) {
      throw .target(
        arguments.target, "\(arguments.source) lies inside it; choose a TARGET elsewhere")
    }
  }

  /// Looks for `outer` among a folder and all those above it, by identity: names can lie (links,
  /// bind mounts).
  private static func isInside(_ folder: BytePath, _ outer: FileStatus) -> Bool {
    var current = folder
    while true {
      if FileStatus(current, follow: true)?.isSameFile(as: outer) == true { return true }
      if current.bytes == [UInt8(ascii: "/")] { return false }
      current = current.folder
    }
  }

  /// Refuses a folder with somebody's files in it, unless they are to be updated.
  ///
  /// Called when no earlier attempt of this job has begun.
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
  /// Whether it is the folder itself or the one above, as every list of names has them.
  var isDots: Bool { self == BytePath(".") || self == BytePath("..") }
}
