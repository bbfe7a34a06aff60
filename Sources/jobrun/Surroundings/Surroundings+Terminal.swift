import JobClient
import JobWire

extension Surroundings {
  /// Whether colour is wanted on a terminal: the convention of no-color.org, and dumb terminals.
  var wantsColour: Bool {
    (environment["NO_COLOR"] ?? "").isEmpty && !isDumb
  }

  /// The terminal does not support escape sequences.
  var isDumb: Bool {
    environment["TERM"].map { $0.isEmpty || $0 == "dumb" } ?? true
  }
}
