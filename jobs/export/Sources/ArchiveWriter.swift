internal import CArchive
internal import Glibc
internal import JobFiles
internal import LazyArchive

/// One archive being written to an open file, by the system's libarchive (`man 3 archive_write`).
@safe
struct ArchiveWriter: ~Copyable {
  /// An error of a libarchive call.
  struct Failure: Error {
    /// Whether no more can be written.
    var isFatal: Bool
    var reason: String
  }

  /// One entry of an archive.
  struct Entry {
    var path: BytePath
    var status: FileStatus
    /// The bytes that follow.
    var size: Int64
    /// The target of a symbolic link.
    var linkTarget: BytePath?
    /// An earlier name of the same file, in the archive.
    var hardLink: BytePath?
  }

  /// The bytes that libarchive passes to the kernel at once.
  private static let blockBytes: Int32 = 128 << 10

  /// An object that libarchive allocated, freed with this value.
  @safe
  private struct Handles: ~Copyable {
    let archive: OpaquePointer
    let entry: OpaquePointer

    deinit {
      unsafe archive_entry_free(entry)
      // Without this an abandoned archive would first be completed, with zeros for all that is missing.
      _ = unsafe archive_write_fail(archive)
      _ = unsafe archive_write_free(archive)
    }
  }

  private let handles: Handles
  private var archive: OpaquePointer { unsafe handles.archive }
  private var entry: OpaquePointer { unsafe handles.entry }

  private init(owning handles: consuming Handles) {
    self.handles = handles
  }

  /// Prepares an archive in `descriptor`, which remains the caller's.
  static func open(_ format: ArchiveFormat, to descriptor: Int32) throws(Failure) -> ArchiveWriter {
    if let problem = unsafe lazy_archive_load() {
      throw Failure(
        isFatal: true,
        reason: unsafe "libarchive (of the package libarchive13) cannot be used: "
          + String(cString: problem))
    }
    guard let archive = unsafe archive_write_new(), let entry = unsafe archive_entry_new() else {
      throw Failure(isFatal: true, reason: ExportError.reason(ENOMEM))
    }
    let writer = unsafe ArchiveWriter(owning: Handles(archive: archive, entry: entry))
    try unsafe writer.check(configure(archive, format))
    try unsafe writer.check(archive_write_set_bytes_per_block(archive, blockBytes))
    try unsafe writer.check(archive_write_set_bytes_in_last_block(archive, 1))
    try unsafe writer.check(archive_write_open_fd(archive, descriptor))
    return writer
  }

  private static func configure(_ archive: OpaquePointer, _ format: ArchiveFormat) -> Int32 {
    switch format {
    case .gzippedTar:
      return unsafe min(
        archive_write_set_format_pax_restricted(archive), archive_write_add_filter_gzip(archive))
    case .zstandardTar:
      let result = unsafe min(
        archive_write_set_format_pax_restricted(archive), archive_write_add_filter_zstd(archive))
      // Older libraries use one thread; the archive is the same.
      let threads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      _ = unsafe archive_write_set_filter_option(archive, "zstd", "threads", "\(threads)")
      return result
    case .zip:
      return unsafe archive_write_set_format_zip(archive)
    }
  }

  /// Starts the next entry; its `size` bytes follow.
  func begin(_ item: Entry) throws(Failure) {
    // Names are bytes that should be UTF-8, and libarchive marks them with the locale's encoding.
    _ = unsafe setlocale(LC_CTYPE, item.path.isUTF8 ? "C.UTF-8" : "C")
    var raw = item.status.raw
    unsafe archive_entry_clear(entry)
    unsafe archive_entry_copy_stat(entry, &raw)
    unsafe item.path.withCString { unsafe archive_entry_copy_pathname(entry, $0) }
    unsafe archive_entry_set_size(entry, item.size)
    if let link = item.linkTarget {
      unsafe link.withCString { unsafe archive_entry_copy_symlink(entry, $0) }
    }
    if let link = item.hardLink {
      unsafe link.withCString { unsafe archive_entry_copy_hardlink(entry, $0) }
    }
    try unsafe check(archive_write_header(archive, entry))
  }

  /// Adds to the content of the current entry.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = unsafe archive_write_data(archive, rest.baseAddress, rest.count)
      guard count > 0 else { throw failure(isFatal: true) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Writes the rest; only then the archive is complete.
  func close() throws(Failure) {
    try unsafe check(archive_write_close(archive))
  }

  private func check(_ result: Int32) throws(Failure) {
    // A warning means that the entry is stored, perhaps without some of its attributes.
    guard result < ARCHIVE_WARN else { return }
    throw failure(isFatal: result == ARCHIVE_FATAL)
  }

  private func failure(isFatal: Bool) -> Failure {
    let number = unsafe archive_errno(archive)
    let text = unsafe archive_error_string(archive).map { unsafe String(cString: $0) }
    let reason = number > 0 && number < 4096 ? ExportError.reason(number) : nil
    return Failure(isFatal: isFatal, reason: reason ?? text ?? "libarchive does not say why")
  }
}
