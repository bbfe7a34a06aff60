import Foundation
import JobFiles
import TestKit
import Testing

@Suite struct SHA256Tests {
  private func digest(_ bytes: [UInt8], inPiecesOf size: Int = .max) -> String {
    let hash = SHA256()
    var rest = bytes[...]
    while !rest.isEmpty {
      unsafe Array(rest.prefix(size)).withUnsafeBytes { unsafe hash.update($0) }
      rest = rest.dropFirst(size)
    }
    return hash.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The examples of FIPS 180-4 and of NIST's SHAVS (short messages).
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `the vectors of the standard`(message: String, expected: String) {
    #expect(digest(Array(message.utf8)) == expected)
  }

  @Test func `pieces of any size give the hash of the whole, as the system's tool does`() throws {
    try withSandbox { sandbox in
      var generator = SeededGenerator(seed: 11)
      for size in [1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 4097] {
        let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let path = sandbox.path("data")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let expected = String(try sandbox.run("sha256sum", [path]).output.prefix(64))
        for piece in [1, 3, 63, 64, 65, 4096] {
          #expect(digest(bytes, inPiecesOf: piece) == expected, "\(size) bytes by \(piece)")
        }
      }
    }
  }
}
