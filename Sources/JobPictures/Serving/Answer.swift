internal import JobWire

/// The response to a request.
struct Answer {
  var status: UInt32
  var type: String
  var body: [UInt8]
  var heads: [String] = []

  static func json(_ body: [UInt8], status: UInt32 = 200) -> Answer {
    Answer(status: status, type: "application/json", body: body)
  }

  static func refusal(_ status: UInt32, _ sentence: String) -> Answer {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("error")
    writer.beginObject()
    writer.field("message", sentence)
    writer.endObject()
    writer.endObject()
    return json(writer.bytes, status: status)
  }

  static func failure(_ error: WireError) -> Answer {
    json(error.json, status: error.code.status)
  }

  /// Names and values by turns: those of every answer first.
  static let defaultHeads = [
    // The page loads only its own resources, and cannot be framed by another page.
    "Content-Security-Policy",
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer", "Cache-Control",
    "no-store", "Cross-Origin-Resource-Policy", "same-origin", "Cross-Origin-Opener-Policy",
    "same-origin",
  ]
}

extension ErrorCode {
  /// The nearest status of HTTP (RFC 9110).
  fileprivate var status: UInt32 {
    switch exitCode {
    case ExitCode.usage: 400
    case ExitCode.notFound: 404
    case ExitCode.notPermitted: 403
    case ExitCode.internalFault: 500
    case ExitCode.unavailable, ExitCode.tryLater: 503
    default: 409
    }
  }
}
