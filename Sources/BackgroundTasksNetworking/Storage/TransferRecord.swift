internal import Foundation
internal import FoundationNetworking

/// What is known of one transfer, kept on the disk from its beginning until its end has been told.
struct TransferRecord: Codable, Sendable {
  enum Kind: String, Codable, Sendable {
    /// The answer's body becomes a file.
    case download
    /// A file is sent.
    case upload
  }

  /// How it ended.
  struct End: Codable, Sendable {
    /// Of `URLError`; nil = well.
    var code: Int?
    var reason = ""
    /// Whether somebody else than the program has cancelled it.
    var isForced = false
    var resumeData: Data?
  }

  /// The task's identifier in its session.
  var number: Int
  var kind: Kind
  var request: StoredRequest
  /// Path of the file that is sent.
  var source: String?
  var description: String?
  var earliest: Date?
  var expectedToSend = Int64(-1)
  var expectedToReceive = Int64(-1)
  var priority: Float = 0.5
  /// Of the submission, so that asked twice it is one job.
  var key: String
  var job: UInt64?
  /// Only callers of an `async` form want it.
  var isAwaited = false
  /// Bytes that an earlier task has brought, not told yet.
  var resumesAt: Int64?
  var end: End?
}

/// A request as it is kept, without what is not sent.
struct StoredRequest: Codable, Hashable, Sendable {
  var url: String
  var method: String
  var fields: [String: String]
  var timeout: Double

  init(_ request: URLRequest, _ configuration: URLSessionConfiguration) {
    url = request.url?.absoluteString ?? ""
    method = request.httpMethod ?? "GET"
    timeout = request.timeoutInterval
    var fields = request.allHTTPHeaderFields ?? [:]
    let names = Set(fields.keys.map { $0.lowercased() })
    for case (let name as String, let value as String) in configuration.httpAdditionalHeaders ?? [:]
    where !names.contains(name.lowercased()) {
      fields[name] = value
    }
    self.fields = fields
  }

  var request: URLRequest? {
    guard let url = URL(string: url) else { return nil }
    var request = URLRequest(url: url, timeoutInterval: timeout)
    request.httpMethod = method
    request.allHTTPHeaderFields = fields
    return request
  }

  var host: String { URL(string: url)?.host ?? "" }

  /// What a person sees of it: nothing of what may be a secret.
  var shown: String {
    let address = URL(string: url)
    let name = address?.lastPathComponent ?? ""
    let text = name.isEmpty || name == "/" ? host : name
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F })
    )
    .prefix(200).description
  }

  /// The lines of the header file; a line break in a value would be another line.
  var lines: String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.filter { !$0.isNewline })\n" }
      .joined()
  }
}
