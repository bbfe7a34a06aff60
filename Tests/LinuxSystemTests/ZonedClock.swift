import TestKit
import Testing

/// The civil time of a time zone, queried in a separate process, because the zone belongs to the whole process.
struct ZonedClock {
  /// A zone's name or, as not every machine has the files of all zones, its rules (tzset(3)).
  let zone: String

  /// The answers of `clock-probe` to questions such as `next 1 30 0`, in milliseconds since 1970.
  func answers(_ questions: [String]) throws -> [Int64] {
    try withSandbox { sandbox in
      let probe = try sandbox.run("clock-probe", questions, environment: ["TZ": zone])
      try #require(probe.status == 0, "\(probe.errors)")
      return probe.output.split(separator: "\n").compactMap { Int64($0) }
    }
  }
}
