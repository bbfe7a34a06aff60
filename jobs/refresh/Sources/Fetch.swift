internal import Foundation

/// One look at an address, by curl(1): redirects, proxies and certificates are its trade.
///
/// Foundation's own would need libcurl's development files wherever jobs are linked statically.
struct Fetch {
  enum Outcome: Hashable {
    /// What is there now lies in the new file.
    case content
    /// The server says that nothing is new.
    case unchanged
  }

  /// Less than the 30 s of a refresh, so that the sentence is ours.
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
    // The address may hold a password: it comes by standard input, which nobody else reads.
    return words + ["--config", "-"]
  }

  /// As a file of curl's settings takes it.
  private var quoted: String {
    address.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
