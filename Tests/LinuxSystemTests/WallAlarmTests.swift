import LinuxSystem
import Testing

struct WallAlarmTests {
  @Test func `it rings at its time, once`() throws {
    var loop = try EventLoop()
    let alarm = try WallAlarm()
    try loop.add(alarm.number, .readable, token: 3)
    let time = WallClock.now() + 5
    try alarm.set(time)
    #expect(try loop.wait(until: generousDeadline()).map(\.token) == [3])
    #expect(WallClock.now() >= time)
    alarm.drain()
    #expect(try loop.wait(until: 0).isEmpty)
  }

  @Test(arguments: [0, -1, Int64.min, 1])
  func `a time that is past rings at once`(time: Int64) throws {
    var loop = try EventLoop()
    let alarm = try WallAlarm()
    try loop.add(alarm.number, .readable, token: 3)
    try alarm.set(time)
    #expect(try loop.wait(until: generousDeadline()).map(\.token) == [3])
  }

  @Test func `a time far ahead, and none, do not ring`() throws {
    var loop = try EventLoop()
    let alarm = try WallAlarm()
    try loop.add(alarm.number, .readable, token: 3)
    // The year 9999.
    try alarm.set(253_402_300_799_999)
    #expect(try loop.wait(until: 0).isEmpty)
    try alarm.set(1)
    try alarm.set(nil)
    #expect(try loop.wait(until: 0).isEmpty)
    alarm.drain()
  }
}
