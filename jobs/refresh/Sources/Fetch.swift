internal import Foundation

/// One request to an address, by curl(1), which handles redirects, proxies and certificates.
///
/// Foundation's own client would need libcurl's development files where jobs are linked statically.
struct Fetch {
  enum Outcome: Hashable {
    /// The new file holds the current content.
    case content
    /// The server says that nothing has changed.
    case unchanged
  }

  /// Less than the 30 s of a refresh, so that the error message is ours.
  private static let seconds = "25"

  private let address: String
  private let kept: KeptFile

  init(_ address: String, into kept: KeptFile) {
    self.address = address
    self.kept = kept
  }

  func run() async throws -> Outcome {
    guard let curl = Program.onPath("curl") else {
      throw RefreshError.fetching(address, "there is no curl on PATH; install it")
    }
    try kept.makeNew()
    let answer = try await curl.run(words, input: "url = \"\(quoted)\"\n")
    try Task.checkCancellation()
    guard answer.status == 0 else {
      let reason = answer.lastError
      throw RefreshError.fetching(
        address, reason.isEmpty ? "curl ended with \(answer.status)" : reason)
    }
    return answer.output == "304" ? .unchanged : .content
  }

  private var words: [String] {
    var words = [
      "--silent", "--show-error", "--fail", "--location", "--proto", "=http,https,file",
      "--max-time", Self.seconds, "--output", kept.newPath, "--write-out", "%{http_code}",
    ]
    if address.lowercased().hasPrefix("http") {
      if kept.hasTag { words += ["--etag-compare", kept.tagPath] }
      words += ["--etag-save", kept.newTagPath]
    }
    // The address may hold a password: it is passed through standard input, which no other process can
    // read.
    return words + ["--config", "-"]
  }

  /// Quoted for a configuration file of curl.
  private var quoted: String {
    address.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
