/// SHA-256 of bytes in pieces (FIPS 180-4, section 6.2).
///
/// The toolchain for Linux has no hash functions. A class with memory of its own, so that nothing is
/// allocated or checked for each of the many blocks.
@safe
package final class SHA256 {
  private static let blockBytes = 64
  private static let rounds = 64

  private let constants: UnsafeMutablePointer<UInt32>
  /// The message schedule of one block.
  private let schedule: UnsafeMutablePointer<UInt32>
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19)
  /// Bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  package init() {
    unsafe constants = .allocate(capacity: Self.rounds)
    unsafe schedule = .allocate(capacity: Self.rounds)
    for (index, constant) in Self.cubeRoots.enumerated() { unsafe constants[index] = constant }
  }

  deinit {
    unsafe constants.deallocate()
    unsafe schedule.deallocate()
  }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount += UInt64(bytes.count)
    var next = 0
    if !rest.isEmpty {
      next = min(Self.blockBytes - rest.count, bytes.count)
      unsafe rest.append(contentsOf: bytes[..<next])
      guard rest.count == Self.blockBytes else { return }
      compressRest()
    }
    while bytes.count - next >= Self.blockBytes {
      unsafe compress(UnsafeRawBufferPointer(rebasing: bytes[next..<(next + Self.blockBytes)]))
      next += Self.blockBytes
    }
    unsafe rest.append(contentsOf: bytes[next...])
  }

  /// The 32 bytes of the hash; ends the input.
  package func finish() -> [UInt8] {
    let bitCount = byteCount &* 8
    rest.append(0x80)
    while rest.count % Self.blockBytes != 56 { rest.append(0) }
    rest += unsafe withUnsafeBytes(of: bitCount.bigEndian) { unsafe Array($0) }
    while !rest.isEmpty { compressRest() }
    return state.indices.flatMap { index in
      unsafe withUnsafeBytes(of: state[index].bigEndian) { unsafe Array($0) }
    }
  }

  private func compressRest() {
    unsafe rest.withUnsafeBytes { bytes in
      unsafe compress(UnsafeRawBufferPointer(rebasing: bytes[..<Self.blockBytes]))
    }
    rest.removeFirst(Self.blockBytes)
  }

  private func compress(_ block: UnsafeRawBufferPointer) {
    for index in 0..<16 {
      let word = unsafe block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      unsafe schedule[index] = UInt32(bigEndian: word)
    }
    for index in 16..<Self.rounds {
      let early = unsafe schedule[index - 15]
      let late = unsafe schedule[index - 2]
      let small = turned(early, 7) ^ turned(early, 18) ^ early >> 3
      let large = turned(late, 17) ^ turned(late, 19) ^ late >> 10
      unsafe schedule[index] = schedule[index - 16] &+ small &+ schedule[index - 7] &+ large
    }
    mix()
  }

  /// The 64 rounds; the names are those of the standard.
  private func mix() {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<Self.rounds {
      let sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = unsafe h &+ sum1 &+ choice &+ constants[index] &+ schedule[index]
      let sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    state = state &+ SIMD8(a, b, c, d, e, f, g, h)
  }

  @inline(__always)
  private func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let cubeRoots: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
