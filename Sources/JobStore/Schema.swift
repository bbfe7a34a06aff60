/// The tables.
enum Schema {
  /// "JOBR", in the file's header (`PRAGMA application_id`): any other database is not ours.
  static let applicationID: Int64 = 0x4A4F_4252

  /// The version that this code reads and writes (`PRAGMA user_version`).
  static let version = 1

  /// `record` holds the whole job, as `JobRecord` writes it; the other columns of `jobs` repeat the fields
  /// that queries use.
  static let tables = """
    CREATE TABLE jobs (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      identifier TEXT NOT NULL,
      definition TEXT,
      bundle TEXT,
      job_group TEXT,
      title TEXT NOT NULL,
      state TEXT NOT NULL,
      outcome TEXT,
      exit_code INTEGER,
      ended_ms INTEGER,
      lingers INTEGER NOT NULL,
      record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX jobs_identifier ON jobs (identifier, number);
    CREATE INDEX jobs_live ON jobs (number) WHERE state <> 'ended';
    CREATE INDEX jobs_lingering ON jobs (number) WHERE lingers <> 0;
    CREATE INDEX jobs_group ON jobs (job_group) WHERE job_group IS NOT NULL;
    CREATE INDEX jobs_ended ON jobs (ended_ms, number) WHERE state = 'ended';
    CREATE INDEX jobs_ended_outcome ON jobs (outcome, ended_ms, number) WHERE state = 'ended';
    CREATE INDEX jobs_ended_definition ON jobs (definition, ended_ms, number, outcome)
      WHERE state = 'ended' AND definition IS NOT NULL;
    CREATE INDEX jobs_use ON jobs (ended_ms) WHERE state = 'ended' AND bundle IS NOT NULL;
    -- What a job executes. One of many of a submission has its own inputs here, and shares the rest.
    CREATE TABLE specifications (
      number INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL,
      batch INTEGER
    ) STRICT;
    -- What many jobs of one submission share; `bytes` is empty when nobody will want it again.
    CREATE TABLE batches (
      first INTEGER PRIMARY KEY,
      count INTEGER NOT NULL,
      key TEXT NOT NULL UNIQUE,
      bytes BLOB NOT NULL
    ) STRICT;
    -- How those of them ended that are not kept any more: `first` by number of `count` of one outcome,
    -- and its exit code.
    CREATE TABLE forgotten (
      batch INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      count INTEGER NOT NULL,
      first INTEGER NOT NULL,
      exit_code INTEGER,
      PRIMARY KEY (batch, outcome)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      at_ms INTEGER NOT NULL,
      number INTEGER NOT NULL,
      kind TEXT NOT NULL,
      job TEXT NOT NULL
    ) STRICT;
    -- What is due because a job has ended.
    CREATE TABLE end_commands (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      number INTEGER NOT NULL,
      command TEXT NOT NULL,
      variables BLOB NOT NULL
    ) STRICT;
    CREATE INDEX end_commands_number ON end_commands (number);
    CREATE TABLE notes (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}

extension Connection {
  /// Checks that the tables are ours; with `isMaking` creates them in an empty file, all or nothing.
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
    guard isNew || found >= Schema.version else { throw .foreign("its version is \(found)") }
    guard found <= Schema.version else { throw .newer(schema: found, known: Schema.version) }
    try useWriteAheadLog()
    if isNew { try makeTables() }
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
    // 2 MiB of pages and a log that shrinks again keep an idle runner small in memory and on disk. The log
    // is copied back only every 4 MiB, since each time the loop waits for the disk twice; it keeps that
    // space, which `Runner` allocates beforehand.
    try execute(
      "PRAGMA cache_size = -2048; PRAGMA journal_size_limit = \(Store.logBytes);"
        + " PRAGMA wal_autocheckpoint = 1000; PRAGMA temp_store = MEMORY;"
        + " PRAGMA secure_delete = FAST;",
      for: operation)
  }

  private func makeTables() throws(StoreError) {
    do throws(StoreError) {
      try execute(
        """
        BEGIN IMMEDIATE;
        \(Schema.tables)
        PRAGMA application_id = \(Schema.applicationID);
        PRAGMA user_version = \(Schema.version);
        COMMIT;
        """, for: "making the tables")
    } catch {
      // SQLite may have rolled back by itself.
      if !isIdle { try? execute("ROLLBACK", for: "undoing") }
      throw error
    }
  }
}
