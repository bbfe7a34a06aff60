internal import Glibc
internal import JobFiles

/// Identifies the content of a file without reading it.
struct FileStamp: Hashable {
  var size: Int64
  var seconds: Int
  var nanoseconds: Int

  init(size: Int64, seconds: Int, nanoseconds: Int) {
    self.size = size
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ status: FileStatus) {
    self.init(
      size: status.size, seconds: status.raw.st_mtim.tv_sec,
      nanoseconds: status.raw.st_mtim.tv_nsec)
  }
}
