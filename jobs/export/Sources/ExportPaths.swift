internal import Glibc
internal import JobFiles

/// The source and the target of an archive: everything that can be refused is refused here, before any
/// work.
struct ExportPaths {
  /// Absolute, without links.
  var source: BytePath
  /// The first part of every name in the archive.
  var name: BytePath
  var target: BytePath
  var format: ArchiveFormat
  var force: Bool

  /// `time` becomes a part of a default name, such as `20260314-153012`.
  init(_ arguments: ExportArguments, time: String) throws(ExportError) {
    let asked = arguments.source
    guard let source = asked.resolved else {
      throw .source(asked, ExportError.reason(errno))
    }
    self.source = source
    name = source.name.bytes.isEmpty ? BytePath("root") : source.name
    force = arguments.force
    let fileName = BytePath(
      name.bytes + Array("-\(time)\(ArchiveFormat.gzippedTar.endings[0])".utf8))
    target = try Self.target(arguments.target, source: source, fileName: fileName)
    guard let format = ArchiveFormat(endingOf: target.name) else {
      throw .target(target, "its name must end in one of \(ArchiveFormat.allEndings)")
    }
    self.format = format
    try checkSource(asked)
    try checkTarget()
    // The receipt names an absolute path, which does not depend on the reader's folder.
    if let folder = target.folder.resolved { target = folder.appending(target.name) }
  }

  private static func target(
    _ asked: BytePath?, source: BytePath, fileName: BytePath
  ) throws(ExportError) -> BytePath {
    if let asked {
      let status = FileStatus(asked, follow: true)
      if status?.kind == .folder { return asked.appending(fileName) }
      guard asked.bytes.last != UInt8(ascii: "/") else {
        throw .target(asked, "there is no such folder")
      }
      return asked
    }
    guard source.bytes != [UInt8(ascii: "/")] else {
      throw .target(BytePath("/"), "there is nothing beside it; name a TARGET")
    }
    return source.folder.appending(fileName)
  }

  private func checkSource(_ asked: BytePath) throws(ExportError) {
    guard let status = FileStatus(source, follow: true) else {
      throw .source(asked, ExportError.reason(errno))
    }
    guard status.kind == .folder || status.kind == .file else {
      throw .source(asked, "it is neither a folder nor a file")
    }
    let mode = status.kind == .folder ? R_OK | X_OK : R_OK
    guard unsafe source.withCString({ unsafe access($0, mode) }) == 0 else {
      throw .source(asked, ExportError.reason(errno))
    }
  }

  private func checkTarget() throws(ExportError) {
    let folder = target.folder
    guard let status = FileStatus(folder, follow: true) else {
      throw .target(target, "its folder \(folder): \(ExportError.reason(errno))")
    }
    guard status.kind == .folder else { throw .target(target, "\(folder) is not a folder") }
    guard unsafe folder.withCString({ unsafe access($0, W_OK | X_OK) }) == 0 else {
      throw .target(target, "its folder \(folder): \(ExportError.reason(errno))")
    }
    if let real = folder.resolved, isInsideSource(real) {
      throw .target(
        target, "it would be inside \(source), which it is made of; choose a TARGET outside")
    }
    guard let existing = FileStatus(target, follow: false) else { return }
    if existing.isSameFile(as: FileStatus(source, follow: true)) {
      throw .target(target, "it is the SOURCE itself")
    }
    guard force else { throw .target(target, "it exists already; --force replaces it") }
    guard existing.kind == .file || existing.kind == .link else {
      throw .target(target, "it exists already and is not a file")
    }
  }

  /// Looks for the source among a folder and its parents, by identity: names are unreliable (links, bind
  /// mounts).
  private func isInsideSource(_ folder: BytePath) -> Bool {
    let sourceStatus = FileStatus(source, follow: true)
    var current = folder
    while true {
      if FileStatus(current, follow: true)?.isSameFile(as: sourceStatus) == true { return true }
      if current.bytes == [UInt8(ascii: "/")] { return false }
      current = current.folder
    }
  }
}
