internal import JobFiles

/// The request of one connection.
struct Request {
  enum Method: String {
    case get = "GET"
    case head = "HEAD"
    case options = "OPTIONS"
    case put = "PUT"
    case post = "POST"
    case patch = "PATCH"
  }

  /// A request body: a part of an open file.
  struct Body {
    var descriptor: Int32
    var start: Int64
    var count: Int64
  }

  var address: String
  /// The credentials; nil = none, or those in ~/.netrc.
  var login: WebAddress.Login?
  var method = Method.get
  /// The body of `put`, `post` and `patch`; nil = none.
  var body: Body?
  /// The first byte, and the one after the last if there is an end; nil = everything.
  var range: (start: Int64, end: Int64?)?
  /// The validator of the file when its first bytes arrived; another file is to be sent from its start.
  var validator: String?
  /// Lines of `--header-file`, and those of a protocol.
  var fields: [String] = []
  /// Whether the library follows redirects: it would send all fields along, whichever server it reaches.
  var follows = true
  /// Whether it needs a connection of its own: HTTP/2 would share one among several requests.
  var isAlone = false
  /// Whether a status of 400 and above counts as a normal response with a body.
  var takesAnyStatus = false
  /// Whether a compressed response is decompressed.
  var unpacks = false
  /// The certificate authorities to trust in place of the system's.
  var authorities: BytePath?
  /// Bytes a second; nil = unlimited.
  var speed: Int64?

  /// In the library's format, in which both ends are included.
  var rangeText: String? {
    range.map { "\($0.start)-\($0.end.map { String($0 - 1) } ?? "")" }
  }

  var lines: [String] {
    fields + (range == nil ? [] : validator.map { ["If-Range: \($0)"] } ?? [])
  }
}
