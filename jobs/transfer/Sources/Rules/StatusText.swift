/// The meaning of a status in words: HTTP/2 and later send only the number (RFC 9110, section 15).
enum StatusText {
  /// `the server answered 404: there is no such file`.
  static func sentence(_ status: Int) -> String {
    guard let meaning = meanings[status] else { return "the server answered \(status)" }
    return "the server answered \(status): \(meaning)"
  }

  private static let moved = "it is at another address, and does not say which"

  private static let meanings = [
    204: "there is nothing", 300: "there are several", 301: moved, 302: moved,
    303: moved, 304: "nothing has changed",
    400: "it does not understand the request", 401: "it requires authentication",
    402: "payment is required", 403: "it is not allowed", 404: "there is no such file",
    307: moved, 308: moved, 405: "it does not do that", 407: "the proxy requires authentication",
    408: "it timed out waiting for the request", 409: "it conflicts with what the server has",
    410: "the file is gone", 411: "it requires a length", 413: "it is too large for it",
    416: "there is no such part", 423: "it is locked", 425: "it is too early",
    429: "there were too many requests",
    451: "unavailable for legal reasons", 460: "it was damaged on its way",
    500: "it has a fault", 501: "it cannot do that",
    502: "the server behind it failed", 503: "it is not available now",
    504: "the server behind it did not answer", 507: "it has no room",
  ]
}
