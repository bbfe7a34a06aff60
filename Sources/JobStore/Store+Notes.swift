package import JobCore

// What a runner leaves to the next one beside the jobs: single values by name.
extension Store {
  /// The boot that stored instants belong to (`/proc/sys/kernel/random/boot_id`); nil before the
  /// first was saved.
  package func bootID() throws(StoreError) -> String? {
    try note("boot", for: "reading the boot id")
  }

  package func saveBootID(_ bootID: String) throws(StoreError) {
    try saveNote("boot", bootID, for: "storing the boot id")
  }

  /// The mount of the files beside the store when it was last used; nil = unknown.
  package func mountNumber() throws(StoreError) -> UInt64? {
    try note("mount", for: "reading the number of the mount").flatMap { UInt64($0) }
  }

  package func saveMountNumber(_ number: UInt64?) throws(StoreError) {
    try saveNote("mount", number.map { "\($0)" } ?? "", for: "storing the number of the mount")
  }

  /// The jobs that succeeded and wait for the removal that their submissions ask for, as a runner left them.
  package func awaitedRemovals() throws(StoreError) -> [JobNumber] {
    try note("removals", for: "reading which jobs are to be removed")?
      .split(separator: " ").compactMap { UInt64($0).map { JobNumber($0) } } ?? []
  }

  package func saveAwaitedRemovals(_ numbers: [JobNumber]) throws(StoreError) {
    let text = numbers.map { "\($0)" }.joined(separator: " ")
    try saveNote("removals", text, for: "storing which jobs are to be removed")
  }

  /// Whether the queue is on hold, so that no job starts.
  package func isHeld() throws(StoreError) -> Bool {
    try note("held", for: "reading whether the runner is paused") == "1"
  }

  package func saveHeld(_ isHeld: Bool) throws(StoreError) {
    try saveNote("held", isHeld ? "1" : "0", for: "storing whether the runner is paused")
  }

  /// The groups that are paused: none of their waiting jobs starts.
  package func pausedGroups() throws(StoreError) -> [GroupName] {
    try note("pausedGroups", for: "reading which groups are paused")?
      .split(separator: " ").compactMap { GroupName(String($0)) } ?? []
  }

  package func savePausedGroups(_ groups: Set<GroupName>) throws(StoreError) {
    let names = groups.map { $0.text }.sorted().joined(separator: " ")
    try saveNote("pausedGroups", names, for: "storing which groups are paused")
  }

  /// The name of this store on a file system that it shares with others: the result of `make` at the first
  /// call, on the disk before it is returned.
  ///
  /// A new store in the place of an old one gets another name, as its jobs have the same numbers.
  package func ownName(_ make: () -> String) throws(StoreError) -> String {
    if let name = try note("engineName", for: "reading the store's name") { return name }
    let name = make()
    try begin(.full)
    do throws(StoreError) {
      try saveNote("engineName", name, for: "storing the store's name")
      try commit()
    } catch {
      rollback()
      throw error
    }
    return name
  }

  /// The name if it was made and can be read.
  package var knownName: String? {
    (try? note("engineName", for: "reading the store's name")) ?? nil
  }

  private func note(_ name: String, for operation: String) throws(StoreError) -> String? {
    try rows(
      "SELECT value FROM notes WHERE name = ?", for: operation,
      binding: { $0.bind(name) }, reading: { $0.text() }
    ).first
  }

  private func saveNote(
    _ name: String, _ value: String, for operation: String
  ) throws(StoreError) {
    try run(
      "INSERT INTO notes (name, value) VALUES (?, ?)"
        + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      for: operation
    ) {
      $0.bind(name)
      $0.bind(value)
    }
  }
}
