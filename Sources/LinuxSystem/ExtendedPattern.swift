internal import Glibc

/// An extended regular expression, as grep -E knows it (regex(7)).
///
/// Matching works on bytes in the C locale; it is as fast and as patient as the C library's regexec(3).
@safe
package final class ExtendedPattern: Sendable {
  /// Why a pattern cannot be used.
  package struct Problem: Error, Hashable {
    package let reason: String
  }

  /// More groups than this nobody asks for.
  private static let mostGroups = 8

  /// Groups in brackets, at most `mostGroups` of which are reported.
  package let groupCount: Int
  // Written by `init` alone; regexec(3) takes its own lock.
  private nonisolated(unsafe) let compiled: UnsafeMutablePointer<regex_t>

  package init(_ text: String) throws(Problem) {
    unsafe compiled = .allocate(capacity: 1)
    unsafe compiled.initialize(to: regex_t())
    let result = unsafe regcomp(compiled, text, REG_EXTENDED)
    guard result == 0 else {
      var reason = [CChar](repeating: 0, count: 200)
      unsafe regerror(result, compiled, &reason, reason.count)
      unsafe compiled.deallocate()
      throw Problem(
        reason: String(
          decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    groupCount = unsafe Int(compiled.pointee.re_nsub)
  }

  deinit {
    unsafe regfree(compiled)
    unsafe compiled.deallocate()
  }

  /// What the groups hold in the first match; a group that took no part is empty; nil = no match.
  package func groups(in line: [UInt8]) -> [[UInt8]]? {
    // The C library takes text that ends with NUL.
    let text = line.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    var places = [regmatch_t](
      repeating: regmatch_t(), count: min(groupCount, Self.mostGroups) + 1)
    guard unsafe regexec(compiled, text, places.count, &places, 0) == 0 else { return nil }
    return places.dropFirst().map { place in
      place.rm_so < 0 ? [] : Array(line[Int(place.rm_so)..<Int(place.rm_eo)])
    }
  }
}
