internal import JobPage
internal import JobWire
internal import LinuxSystem

/// The peculiarities of one batch system: how it is called, and what its answers mean.
protocol QueueDialect {
  init()
  /// The settings of the engine; `program`: the path of the supervisor on the nodes.
  mutating func greet(_ greeting: EngineGreeting, program: String)

  /// The system's name, for sentences.
  var name: String { get }
  /// The interval between two writes of a mirror without a watching client, in milliseconds; supervisors that
  /// cannot be signalled read their orders as often.
  static var pace: UInt32 { get }
  /// Whether supervisors are signalled that their control pages are new.
  static var rings: Bool { get }
  /// Whether rows have the names of submissions; otherwise jobs are known by their numbers alone.
  static var showsNames: Bool { get }
  /// Whether the system reports why a job ended, and its refusals are final.
  static var isExplicit: Bool { get }
  /// The maximum number of jobs of one submission.
  static var arrayMost: Int { get }
  /// The environment of all calls.
  static var environment: [[UInt8]] { get }

  /// The command that prints the limits of the queue; nil = there is none.
  var limitsCall: [String]? { get }
  func limits(in answer: QueueAnswer) -> QueueLimits

  /// The requested resources; jobs with equal ones may be submitted together.
  func demand(_ launch: EngineLaunch) -> [String]
  func submission(_ launch: EngineLaunch, _ task: QueueTask) throws(SystemError) -> QueueCall
  /// The number of a submission, from its answer; nil = there is none.
  func id(in answer: QueueAnswer, _ folder: JobFolder) -> String?
  /// The number of a submission by an earlier helper, if rows have no names.
  func id(of folder: JobFolder) -> String?
  /// A file that exists once a node has begun the attempt; nil = there is no such sign.
  func mark(_ folder: JobFolder) -> String?
  /// The number of one element of an array.
  func element(_ index: Int, of id: String) -> String
  /// The elements that a number of an array stands for, of at most so many.
  func elements(of id: String, most: Int) -> [(index: Int, id: String)]

  /// Lists the user's jobs; `withEnded`: and those that have left the queue.
  func list(withEnded: Bool) -> [String]
  /// Nil when the output is no list.
  func rows(in output: [UInt8]) -> [QueueRow]?
  /// The command that prints one job that is missing from the list; nil = there is none.
  func question(of id: String) -> [String]?
  func whereabouts(_ answer: QueueAnswer, name: String?) -> QueueWhereabouts

  /// `name`: that of all these jobs; empty = any.
  func cancel(_ ids: [String], named name: String) -> [String]
  func ring(_ ids: [String], named name: String) -> [String]
  /// Cancels jobs by their names or numbers, when there is no helper any more.
  func farewell(names: [String], ids: [String], awaitsSubmission: Bool) -> [String]
  /// The system's explanation of an end in the log of a job on its node; nil = none.
  func explanation(in log: [UInt8], job: String?) -> String?
}

/// One call of a command.
struct QueueCall {
  var arguments: [String]
  /// No more than fits into a pipe.
  var input: [UInt8] = []
}

/// One submission, of one attempt or of an array.
struct QueueTask {
  /// In the queue.
  var name: String
  /// Of its attempt, or of the first one.
  var folder: JobFolder
  /// The list of an array; nil = one attempt.
  var list: String?
  var count = 1
}

/// What is known of a queue.
struct QueueLimits {
  /// The maximum number of elements of an array; nil = unknown.
  var arrayMost: Int?
  /// The time between SIGTERM and SIGKILL, less what a supervisor needs to record the end.
  var killGraceMilliseconds: UInt32?
}

/// The state of one job by its number, which a system may know even when the queue shows nothing.
package enum QueueWhereabouts: Equatable {
  /// No answer.
  case unknown
  /// There is no such job, or another one of that number.
  case nowhere
  case there
  case over(QueueRow)
}
