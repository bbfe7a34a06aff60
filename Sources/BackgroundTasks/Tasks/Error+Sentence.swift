internal import Foundation

extension Error {
  /// The text of this error for people: its own description, or Foundation's.
  var sentence: String {
    if let described = (self as? any LocalizedError)?.errorDescription { return described }
    switch self {
    case is CocoaError, is POSIXError, is URLError: return localizedDescription
    default: return "\(self)"
    }
  }
}
