import Foundation
import Glibc
import LinuxSystem
import TestKit

/// nginx on the loopback, with files of zeros.
final class WebServer {
  private let port: UInt16
  private let folder: String
  private let pid: Int32

  /// Bytes a second of each connection below `/limited`.
  private static let limit = "8m"

  init(_ nginx: String, _ bench: Workbench) throws {
    folder = bench.sandbox.root + "/web"
    try FileManager.default.createDirectory(
      atPath: folder + "/files/limited", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: folder + "/files/small", withIntermediateDirectories: true)
    // Of a process, so that two runs do not meet.
    port = 20_000 + UInt16(CurrentProcess.identifier % 20_000)
    let configuration = """
      daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/errors;
      events { worker_connections 512; }
      http {
        access_log off; sendfile on; keepalive_requests 100000;
        client_body_temp_path \(folder)/t1; proxy_temp_path \(folder)/t2;
        fastcgi_temp_path \(folder)/t3; uwsgi_temp_path \(folder)/t4; scgi_temp_path \(folder)/t5;
        server {
          listen 127.0.0.1:\(port) reuseport backlog=1024; root \(folder)/files;
          location /limited { limit_rate \(Self.limit); }
        }
      }
      """
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/conf"))
    pid = try bench.start([nginx, "-c", folder + "/conf", "-p", folder])
    let deadline = AwakeClock.now() + 10_000_000_000
    while try bench.run(["curl", "-s", "-o", "/dev/null", address("")]) != 0 {
      guard AwakeClock.now() < deadline else { throw Fault("nginx does not answer") }
    }
  }

  func end() {
    _ = kill(pid, SIGKILL)
    _ = try? ChildProcess.wait(pid)
  }

  func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  /// Makes a file without anything on the disk.
  func make(_ path: String, megabytes: Int) throws { try make(path, bytes: megabytes << 20) }

  func make(_ path: String, kilobytes: Int) throws { try make(path, bytes: kilobytes << 10) }

  private func make(_ path: String, bytes: Int) throws {
    try File.open("\(folder)/files/\(path)", [.write, .create]).resize(to: UInt64(bytes))
  }

  /// The entity tag as nginx makes it, without its quotes.
  func tag(of path: String) throws -> String {
    guard let status = try File.status("\(folder)/files/\(path)") else {
      throw Fault("there is no \(path)")
    }
    let seconds = status.modifiedNanoseconds / 1_000_000_000
    return "\(String(seconds, radix: 16))-\(String(status.size, radix: 16))"
  }
}
