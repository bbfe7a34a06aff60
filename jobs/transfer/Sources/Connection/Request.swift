internal import JobFiles

/// What one connection asks for.
struct Request {
  enum Method: String {
    case get = "GET"
    case head = "HEAD"
    case options = "OPTIONS"
    case put = "PUT"
    case post = "POST"
    case patch = "PATCH"
  }

  /// What is sent: a part of an open file.
  struct Body {
    var descriptor: Int32
    var start: Int64
    var count: Int64
  }

  var address: String
  /// Who asks; nil = nobody, or whom ~/.netrc names.
  var login: WebAddress.Login?
  var method = Method.get
  /// What `put`, `post` and `patch` send; nil = nothing.
  var body: Body?
  /// The first byte, and the one behind the last when there is an end; nil = all of it.
  var range: (start: Int64, end: Int64?)?
  /// What the file was when its first bytes came; another one is to be sent from its beginning.
  var validator: String?
  /// Lines of `--header-file`, and those of a protocol.
  var fields: [String] = []
  /// Whether the library goes where it is sent to: all fields would go along, whoever is asked there.
  var follows = true
  /// Whether it has a connection of its own: HTTP/2 would make one of several.
  var isAlone = false
  /// Whether a status of 400 and above is an answer like any other, with a body.
  var takesAnyStatus = false
  /// The authorities to trust in place of the system's.
  var authorities: BytePath?
  /// Bytes a second; nil = as many as come.
  var speed: Int64?

  /// As the library takes it: both ends belong to it.
  var rangeText: String? {
    range.map { "\($0.start)-\($0.end.map { String($0 - 1) } ?? "")" }
  }

  var lines: [String] {
    fields + (range == nil ? [] : validator.map { ["If-Range: \($0)"] } ?? [])
  }
}
