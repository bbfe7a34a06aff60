package import JobCore

/// What a client asks of the runner; one line on the socket.
package enum Request: Hashable, Sendable {
  /// Answered `Response.submitted`.
  case submit(SubmitRequest)
  /// Many jobs in one; answered `Response.submittedMany`.
  case submitMany(ManyRequest)
  /// Answered by one `ReplyLine.job` for each job, ascending, then `Response.count`; `brief`: each with
  /// only what a table shows (`JSONWriter.brief`); `group`: only those of that group; `folded`, of a brief list
  /// without ended jobs: waiting jobs of one submission are one (`FoldedJobs`).
  case list(all: Bool, brief: Bool = false, group: GroupName? = nil, folded: Bool = false)
  /// Answered `Response.job`.
  case show(JobReference)
  /// Stops jobs, several in one step; `now` skips the rest of the grace, `reason` is a person's, `signal` comes
  /// in place of SIGTERM.
  ///
  /// For one answered `Response.job`; for all by one `ReplyLine.job` for each, ascending, then
  /// `Response.count`; for some only by the count.
  case cancel(JobTarget, now: Bool, reason: String? = nil, signal: Int32? = nil)
  /// Stops the processes of jobs for a while; `keepSlot`: their slots stay taken meanwhile; `length`: they resume
  /// after it, nil = when they are told to.
  ///
  /// For one answered `Response.job`; for several by one `ReplyLine.job` for each, ascending, then
  /// `Response.count`.
  case pause(JobTarget, keepSlot: Bool, length: Interval? = nil)
  /// Lets paused jobs go on; answered as `pause`.
  case resume(JobTarget)
  /// Nothing starts any more, or everything may again. Answered `Response.status`.
  case pauseRunner(Bool)
  /// The same for the jobs of a group. Answered `Response.empty`.
  case pauseGroup(GroupName, Bool)
  /// Starts a job that waits, beyond the slots. Answered `Response.job`.
  case start(JobReference)
  /// Takes back a job that has not begun. Answered `Response.job`; `notFound` when it has.
  case withdraw(JobReference)
  /// Answered `Response.job`.
  case answer(JobReference, continues: Bool)
  /// The command that connects the client's terminal with that of a running job with `JobInput.terminal`.
  /// Answered `Response.command`.
  case terminal(JobReference)
  /// Answered `Response.empty`, then snapshots and feed lines of these jobs until the connection
  /// closes. `attach` counts the client as an attached terminal meanwhile; `brief`: progress comes as
  /// `FeedLine.brief`.
  case follow([JobReference], attach: Bool, brief: Bool = false)
  /// Answered `Response.tally`, then the events and the progress of these jobs until the connection
  /// closes.
  case followMany(JobSelection)
  /// Answered `Response.empty`, then feed lines. `since` resumes after that sequence number; `brief` as
  /// above.
  case feed(since: UInt64?, progressHertz: Int, brief: Bool = false)
  /// Answered `Response.resources`; with the name of a pool or a host `Response.machines`.
  case resources(on: String? = nil)
  /// Answered `Response.status`.
  case status
  /// Answered `Response.empty`. `restart` leaves the jobs alone; `discard` ends those that wait, too.
  case stop(restart: Bool, discard: Bool = false)
  /// Answered `Response.job`.
  case simulate(SimulatedEvent, JobReference)
  /// Ends the record of a job that has ended. Answered `Response.empty`.
  case forget(JobReference)

  /// Another attempt of a job that has ended; `force`: whatever became of what it comes after; `hold`: it
  /// is held; other options where the edit has some. Answered `Response.job`.
  case redo(JobReference, force: Bool = false, hold: Bool = false, JobEdit = JobEdit())
  /// A job that waits is not started until it is released, or is released. Answered `Response.job`.
  case hold(JobReference)
  case release(JobReference)
  /// A job that waits is to stand right behind another one of its priority, or first of all of them.
  /// Answered `Response.job`.
  case move(JobReference, behind: JobReference?)
  /// What is asked of a job that waits is to change. Answered `Response.job`.
  case edit(JobReference, JobEdit)
  /// The settings were changed and are to be read again. Answered `Response.status`.
  case reload
  /// As long as this connection is open, the machine does not go to sleep by itself: the program has
  /// begun what must not be cut off. Answered `Response.empty`.
  case stayAwake
  /// A program has something to tell its person, who may not look: one line, and lines below it. Answered
  /// `Response.empty` once it is on its way.
  case notify(title: String, body: String)
  /// Answered by one `ReplyLine.job` for each ended job, the newest end first, then `Response.count`; or by
  /// `Response.totals`.
  case history(HistoryQuery)
  /// A process that hosts jobs listens here for `HostLine`s. Answered `Response.empty`.
  case host(HostClaim)
  /// The hosted job runs in this process. Answered `Response.empty`.
  case hostBegan(JobNumber, attempt: Int)
  /// The hosted job has declared in its page how it ended. Answered `Response.empty`.
  case hostCompleted(JobNumber, attempt: Int)
  /// The answer to `HostLine.pause`: whether the process has paused the job. Answered `Response.empty`.
  case hostPaused(JobNumber, Bool)

  /// What `jobrun simulate` brings about.
  package enum SimulatedEvent: String, Hashable, Sendable, CaseIterable {
    case expire, stall, launch
  }
}

/// A request with the number that its replies repeat.
package struct RequestLine: Hashable, Sendable {
  package var id: UInt64
  package var request: Request

  package init(id: UInt64, _ request: Request) {
    self.id = id
    self.request = request
  }

  /// The protocol version every request names.
  package static let version: UInt64 = 1
}

/// Why a line was no request, with the number to answer under when it could be read.
package struct RequestLineError: Error, Hashable, Sendable {
  package var id: UInt64?
  package var error: WireError

  package init(id: UInt64?, _ error: WireError) {
    self.id = id
    self.error = error
  }
}
