import CSQLite
import Glibc
import LinuxSystem
import TestKit

/// The limits of this machine, as a reference for the other figures.
enum LimitRows {
  static func measure(_ bench: Workbench) throws -> [Row] {
    [
      Row(
        name: "limit: start and wait for `true`, one lane", unit: .perSecond,
        ours: try series(bench) { try spawns(bench) }),
      Row(
        name: "limit: round trip of 64 bytes over a Unix socket", unit: .microseconds,
        ours: try series(bench) { try roundTrips() }),
      Row(
        name: "limit: append of 200 bytes made durable", unit: .microseconds,
        ours: try series(bench) { try appends(bench) }),
      Row(
        name: "limit: SQLite commit, WAL, FULL", unit: .microseconds,
        ours: try series(bench) { try commits(bench) }),
    ]
  }

  private static func series(_ bench: Workbench, _ measure: () throws -> Double) throws -> Series {
    Series(try (0..<bench.rounds).map { _ in try measure() })
  }

  /// Nanoseconds of one of `count` calls.
  private static func each(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = AwakeClock.now()
    for _ in 0..<count { try body() }
    return Double(AwakeClock.now() - start) / Double(count)
  }

  private static func spawns(_ bench: Workbench) throws -> Double {
    1e9 / (try each(200) { try bench.run(["true"]) })
  }

  private static func roundTrips() throws -> Double {
    var ends: [Int32] = [0, 0]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw Fault("no pair of sockets")
    }
    let far = FileDescriptor(owning: ends[1])
    let near = FileDescriptor(owning: ends[0])
    let echo = EchoThread(far.take())
    defer { echo.end() }
    var bytes = [UInt8](repeating: 1, count: 64)
    return each(2_000) {
      _ = unsafe write(near.number, bytes, bytes.count)
      _ = unsafe read(near.number, &bytes, bytes.count)
    } / 1_000
  }

  /// A file that is appended to, durably.
  final class File {
    private let descriptor: FileDescriptor
    private let bytes = [UInt8](repeating: 1, count: 200)

    init(_ bench: Workbench) throws {
      descriptor = try LinuxSystem.File.open(
        bench.sandbox.path("append"), [.write, .append, .create])
    }

    /// Milliseconds of one append.
    func append() throws -> Double {
      let start = AwakeClock.now()
      try descriptor.writeAll(bytes)
      try descriptor.synchroniseContent()
      return Double(AwakeClock.now() - start) / 1e6
    }
  }

  private static func appends(_ bench: Workbench) throws -> Double {
    let file = try File(bench)
    return try each(200) { _ = try file.append() } / 1_000
  }

  private static func commits(_ bench: Workbench) throws -> Double {
    let database = try PlainDatabase(path: bench.sandbox.path("limit.db"))
    return try each(200) { try database.insert() } / 1_000
  }
}

/// Sends back its input, until its end is closed.
private final class EchoThread {
  private let number: Int32
  private var thread = pthread_t()

  init(_ number: Int32) {
    self.number = number
    let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(number))
    unsafe pthread_create(
      &thread, nil,
      { argument in
        let number = Int32(Int(bitPattern: argument))
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
          let count = unsafe read(number, &bytes, bytes.count)
          guard count > 0, unsafe write(number, bytes, count) == count else { return nil }
        }
      }, argument)
  }

  func end() {
    shutdown(number, Int32(SHUT_RDWR))
    _ = pthread_join(thread, nil)
    close(number)
  }
}

/// One table and one statement, as little as a durable row can cost.
@safe
private final class PlainDatabase {
  private var database: OpaquePointer?
  private var statement: OpaquePointer?

  init(path: String) throws {
    guard unsafe sqlite3_open(path, &database) == SQLITE_OK,
      unsafe sqlite3_exec(
        database,
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS t(x TEXT)",
        nil, nil, nil) == SQLITE_OK,
      unsafe sqlite3_prepare_v2(
        database, "INSERT INTO t VALUES(hex(zeroblob(100)))", -1, &statement, nil) == SQLITE_OK
    else { throw Fault("SQLite does not open \(path)") }
  }

  func insert() throws {
    guard unsafe sqlite3_step(statement) == SQLITE_DONE else {
      throw Fault("SQLite does not insert")
    }
    unsafe sqlite3_reset(statement)
  }

  deinit {
    unsafe sqlite3_finalize(statement)
    unsafe sqlite3_close(database)
  }
}
