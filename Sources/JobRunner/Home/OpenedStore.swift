import JobCore
import JobStore
import JobWire
import LinuxSystem

/// What an earlier runner left in the store.
struct Inheritance {
  /// Jobs that have not ended, ascending.
  var jobs: [JobRow] = []
  /// Hosted jobs that have ended and whose processes still hold something.
  var lingering: [JobRow] = []
  /// The boot that their instants belong to; nil in a new store.
  var boot: String?
}

/// The store, opened and read; a file that is none of ours or is damaged was moved aside.
struct OpenedStore {
  let store: Store
  let inheritance: Inheritance
  /// What a person should know of it.
  var notes: [String] = []

  init(path: String) throws(RunnerProblem) {
    do throws(StoreError) {
      (store, inheritance) = try Self.open(path)
    } catch {
      guard error.needsFileMovedAside else { throw Self.problem(path, error) }
      notes = [try Self.moveAside(path, because: error)]
      do throws(StoreError) {
        (store, inheritance) = try Self.open(path)
      } catch {
        throw Self.problem(path, error)
      }
    }
  }

  /// Damage in the middle of the file shows only in what is read.
  private static func open(_ path: String) throws(StoreError) -> (Store, Inheritance) {
    let store = try Store(path: path)
    LogRoom.take(Store.writeAheadLog(of: path), bytes: UInt64(Store.logBytes))
    let inheritance = Inheritance(
      jobs: try store.liveJobs(), lingering: try store.lingeringJobs(), boot: try store.bootID())
    return (store, inheritance)
  }

  private static func moveAside(
    _ path: String, because error: StoreError
  ) throws(RunnerProblem) -> String {
    let timestamp = WallTime(milliseconds: WallClock.now()).text.filter { $0 != ":" }
    do throws(SystemError) {
      for file in Store.files(of: path) where File.exists(file) {
        try File.rename(file, to: Store.brokenName(of: file, timestamp: timestamp))
      }
    } catch {
      throw RunnerProblem(.cannotCreate, error.description)
    }
    let aside = Store.brokenName(of: path, timestamp: timestamp)
    let note =
      "\(path) could not be used: \(error.message); it was moved aside to \(aside),"
      + " with the history and the jobs that waited"
    RunnerLog.write(note)
    return note
  }

  private static func problem(_ path: String, _ error: StoreError) -> RunnerProblem {
    RunnerProblem(.cannotCreate, "the store \(path) cannot be opened: \(error.message)")
  }
}
