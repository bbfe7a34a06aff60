/// Every limit that a message, a manifest or a reader meets, in one place.
package enum Limits {
  /// Most that a job takes along to another machine as its standard input, in bytes: it is held in memory.
  package static let travellingInputBytes: UInt64 = 32 << 20
  /// Longest line on the socket, in bytes, without its newline.
  ///
  /// A job object with both texts full and every character escaped is 4 KiB; requests carry their environment
  /// beside the line.
  package static let lineBytes = 64 * 1024
  /// Longest title and longest subtitle, in UTF-8 bytes: their size in the page.
  package static let titleBytes = 253
  /// Shortest submission key: 16 letters and digits are 95 bits.
  package static let minimumKeyBytes = 16
  /// Longest submission key.
  package static let keyBytesMost = 64
  /// Longest duration a person may ask for: ten years, in milliseconds.
  ///
  /// A longer one is a mistake.
  package static let durationMilliseconds: UInt64 = 10 * 365 * 86_400_000
  /// Most retries of one job.
  package static let retries = 1_000
  /// Most GPUs or processors that one job may ask for.
  package static let countedRequirement = 65_536
  /// Largest launch specification, in bytes: twice the default limit of Linux for one `execve`.
  package static let launchSpecificationBytes = 4 * 1024 * 1024
  /// Unsent bytes kept for one feed reader; past it the reader gets a gap and starts again.
  package static let subscriberBufferBytes = 1024 * 1024
  /// Unsent answers to one client; past it no more of its requests are read until it takes some.
  package static let answerBytes = 64 * 1024
  /// Unsent bytes that all clients may have together; many readers have less room each.
  package static let unsentBytes = 64 * 1024 * 1024
  /// The least that a reader has, however many there are.
  package static let minimumUnsentBytes = 16 * 1024
  /// Requests of one connection that are under way; more are read once these are answered.
  package static let requestsAtOnce = 64
  /// Lists that one connection may be owed.
  package static let listsAtOnce = 4
  /// Bytes beside incomplete lines, on all connections; past it a connection is closed.
  package static let enclosedBytes = 32 * 1024 * 1024
  /// Bytes of submissions that wait for a probe; past it others are refused.
  package static let submittedBytes = 64 * 1024 * 1024
  /// Receptions from one client before others have their turn.
  package static let receptionsAtOnce = 64
  /// Bytes of submissions that are decided before more is read.
  package static let submittedBytesAtOnce = 8 * 1024 * 1024
  /// Attempts whose files are found by name; of more the folders are searched.
  package static let attemptsByName = 1_000
  /// Connections accepted at once before existing ones have their turn.
  package static let acceptsAtOnce = 256
  /// Connections the runner accepts at the same time.
  package static let connections = 4_096
  /// Descriptors that the runner keeps for its store, its folders and short-lived files.
  package static let ownDescriptors = 32
  /// Descriptors that one running job takes.
  package static let jobDescriptors = 4
  /// Jobs one `follow` may name.
  package static let followedJobs = 1_024
  /// Feed progress lines of one job, per second, that a reader may ask for at most.
  package static let progressHertz = 60
  /// Feed progress lines of one job, per second, by default.
  package static let progressHertzUsual = 10
  /// Nesting of JSON values; ours need four.
  package static let jsonDepth = 32
  /// Largest manifest or configuration file, in bytes.
  package static let manifestBytes = 256 * 1024
  /// Largest number of arguments in a definition's command.
  package static let commandArguments = 1_024
  /// Largest data of a push, in bytes.
  package static let pushBytes = 64 * 1024
  /// Longest address of a stream of pushes, in bytes.
  package static let addressBytes = 8 * 1024
  /// Most jobs that one job may come after.
  package static let prerequisites = 100_000
  /// The number of prerequisites in a job object.
  package static let prerequisitesShown = 1_000
  /// Most jobs of one submission: the limit of waiting jobs.
  package static let jobsAtOnce = 1_000_000
  /// Most inputs of one job.
  package static let inputsOfJob = 64
  /// The inputs of all jobs of a submission, in bytes.
  package static let inputBytes = 64 * 1024 * 1024
  /// Jobs of a list that are written at a time, while the client reads them.
  package static let listPage = 128
  /// Ended jobs that the history shows by default.
  package static let historyUsual = 20
  /// Ended jobs after which the history is brought back to its bounds; an eighth of a shorter one.
  package static let prunedEvery = 64
  /// Events of the feed that are kept; a reader that asks for older ones gets a gap.
  package static let keptEvents = 100_000
  /// Writes to one reader before others have their turn.
  package static let sendsAtOnce = 16
  /// Files that are removed at once before it is the clients' turn again.
  package static let removedAtOnce = 128
  /// Empty state folders of ended jobs that stay for as long as something runs.
  package static let emptyFolders = 1_024
  /// Files of ended attempts that are kept for new ones.
  package static let spareFiles = 256
  /// The maximum number of logs with a watch: the kernel allows 128 per user in all (inotify(7)).
  package static let watchedLogs = 32
  /// Most pipes that the runner holds for jobs which wait to read them.
  package static let heldInputs = 256
  /// Most jobs that may run at the same time.
  package static let slots = 4096
  /// Smallest limit of a log, in bytes: a smaller one would hold no head, middle and tail.
  package static let minimumLogBytes: UInt64 = 1 << 20
  /// Default for the largest log, in bytes.
  package static let logBytesUsual: UInt64 = 1 << 30
  /// How often a launch is made again whose supervisor was killed before the worker began.
  package static let failedStarts = 3
  /// How often a tree without a supervisor is killed before its remaining processes are reported instead.
  package static let killRounds = 20
  /// The time between checks of files without a watch, because the user has too many.
  package static let unwatchedPauseSeconds: UInt64 = 5
}
