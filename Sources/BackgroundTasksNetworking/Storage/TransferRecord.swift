internal import Foundation
internal import FoundationNetworking

/// What is known of one transfer, kept on the disk from its beginning until its end has been told.
///
/// What is added here has a default in `init(from:)`: another version may have written it.
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
  /// The job of its host that it comes after.
  var predecessor: UInt64?
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

// A record outlives the version that wrote it: what that one did not know has its default.
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
