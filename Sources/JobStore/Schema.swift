/// The tables, and how each older version becomes the newest.
///
/// A released step is never changed: databases that it made are out there, and one of each is checked
/// in with the tests.
enum Schema {
  /// "JOBR", in the file's header (`PRAGMA application_id`): any other database is not ours.
  static let applicationID: Int64 = 0x4A4F_4252

  /// The version that this code reads and writes (`PRAGMA user_version`).
  static var version: Int { steps.count }

  /// Step n leads from version n to n + 1.
  static let steps = [
    first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth,
    thirteenth,
    fourteenth, fifteenth, sixteenth, seventeenth, eighteenth, nineteenth,
  ]

  private static let first = """
    CREATE TABLE jobs (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      identifier TEXT NOT NULL,
      definition TEXT,
      strategy TEXT NOT NULL,
      if_exists TEXT NOT NULL,
      speaks_page INTEGER NOT NULL,
      on_stall TEXT NOT NULL,
      stall_after_ns INTEGER NOT NULL,
      silent_after_ns INTEGER,
      grace_ns INTEGER NOT NULL,
      limit_ns INTEGER,
      resumable INTEGER NOT NULL,
      retries INTEGER NOT NULL,
      gpus INTEGER NOT NULL,
      gpu_memory_bytes INTEGER NOT NULL,
      processors INTEGER NOT NULL,
      memory_bytes INTEGER NOT NULL,
      disk_bytes INTEGER NOT NULL,
      network INTEGER NOT NULL,
      power INTEGER NOT NULL,
      submitted_ms INTEGER NOT NULL,
      title TEXT NOT NULL,
      subtitle TEXT NOT NULL,
      state TEXT NOT NULL,
      outcome TEXT,
      stop_code TEXT,
      stop_message TEXT,
      message TEXT,
      warning TEXT,
      attempt INTEGER NOT NULL,
      exit_code INTEGER,
      signal INTEGER,
      pid INTEGER,
      completed INTEGER,
      total INTEGER,
      unit TEXT,
      progress_source TEXT,
      leased TEXT NOT NULL,
      stalled_since_ns INTEGER,
      stop_deadline_ns INTEGER,
      started_ms INTEGER,
      ended_ms INTEGER,
      cpu_us INTEGER,
      resident_bytes INTEGER,
      failures INTEGER NOT NULL,
      spent_ns INTEGER NOT NULL,
      running_since_ns INTEGER,
      delay_code TEXT,
      delay_message TEXT,
      delay_until_ns INTEGER,
      delay_until_ms INTEGER
    ) STRICT;
    CREATE INDEX jobs_identifier ON jobs (identifier, number);
    CREATE INDEX jobs_live ON jobs (number) WHERE state <> 'ended';
    CREATE INDEX jobs_ended ON jobs (ended_ms, number) WHERE state = 'ended';
    CREATE TABLE specifications (
      number INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE events (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      at_ms INTEGER NOT NULL,
      number INTEGER NOT NULL,
      kind TEXT NOT NULL,
      job TEXT NOT NULL
    ) STRICT;
    CREATE TABLE notes (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Scheduled requests; older jobs had all been started by people, at once.
  private static let second = """
    ALTER TABLE jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'continued';
    ALTER TABLE jobs ADD COLUMN bundle TEXT;
    ALTER TABLE jobs ADD COLUMN not_before_ms INTEGER;
    """

  /// Jobs that run in a process which was there before them.
  private static let third = """
    ALTER TABLE jobs ADD COLUMN host_mark TEXT;
    ALTER TABLE jobs ADD COLUMN host_pid INTEGER;
    ALTER TABLE jobs ADD COLUMN host_start INTEGER;
    ALTER TABLE jobs ADD COLUMN lingers INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX jobs_lingering ON jobs (number) WHERE lingers <> 0;
    """

  /// A prompt that was answered with "continue" doubles the timeout, also for a later runner.
  private static let fourth = "ALTER TABLE jobs ADD COLUMN patience_ns INTEGER;"

  /// Progress that is recognised: how it is looked for, and what has recognised it.
  private static let fifth = """
    ALTER TABLE jobs ADD COLUMN observation TEXT NOT NULL DEFAULT 'none';
    ALTER TABLE jobs ADD COLUMN recogniser TEXT;
    """

  /// Jobs that come after others: their numbers, ascending, with commas in between.
  private static let sixth = "ALTER TABLE jobs ADD COLUMN prerequisites TEXT NOT NULL DEFAULT '';"

  /// What is to be run once a job has ended, and what is due.
  private static let seventh = """
    ALTER TABLE jobs ADD COLUMN on_end TEXT;
    CREATE TABLE end_commands (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      number INTEGER NOT NULL,
      command TEXT NOT NULL,
      variables BLOB NOT NULL
    ) STRICT;
    """

  /// Ways to what is due after a job, and to the few of many ended jobs with an outcome or definition.
  ///
  /// A database of version 7 may have the first of them already.
  private static let eighth = """
    CREATE INDEX IF NOT EXISTS end_commands_number ON end_commands (number);
    CREATE INDEX jobs_ended_outcome ON jobs (outcome, ended_ms, number) WHERE state = 'ended';
    CREATE INDEX jobs_ended_definition ON jobs (definition, ended_ms, number, outcome)
      WHERE state = 'ended' AND definition IS NOT NULL;
    """

  /// What a job executes, as people are shown it, what was asked of it that only the runner carries
  /// out (JSON; NULL = nothing), and how long it waits between attempts.
  private static let ninth = """
    ALTER TABLE jobs ADD COLUMN executed BLOB;
    ALTER TABLE jobs ADD COLUMN details TEXT;
    ALTER TABLE jobs ADD COLUMN retry_delay_ns INTEGER;
    """

  /// Jobs that are paused, and how long the pauses took that are over.
  private static let tenth = """
    ALTER TABLE jobs ADD COLUMN paused_since_ns INTEGER;
    ALTER TABLE jobs ADD COLUMN keeps_slot INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN is_to_resume INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN paused_ns INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN pause_mark INTEGER NOT NULL DEFAULT 0;
    """

  /// What many jobs of one submission share of what they execute.
  ///
  /// A job's own specification then holds its inputs. `bytes` is empty when nobody will want it again.
  private static let eleventh = """
    CREATE TABLE sweeps (
      first INTEGER PRIMARY KEY,
      count INTEGER NOT NULL,
      key TEXT NOT NULL UNIQUE,
      bytes BLOB NOT NULL
    ) STRICT;
    ALTER TABLE specifications ADD COLUMN sweep INTEGER;
    """

  /// Which of those that wait goes first, whether somebody holds it, and where it was moved to.
  private static let twelfth = """
    ALTER TABLE jobs ADD COLUMN priority TEXT NOT NULL DEFAULT 'normal';
    ALTER TABLE jobs ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN seat INTEGER;
    """

  /// How those of many jobs of one submission ended that are not kept any more: `first` by number of
  /// `count` of one outcome, and its exit code.
  private static let thirteenth = """
    CREATE TABLE forgotten (
      sweep INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      count INTEGER NOT NULL,
      first INTEGER NOT NULL,
      exit_code INTEGER,
      PRIMARY KEY (sweep, outcome)
    ) STRICT, WITHOUT ROWID;
    """

  /// Pauses as wall time, and how much longer a quiet phase is for them.
  private static let fourteenth = """
    ALTER TABLE jobs ADD COLUMN paused_at_ms INTEGER;
    ALTER TABLE jobs ADD COLUMN paused_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN quiet_until_ns INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN quiet_extension_ns INTEGER NOT NULL DEFAULT 0;
    UPDATE jobs SET paused_ms = paused_ns / 1000000 WHERE paused_ns > 0;
    """

  /// Jobs that share slots of their own; those that have none are in no index.
  private static let fifteenth = """
    ALTER TABLE jobs ADD COLUMN job_group TEXT;
    CREATE INDEX jobs_group ON jobs (job_group) WHERE job_group IS NOT NULL;
    """

  /// Jobs whose failure ends what else is left of their submission.
  private static let sixteenth = "ALTER TABLE jobs ADD COLUMN halts INTEGER NOT NULL DEFAULT 0;"

  /// An index of what a runner that starts has to know of bundles' budgets, which some databases of version 16
  /// have; and what jobs have read from disks and written to them.
  private static let seventeenth = """
    CREATE INDEX IF NOT EXISTS jobs_use ON jobs (ended_ms)
      WHERE state = 'ended' AND bundle IS NOT NULL AND kind <> 'continued';
    ALTER TABLE jobs ADD COLUMN bytes_read INTEGER;
    ALTER TABLE jobs ADD COLUMN bytes_written INTEGER;
    """

  /// The engine that runs a job, what that calls its attempt, and the machine there.
  private static let eighteenth = """
    ALTER TABLE jobs ADD COLUMN engine TEXT;
    ALTER TABLE jobs ADD COLUMN engine_job TEXT;
    ALTER TABLE jobs ADD COLUMN node TEXT;
    """

  /// What energy jobs have used, in millijoules.
  private static let nineteenth = """
    ALTER TABLE jobs ADD COLUMN processor_mj INTEGER;
    ALTER TABLE jobs ADD COLUMN gpu_mj INTEGER;
    """
}

extension Connection {
  /// Brings the tables to the newest version, all or nothing; with `isMaking` an empty file gets them.
  func adoptSchema(isMaking: Bool) throws(StoreError) {
    let operation = "reading the schema"
    let owner = try number("PRAGMA application_id", for: operation) ?? 0
    let found = Int(try number("PRAGMA user_version", for: operation) ?? 0)
    let tables = try number("SELECT count(*) FROM sqlite_schema", for: operation) ?? 0
    let isNew = owner == 0 && found == 0 && tables == 0
    guard isMaking || !isNew else { throw .foreign("it is empty") }
    guard isNew || owner == Schema.applicationID else {
      throw .foreign("another program made it")
    }
    guard found >= 0 else { throw .foreign("its version is \(found)") }
    guard found <= Schema.version else { throw .newer(schema: found, known: Schema.version) }
    try useWriteAheadLog()
    if found < Schema.version { try migrate(from: found) }
  }

  private func useWriteAheadLog() throws(StoreError) {
    let operation = "setting up the database"
    let statement = try prepare("PRAGMA journal_mode = WAL", for: operation)
    let mode = try statement.step(for: operation) ? statement.text() : ""
    guard mode == "wal" else {
      throw .inputOutput(
        StoreError.Failure(
          operation: operation, code: 0,
          message: "the file system supports no write-ahead log (SQLite stayed with \"\(mode)\")"))
    }
    // 2 MiB of pages and a log that shrinks again: the idle runner is small in memory and on disk.
    // The log is copied back every 4 MiB only, since each time the loop waits for the disk twice; it
    // keeps that room, which `Runner` has it take beforehand.
    try execute(
      "PRAGMA cache_size = -2048; PRAGMA journal_size_limit = \(Store.logBytes);"
        + " PRAGMA wal_autocheckpoint = 1000; PRAGMA temp_store = MEMORY;"
        + " PRAGMA secure_delete = FAST;",
      for: operation)
  }

  private func migrate(from found: Int) throws(StoreError) {
    let steps = Schema.steps[found...].joined(separator: "\n")
    do throws(StoreError) {
      try execute(
        """
        BEGIN IMMEDIATE;
        \(steps)
        PRAGMA application_id = \(Schema.applicationID);
        PRAGMA user_version = \(Schema.version);
        COMMIT;
        """, for: "bringing the schema from version \(found) to \(Schema.version)")
    } catch {
      // Nothing is left to undo when SQLite did so by itself.
      if !isIdle { try? execute("ROLLBACK", for: "undoing") }
      // Each step was tried on what the steps before it make: something else is there.
      if case .misuse(let what) = error { throw .corrupt(what) }
      throw error
    }
  }
}
