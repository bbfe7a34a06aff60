internal import Foundation
internal import FoundationNetworking

/// The server's response as the worker of a transfer recorded it (`download --help`, `--answer`).
struct StoredAnswer: Codable, Sendable {
  var address: String
  var status: Int?
  var fields: [String: String]?
  /// An error code of libcurl.
  var error: UInt32?

  init?(_ path: String) {
    guard let bytes = FileManager.default.contents(atPath: path),
      let answer = try? JSONDecoder().decode(StoredAnswer.self, from: bytes)
    else { return nil }
    self = answer
  }

  var response: HTTPURLResponse? {
    guard let status, let url = URL(string: address) else { return nil }
    var fields: [String: String] = [:]
    for (name, value) in self.fields ?? [:] {
      let words = name.split(separator: "-", omittingEmptySubsequences: false)
      fields[words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")] =
        value
    }
    return HTTPURLResponse(
      url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
  }

  /// Apple's code for an error of libcurl (`man 3 libcurl-errors`).
  var errorCode: URLError.Code {
    switch error {
    case 3, 1: .unsupportedURL
    case 5, 6: .cannotFindHost
    case 7: .cannotConnectToHost
    case 22: .badServerResponse
    case 28: .timedOut
    case 35: .secureConnectionFailed
    case 47: .httpTooManyRedirects
    case 18, 52, 55, 56, 92: .networkConnectionLost
    case 61: .cannotDecodeContentData
    case 60: .serverCertificateUntrusted
    default: .unknown
    }
  }
}
