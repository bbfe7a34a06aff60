internal import Foundation
internal import FoundationNetworking

/// The stored state of one transfer, on the disk from its start until its end has been delivered.
///
/// New fields need a default in `init(from:)`: another version may have written the file.
struct TransferRecord: Codable, Sendable {
  enum Kind: String, Codable, Sendable {
    /// The response body becomes a file.
    case download
    /// A file is sent.
    case upload
  }

  /// How the transfer ended.
  struct End: Codable, Sendable {
    /// A code of `URLError`; nil = success.
    var code: Int?
    var reason = ""
    /// Whether it was cancelled from outside the program.
    var isForced = false
    var resumeData: Data?
  }

  /// The task's identifier in its session.
  var number: Int
  var kind: Kind
  var request: StoredRequest
  /// The path of the file to send.
  var source: String?
  var description: String?
  var earliest: Date?
  var expectedToSend = Int64(-1)
  var expectedToReceive = Int64(-1)
  var priority: Float = 0.5
  /// The key of the submission, so that a repeated one makes no second job.
  var key: String
  var job: UInt64?
  /// The job of its host that it waits for.
  var predecessor: UInt64?
  /// Only callers of an `async` method want it.
  var isAwaited = false
  /// Bytes that an earlier task has loaded, not reported yet.
  var resumesAt: Int64?
  var end: End?
}

/// A request as it is stored, without fields that are not sent.
struct StoredRequest: Codable, Hashable, Sendable {
  var url: String
  var method: String
  var fields: [String: String]
  var timeout: Double

  init(_ request: URLRequest, _ configuration: URLSessionConfiguration) {
    url = request.url?.absoluteString ?? ""
    method = request.httpMethod?.uppercased() ?? "GET"
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

  /// Whether the same request asks for the same, and can be repeated.
  var isShareable: Bool { method == "GET" }

  var host: String { URL(string: url)?.host ?? "" }

  /// The request for a person, without possible secrets.
  var shown: String {
    let address = URL(string: url)
    let name = address?.lastPathComponent ?? ""
    let text = name.isEmpty || name == "/" ? host : name
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F })
    )
    .prefix(200).description
  }

  /// The lines of the header file; a line break in a value would start another line.
  var lines: String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.filter { !$0.isNewline })\n" }
      .joined()
  }
}

// A record may be older than this version: missing fields get their defaults.
extension TransferRecord {
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      number: try values.decode(Int.self, forKey: .number),
      kind: try values.decode(Kind.self, forKey: .kind),
      request: try values.decode(StoredRequest.self, forKey: .request),
      key: try values.decode(String.self, forKey: .key))
    source = try values.decodeIfPresent(String.self, forKey: .source)
    description = try values.decodeIfPresent(String.self, forKey: .description)
    earliest = try values.decodeIfPresent(Date.self, forKey: .earliest)
    expectedToSend = try values.decodeIfPresent(Int64.self, forKey: .expectedToSend) ?? -1
    expectedToReceive = try values.decodeIfPresent(Int64.self, forKey: .expectedToReceive) ?? -1
    priority = try values.decodeIfPresent(Float.self, forKey: .priority) ?? 0.5
    job = try values.decodeIfPresent(UInt64.self, forKey: .job)
    predecessor = try values.decodeIfPresent(UInt64.self, forKey: .predecessor)
    isAwaited = try values.decodeIfPresent(Bool.self, forKey: .isAwaited) ?? false
    resumesAt = try values.decodeIfPresent(Int64.self, forKey: .resumesAt)
    end = try values.decodeIfPresent(End.self, forKey: .end)
  }
}

extension TransferRecord.End {
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    code = try values.decodeIfPresent(Int.self, forKey: .code)
    reason = try values.decodeIfPresent(String.self, forKey: .reason) ?? ""
    isForced = try values.decodeIfPresent(Bool.self, forKey: .isForced) ?? false
    resumeData = try values.decodeIfPresent(Data.self, forKey: .resumeData)
  }
}

extension StoredRequest {
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    url = try values.decode(String.self, forKey: .url)
    method = try values.decodeIfPresent(String.self, forKey: .method) ?? "GET"
    fields = try values.decodeIfPresent([String: String].self, forKey: .fields) ?? [:]
    timeout = try values.decodeIfPresent(Double.self, forKey: .timeout) ?? 60
  }
}
