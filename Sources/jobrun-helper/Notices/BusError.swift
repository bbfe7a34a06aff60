internal import LinuxSystem

/// Why something could not be done over the session bus.
struct BusError: Error {
  /// One phrase for a person, with the bus's own name of the error where it has one.
  var description: String

  init(_ description: String) {
    self.description = description
  }

  /// The library is not there, or not the one it should be.
  init(unusable problem: DynamicLibrary.Problem) {
    self.init("sd-bus cannot be used: \(problem.description)")
  }

  /// A negative errno, as sd-bus answers.
  init(_ what: String, code: Int32) {
    description =
      switch -code {
      // ENOMEDIUM, ENOENT and ECONNREFUSED: no address, and nobody at the address.
      case 123: "\(what): no session bus is known"
      case 2: "\(what): nothing is at the address of the session bus"
      case 111: "\(what): nothing answers at the address of the session bus"
      case 13: "\(what): the session bus refused access"
      case let number: "\(what): error \(number)"
      }
  }
}
