import JobCore
import JobRunner
import Testing

/// How long jobs wait for a process that is to run them and does not reconnect.
struct HostAbsenceTests {
  private static func second(_ count: UInt64) -> Instant {
    Instant(nanoseconds: 0) + .seconds(count)
  }

  @Test func `a process that runs and does not reconnect is given up after a minute`() {
    var absence = HostAbsence(since: Self.second(0))
    var looks: [Instant] = []
    var isOver = false
    while !isOver {
      looks.append(absence.nextLook)
      isOver = absence.look(isStopped: false, at: absence.nextLook)
    }
    #expect(looks == [15, 30, 45, 60].map { Self.second($0) })
  }

  @Test func `the time in which it is stopped does not count`() {
    var absence = HostAbsence(since: Self.second(0))
    for second in stride(from: 15, through: 600, by: 15) as StrideThrough<UInt64> {
      let isOver = absence.look(isStopped: true, at: Self.second(second))
      #expect(!isOver)
    }
    let ends = [659, 660].map { absence.look(isStopped: false, at: Self.second($0)) }
    #expect(ends == [false, true])
  }
}
