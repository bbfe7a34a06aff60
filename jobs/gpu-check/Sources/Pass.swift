import Glibc

/// The state of a running check: buffers and progress.
struct Pass {
  private let chunks: [DeviceMemory]
  private let noise: [UInt32]
  private var expected: [UInt32]
  private var expectedWord: UInt32?
  private var read: [UInt32]
  let bytesTotal: Int
  private(set) var bytesCompleted = 0

  init(chunks: [DeviceMemory], noise: [UInt32], chunkBytes: Int) {
    self.chunks = chunks
    self.noise = noise
    expected = []
    read = [UInt32](repeating: 0, count: chunkBytes / 4)
    let bytes = chunks.reduce(0) { $0 + $1.byteCount }
    bytesTotal = bytes * MemoryPattern.allCases.count * 2
  }

  /// Writes or verifies one chunk.
  mutating func step(
    _ pattern: MemoryPattern, _ chunk: Int, _ isVerifying: Bool, on device: borrowing CUDADevice
  ) throws(CheckFailure) {
    if isVerifying {
      try verify(pattern, chunk, on: device)
    } else if let word = pattern.word(chunk: chunk) {
      try device.fill(chunks[chunk], with: word)
    } else {
      try device.upload(noise, to: chunks[chunk])
    }
    bytesCompleted += chunks[chunk].byteCount
  }

  private mutating func verify(
    _ pattern: MemoryPattern, _ chunk: Int, on device: borrowing CUDADevice
  ) throws(CheckFailure) {
    prepareExpected(pattern.word(chunk: chunk))
    try device.download(chunks[chunk], to: &read)
    let wordCount = chunks[chunk].byteCount / 4
    guard !isSame(wordCount) else { return }
    let wrong = (0..<wordCount).filter { expected[$0] != read[$0] }
    guard let first = wrong.first else { return }
    let before = chunks[..<chunk].reduce(0) { $0 + $1.byteCount }
    throw .faulty(
      Fault(
        pattern: pattern.rawValue, byteOffset: before + first * 4, written: expected[first],
        read: read[first], wrongWords: wrong.count))
  }

  private mutating func prepareExpected(_ word: UInt32?) {
    guard let word else {
      expected = noise
      expectedWord = nil
      return
    }
    if word == expectedWord { return }
    expected = [UInt32](repeating: word, count: read.count)
    expectedWord = word
  }

  private func isSame(_ wordCount: Int) -> Bool {
    unsafe expected.withUnsafeBytes { expected in
      unsafe read.withUnsafeBytes { read in
        guard let left = expected.baseAddress, let right = read.baseAddress else { return true }
        return unsafe memcmp(left, right, wordCount * 4) == 0
      }
    }
  }
}
