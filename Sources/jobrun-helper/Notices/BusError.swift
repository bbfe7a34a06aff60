internal import LinuxSystem

/// Why a call over the session bus failed.
struct BusError: Error {
  /// One phrase for a person, with the bus's own name of the error where it has one.
  var description: String

  init(_ description: String) {
    self.description = description
  }

  /// The library is missing or not the expected one.
  init(unusable problem: DynamicLibrary.Problem) {
    self.init("sd-bus cannot be used: \(problem.description)")
  }

  /// A negative errno from sd-bus.
  init(_ what: String, code: Int32) {
    description =
      switch -code {
      // ENOMEDIUM, ENOENT and ECONNREFUSED: no address, or no bus at the address.
      case 123: "\(what): no session bus is known"
      case 2: "\(what): nothing is at the address of the session bus"
      case 111: "\(what): nothing answers at the address of the session bus"
      case 13: "\(what): the session bus refused access"
      case let number: "\(what): error \(number)"
      }
  }
}
