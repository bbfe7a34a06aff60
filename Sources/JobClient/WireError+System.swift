package import JobWire
package import LinuxSystem

extension WireError {
  /// A failed system call, with a code that a shell can test.
  package init(_ code: ErrorCode, _ error: SystemError) {
    self.init(code, error.description)
  }

  /// Gives a failed system call a code that a shell can test.
  package static func from<Value>(
    _ code: ErrorCode, _ body: () throws(SystemError) -> Value
  ) throws(WireError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw WireError(code, error)
    }
  }

  /// Reports files that another user may have written as not permitted.
  static func trusting<Value>(
    _ what: String, _ body: () throws(TrustedPath.Problem) -> Value
  ) throws(WireError) -> Value {
    do throws(TrustedPath.Problem) {
      return try body()
    } catch {
      // Without /proc no path can be checked, which is the problem then.
      _ = try Surroundings.executable()
      throw WireError(
        .notPermitted,
        "\(what) not used: \(error.sentence) (JOBRUN_HOME can name another folder)")
    }
  }
}
