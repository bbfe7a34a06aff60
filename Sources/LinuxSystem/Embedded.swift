#if hasFeature(Embedded)
  internal import Glibc

  // Declarations that Glibc's module and the standard library have, and Embedded Swift lacks.

  var errno: Int32 { embedded_errno() }

  var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    unsafe embedded_environment()
  }

  func fcntl(_ descriptor: Int32, _ command: Int32, _ argument: Int32 = 0) -> Int32 {
    embedded_fcntl(descriptor, command, argument)
  }

  func ioctl(_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
    unsafe embedded_ioctl(descriptor, request, argument)
  }

  func ioctl(_ descriptor: Int32, _ request: UInt, _ argument: Int) -> Int32 {
    unsafe embedded_ioctl(descriptor, request, UnsafeMutableRawPointer(bitPattern: argument))
  }

  enum CommandLine {
    static var argc: Int32 { embedded_argument_count() }
    static var unsafeArgv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
      unsafe embedded_arguments()
    }
  }

  // The `Mutex` of Synchronization on a lock of the C library; only the holder of the lock reaches the
  // value.
  @safe
  package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: Value) {
      unsafe lock = .allocate(capacity: 1)
      unsafe pthread_mutex_init(lock, nil)
      unsafe self.value = .allocate(capacity: 1)
      unsafe self.value.initialize(to: value)
    }

    deinit {
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
      unsafe pthread_mutex_destroy(lock)
      unsafe lock.deallocate()
    }

    package borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      unsafe pthread_mutex_lock(lock)
      defer { unsafe pthread_mutex_unlock(lock) }
      return unsafe body(&value.pointee)
    }
  }
#endif
