package import LinuxSystem
package import Synchronization

/// A worker's access to its own page, shared by all its threads.
///
/// Counting is one atomic operation in shared memory: no system call, no lock, no allocation.
@safe
package struct PageWriter: ~Copyable, Sendable {
  let mapping: SharedMapping
  private let file: FileDescriptor
  /// For the threads of this process; the file's lock excludes other processes.
  private let texts = Mutex<Void>(())

  /// Maps the page at `path` (for a worker, the value of `JOBRUN_PAGE`).
  package init(path: String) throws(JobPageError) {
    let file = try JobPageError.wrapping { () throws(SystemError) in
      try File.open(path, [.read, .write, .nonblocking])
    }
    try self.init(file, name: path)
  }

  /// Maps the page in a file, through a duplicate descriptor.
  package init(duplicating file: borrowing FileDescriptor) throws(JobPageError) {
    let copy = try JobPageError.wrapping { () throws(SystemError) in try file.duplicate() }
    try self.init(copy, name: "the file")
  }

  private init(_ file: consuming FileDescriptor, name: String) throws(JobPageError) {
    let header = try JobPageError.wrapping { () throws(SystemError) in
      PageBytes(bytes: try file.read(at: 0, maximum: PageLayout.size))
    }
    guard header.bytes.count == PageLayout.size, header.hasHeader else {
      throw .notPage(path: name)
    }
    mapping = try JobPageError.wrapping { () throws(SystemError) in
      try SharedMapping(file, size: PageLayout.size)
    }
    self.file = file
  }

  /// Runs `body` alone among all writers of this page's texts, in this process and in others.
  func locked(_ body: () -> Void) {
    texts.withLock { _ in
      // Without the lock (no memory for it), the only risk is a torn text, which readers skip.
      try? file.lock()
      body()
      file.unlock()
    }
  }

  /// The completed count, for a writer that stores to it without a call.
  ///
  /// Valid as long as this value lives.
  @unsafe package var completedWord: UnsafeMutablePointer<Atomic<UInt64>> {
    unsafe word64(PageLayout.completed)
  }

  /// The atomic word at an offset of `PageLayout`.
  func word64(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    unsafe mapping.address.advanced(by: offset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  func word32(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    unsafe mapping.address.advanced(by: offset).assumingMemoryBound(to: Atomic<UInt32>.self)
  }
}

// Counting.
extension PageWriter {
  /// Adds to the completed count (two's complement: may be negative); exact under any number of threads and
  /// processes.
  package borrowing func advance(by count: Int64) {
    unsafe word64(PageLayout.completed).pointee
      .wrappingAdd(UInt64(bitPattern: count), ordering: .relaxed)
  }

  /// Sets the completed count: for a single writer, as a plain store loses concurrent additions.
  package borrowing func setCompleted(_ count: UInt64) {
    unsafe word64(PageLayout.completed).pointee.store(count, ordering: .relaxed)
  }

  package var completed: UInt64 {
    unsafe word64(PageLayout.completed).pointee.load(ordering: .relaxed)
  }

  /// 0 = indeterminate.
  package borrowing func setTotal(_ count: UInt64) {
    unsafe word64(PageLayout.total).pointee.store(count, ordering: .relaxed)
  }

  package var total: UInt64 {
    unsafe word64(PageLayout.total).pointee.load(ordering: .relaxed)
  }

  package borrowing func setUnit(_ unit: PageUnit) {
    unsafe word32(PageLayout.unit).pointee.store(unit.rawValue, ordering: .relaxed)
  }

  /// Reports a sign of life without a change of the counts.
  package borrowing func report() {
    unsafe word64(PageLayout.reports).pointee.wrappingAdd(1, ordering: .relaxed)
  }

  /// Announces that no report will come until then (on `AwakeClock`); 0 = ends that.
  package borrowing func setQuiet(until instant: UInt64) {
    unsafe word64(PageLayout.quietUntil).pointee.store(instant, ordering: .relaxed)
    report()
  }
}
