import Foundation
import Glibc
import Synchronization

/// Currently unused ports.
package enum FreePort {
  /// The ports that were found by this process: their servers may not listen yet.
  private static let found = Mutex<Set<UInt16>>([])

  /// A port that stays free while its server starts or is away: none of those that the kernel gives to
  /// connections, of which other tests make many.
  package static func find() throws -> UInt16 {
    for _ in 0..<1_000 {
      let port = UInt16.random(in: 10_000..<firstOfConnections)
      let isNew = found.withLock { $0.insert(port).inserted }
      if isNew, try isFree(port) { return port }
    }
    throw SystemCallFailure("find a free port", code: EADDRINUSE)
  }

  /// The first number of `ip_local_port_range` (ip(7)).
  private static let firstOfConnections: UInt16 = {
    let file = "/proc/sys/net/ipv4/ip_local_port_range"
    let words = (try? String(contentsOfFile: file, encoding: .utf8))?
      .split(whereSeparator: \.isWhitespace)
    return max(11_000, words?.first.flatMap { UInt16($0) } ?? 32_768)
  }()

  private static func isFree(_ port: UInt16) throws -> Bool {
    // A process that another test starts meanwhile must not keep it.
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemCallFailure("socket") }
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        unsafe bind(number, plain, size) == 0
      }
    }
  }
}
