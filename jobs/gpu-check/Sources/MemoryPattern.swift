/// The data that is written to the GPU's memory and must be read back.
///
/// The four constants make every bit 0 and 1, alone and beside opposite neighbours; the chunk's number
/// finds two addresses that reach the same memory; noise goes over the bus both ways.
enum MemoryPattern: String, CaseIterable {
  case zeros, ones, even, odd, numbered, noise

  static var count: Int { allCases.count }

  /// The word that fills a whole chunk; nil for noise, which is uploaded.
  func word(chunk: Int) -> UInt32? {
    switch self {
    case .zeros: 0
    case .ones: 0xFFFF_FFFF
    case .even: 0x5555_5555
    case .odd: 0xAAAA_AAAA
    case .numbered: UInt32(truncatingIfNeeded: chunk) &* 0x9E37_79B9 &+ 1
    case .noise: nil
    }
  }

  /// Pseudo-random words, the same in every run (a linear congruential generator, its high half).
  static func noise(words: Int) -> [UInt32] {
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    return (0..<words).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt32(truncatingIfNeeded: state >> 32)
    }
  }
}
