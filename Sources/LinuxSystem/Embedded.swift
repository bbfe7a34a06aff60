#if hasFeature(Embedded)
  internal import Glibc

  // What Swift's own Glibc module and its standard library have, and Embedded Swift lacks.

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

  /// Nothing that is built so asks for its arguments.
  enum CommandLine {
    static var argc: Int32 { 0 }
    static var unsafeArgv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
      unsafe embedded_environment()
    }
  }

  /// Nothing that is built so has a second thread.
  package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private var value: Value

    package init(_ value: Value) {
      self.value = value
    }

    package borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      var value = value
      return body(&value)
    }
  }
#endif
