import Foundation
import TestKit

/// A server with a certificate of an authority that the test has made itself, by openssl(1).
final class TLSServer {
  enum Flaw {
    case none, expired, otherHost
  }

  private let sandbox: Sandbox
  private let process: ChildProcess
  private let port: String

  /// The path of the authority's certificate.
  var authority: String { sandbox.path("authority.pem") }

  /// Serves the files of the folder of `sandbox`.
  init(in sandbox: Sandbox, _ flaw: Flaw = .none) throws {
    self.sandbox = sandbox
    let name = flaw == .otherHost ? "DNS:elsewhere.example.org" : "IP:127.0.0.1"
    let days = flaw == .expired ? "-1" : "2"
    let script = """
      set -e
      openssl ecparam -name prime256v1 -genkey -noout -out authority.key
      openssl req -x509 -new -key authority.key -subj /CN=Authority -days 2 -out authority.pem
      openssl ecparam -name prime256v1 -genkey -noout -out server.key
      openssl req -new -key server.key -subj /CN=server -addext subjectAltName=\(name) -out server.csr
      openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
        -copy_extensions copy -days \(days) -out server.pem
      """
    let made = try sandbox.run("sh", ["-c", script])
    guard made.status == 0 else { throw SystemCallFailure("openssl: \(made.errors)") }
    process = try sandbox.start(
      "openssl",
      [
        "s_server", "-accept", "127.0.0.1:0", "-WWW", "-cert", "server.pem", "-key", "server.key",
      ])
    let said = try process.wait(for: "ACCEPT 127.0.0.1:")
    let behind = said.components(separatedBy: "ACCEPT 127.0.0.1:").last ?? ""
    port = String(behind.prefix { $0.isNumber })
  }

  deinit { process.signal(SIGKILL) }

  func address(_ path: String) -> String { "https://127.0.0.1:\(port)/\(path)" }
}
