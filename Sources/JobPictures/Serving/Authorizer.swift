internal import LinuxSystem

/// Authorizes requests: the page is for people who have its address, on this machine, and not for other pages
/// in the same browser.
struct Authorizer {
  /// The relevant headers of a request.
  struct Head {
    var method: String
    var path: String
    var host: String?
    var origin: String?
    /// The key that replaced the token.
    var key: String?
    /// The site of the requesting page (Sec-Fetch-Site).
    var site: String?
    var token: String?
  }

  var secrets = PageSecrets()
  let isReadOnly: Bool

  /// Why a request is not answered; nil when it is.
  func refusal(of head: Head) -> Answer? {
    guard let host = head.host, Self.isOwn(host) else {
      return .refusal(403, "this page is reached as 127.0.0.1, [::1] or localhost only")
    }
    if let origin = head.origin, origin != "http://\(host)" {
      return .refusal(403, "requests from other pages are refused")
    }
    switch head.method {
    case "GET": if Page.file(head.path) != nil { return nil }
    case "POST":
      // Every browser sends the origin of a POST.
      guard head.origin != nil else {
        return .refusal(403, "a request that changes something needs an Origin header")
      }
    default: return .refusal(405, "only GET and POST are supported")
    }
    if let site = head.site, site != "same-origin", site != "none" {
      return .refusal(403, "requests from other pages are refused")
    }
    if head.path == "/proof", head.method == "GET" { return nil }
    if head.path == "/session" {
      return Self.isSame(head.token ?? "", secrets.token)
        ? nil : .refusal(403, "this is not the address that jobrun web printed")
    }
    guard Self.isSame(head.key ?? "", secrets.key) else {
      return .refusal(
        403, "open the whole address that jobrun web printed, including the part after #")
    }
    guard head.method == "GET" || !isReadOnly else {
      return .refusal(403, "this page is read-only; jobrun web without --read-only allows changes")
    }
    return nil
  }

  /// With any port, because a tunnel may use another; a foreign name that DNS resolves to this machine does not
  /// match.
  private static func isOwn(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    let port = host.dropFirst(name.count)
    return ["127.0.0.1", "[::1]", "localhost"].contains(String(name))
      && (port.isEmpty || port.first == ":" && UInt16(port.dropFirst()) != nil)
  }

  /// Compares in constant time.
  private static func isSame(_ text: String, _ secret: String) -> Bool {
    let (one, two) = (Array(text.utf8), Array(secret.utf8))
    guard one.count == two.count else { return false }
    return zip(one, two).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
