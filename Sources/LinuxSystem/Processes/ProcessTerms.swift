internal import CLinux

/// What children inherit beside environment and umask: resource limits, scheduling, allowed processors, and
/// the OOM score.
package struct ProcessTerms: Hashable, Sendable {
  /// As `clinux_terms` returns them; at least the fixed ones.
  let words: [UInt64]

  private static let fixed = Int(CLINUX_TERMS_FIXED)
  private static let most = Int(CLINUX_TERMS_MOST)

  /// The terms of this process.
  package static func current() -> ProcessTerms? {
    var words = [UInt64](repeating: 0, count: most)
    let count = unsafe clinux_terms(&words, Int32(most))
    guard count >= fixed else { return nil }
    return ProcessTerms(words: Array(words[..<Int(count)]))
  }

  private init(words: [UInt64]) { self.words = words }

  /// Decimal numbers with commas between them; `-` stands for the largest, which means no limit.
  package var text: String {
    words.map { $0 == .max ? "-" : "\($0)" }.joined(separator: ",")
  }

  /// Reads `text`; nil for anything else.
  package init?(_ text: String) {
    let words = text.utf8.split(separator: 0x2C, omittingEmptySubsequences: false).map { part in
      part.elementsEqual("-".utf8) ? .max : UInt64(String(decoding: part, as: UTF8.self))
    }
    let known = words.compactMap { $0 }
    guard known.count == words.count, (Self.fixed...Self.most).contains(words.count) else {
      return nil
    }
    self.words = known
  }

  /// The niceness, from -20 to 19.
  package var niceness: Int64 { number(CLINUX_TERMS_NICE) }
  /// The OOM score adjustment, from -1000 to 1000.
  package var killScore: Int64 { number(CLINUX_TERMS_SCORE) }
  /// Whether executing a program, such as sudo, cannot raise privileges (no_new_privs).
  package var gainsNoPrivileges: Bool { number(CLINUX_TERMS_PRIVILEGES) == 1 }
  /// `batch`, `idle`, `fifo` or `rr`; nil for the default policy.
  package var policy: String? {
    switch number(CLINUX_TERMS_POLICY) {
    case 0: nil
    case 1: "fifo"
    case 2: "rr"
    case 3: "batch"
    case 5: "idle"
    case let other: "\(other)"
    }
  }

  private func number(_ index: Int) -> Int64 { Int64(bitPattern: words[index]) }

  /// A resource limit (getrlimit(2)), in the kernel's order.
  package struct Limit: Hashable, Sendable {
    package enum Resource: String, Hashable, Sendable, CaseIterable {
      case cpu, fsize, data, stack, core, rss, nproc, nofile, memlock
      case addressSpace = "as"
      case locks, sigpending, msgqueue, nice, rtprio, rttime
    }

    package let resource: Resource
    /// Nil: unlimited.
    package let soft: UInt64?
    package let hard: UInt64?
  }

  package var limits: [Limit] {
    Limit.Resource.allCases.enumerated().map { index, resource in
      let (soft, hard) = (words[2 * index], words[2 * index + 1])
      return Limit(
        resource: resource, soft: soft == .max ? nil : soft, hard: hard == .max ? nil : hard)
    }
  }

  /// The allowed processors, as `0-3,8`.
  package var processors: String {
    let mask = words[Self.fixed...]
    let numbers = (0..<mask.count * 64).filter { number in
      mask[mask.startIndex + number / 64] >> UInt64(number % 64) & 1 == 1
    }
    var ranges: [(Int, Int)] = []
    for number in numbers {
      if let last = ranges.last, last.1 == number - 1 {
        ranges[ranges.count - 1].1 = number
      } else {
        ranges.append((number, number))
      }
    }
    return ranges.map { $0.0 == $0.1 ? "\($0.0)" : "\($0.0)-\($0.1)" }.joined(separator: ",")
  }
}
