internal import Foundation
internal import JobFiles
internal import LazyCurl

extension RetryRule {
  /// Failures that a retry may avoid (`man 3 libcurl-errors`).
  static func isTransient(_ code: CURLcode) -> Bool {
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
      CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_OPERATION_TIMEDOUT, CURLE_SSL_CONNECT_ERROR,
      CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM, CURLE_HTTP3,
      CURLE_QUIC_CONNECT_ERROR, CURLE_AGAIN:
      true
    default: false
    }
  }

  /// Whether the server cannot have got the request.
  static func isUnsent(_ code: CURLcode) -> Bool {
    // A request follows when its connection is encrypted.
    [
      CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
    ].contains(code)
  }

  /// Whether this machine may have no network: another one was not reached, and there is no route to it.
  static func isAway(_ code: CURLcode, from address: String) -> Bool {
    isTransient(code) && !isOfThisMachine(address) && !hasRoute()
  }

  private static func isOfThisMachine(_ address: String) -> Bool {
    guard let host = URL(string: address)?.host else { return false }
    return host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]"
  }

  /// Whether there is a route to another machine (`man 5 proc`, /proc/net/route and ipv6_route).
  private static func hasRoute() -> Bool {
    let four = lines("/proc/net/route").dropFirst().contains {
      let words = $0.split(separator: "\t")
      return words.count > 1 && words[0] != "lo"
    }
    return four
      || lines("/proc/net/ipv6_route").contains {
        !$0.hasSuffix(" lo") && !$0.hasPrefix("fe80") && !$0.hasPrefix("ff00")
      }
  }

  private static func lines(_ path: String) -> [Substring] {
    let bytes = SmallFile.read(BytePath(path), most: 1 << 20) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
