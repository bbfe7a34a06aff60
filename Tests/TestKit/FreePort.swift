import Glibc

/// Currently unused ports.
package enum FreePort {
  package static func find() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard number >= 0 else { throw SystemCallFailure("socket") }
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        unsafe bind(number, plain, size) == 0 && getsockname(number, plain, &size) == 0
      }
    }
    guard result else { throw SystemCallFailure("bind") }
    return UInt16(bigEndian: address.sin_port)
  }
}
