internal import CLinux

/// Random bytes from the kernel, good enough for secrets (getrandom(2)).
package enum RandomBytes {
  package static func make(count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    if unsafe clinux_random(&bytes, count) < 0 {
      // Only kernels older than Linux 3.17 lack the call; Swift's generator reads the device.
      var generator = SystemRandomNumberGenerator()
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
    }
    return bytes
  }

  /// `count` random bytes as lower-case hexadecimal, two digits a byte.
  package static func hexadecimal(count: Int) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in make(count: count) {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
