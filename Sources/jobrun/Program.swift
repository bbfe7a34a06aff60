import JobClient
import JobCore
import JobWire
import LinuxSystem

/// The whole of `jobrun`: a command line in, an exit code out.
struct Program {
  let surroundings: Surroundings
  /// Standard output: data.
  let data: Output
  /// Standard error: talk.
  let talk: Output

  /// Parses and executes a command line, and returns the exit code.
  static func run(_ words: [Argument]) -> Int32 {
    CurrentProcess.occupyStandardStreams()
    // A reader that leaves is an error of write(2) here, not the death of the process.
    Signal.ignore(Signal.pipe)
    // So is a file that may not grow (ulimit -f).
    Signal.ignore(Signal.fileTooLarge)
    let surroundings = Surroundings()
    let isASCII = surroundings.wantsASCII
    let program = Program(
      surroundings: surroundings, data: Output(1, ascii: isASCII),
      talk: Output(2, ascii: isASCII))
    let code = program.answer(words)
    program.data.flush()
    if let problem = program.data.problem {
      program.talk.write(line: "jobrun: standard output: \(problem)")
      return ExitCode.internalFault
    }
    return code
  }

  private func answer(_ words: [Argument]) -> Int32 {
    if words.first?.text == "--version" {
      let commit = CurrentProcess.commit
      data.write(line: "jobrun \(Version.text)" + (commit.isEmpty ? "" : " (\(commit))"))
      return ExitCode.success
    }
    // In a malformed command line the end of its flags is unknown.
    var isJSON = words.prefix { $0.text != "--" }.contains { $0.text == Flag.json.spelling }
    do throws(WireError) {
      if words.isEmpty { return try overview() }
      let invocation = try Invocation.parse(words, meaning: meaning(of:))
      isJSON = invocation.isSet(.json)
      return try perform(invocation)
    } catch {
      complain(error, isJSON: isJSON)
      return error.code.exitCode
    }
  }

  private func perform(_ invocation: Invocation) throws(WireError) -> Int32 {
    if invocation.wantsHelp { return help(for: invocation) }
    switch invocation.verb {
    case .submit: return try submit(invocation)
    case .run: return try runCommand(invocation)
    case .each: return try each(invocation)
    case .attach: return try attach(invocation)
    case .list: return try list(invocation)
    case .show: return try show(invocation)
    case .log: return try log(invocation)
    case .cancel: return try cancel(invocation)
    case .pause: return try pause(invocation)
    case .resume: return try resume(invocation)
    case .continue: return try answerPrompt(invocation)
    case .wait: return try wait(invocation)
    case .feed: return try feed(invocation)
    case .jobs: return try jobs(invocation)
    case .register: return try register(invocation)
    case .resources: return try resources(invocation)
    case .progress: return try progress(invocation)
    case .simulate: return try simulate(invocation)
    case .runner: return try runner(invocation)
    case .history: return try history(invocation)
    case .redo: return try redo(invocation)
    case .forget: return try forget(invocation)
    case .new: return try newDefinition(invocation)
    case .watch: return try watchAll(invocation)
    case .completions: return try completions(invocation)
    case .schedule: return try schedule(invocation)
    case .pending: return try pending(invocation)
    case .slots: return try slots(invocation)
    case .group: return try group(invocation)
    case .usage: return try usage(invocation)
    case .move: return try move(invocation)
    case .hold: return try hold(invocation, holds: true)
    case .release: return try hold(invocation, holds: false)
    case .edit: return try edit(invocation)
    case .start: return try start(invocation)
    case .submitFile: return try submitFile(invocation)
    case .settings: return try settings(invocation)
    case .web: return try web(invocation)
    case .report: return try report(invocation)
    case .push: return try push(invocation)
    case .engines: return try engines(invocation)
    case .help: return try help(invocation)
    }
  }
}

// MARK: Shared by several verbs

extension Program {
  /// A link to the runner, not connected yet.
  func link() throws(WireError) -> RunnerLink {
    let link = RunnerLink(
      paths: try runnerPaths(), program: try surroundings.installation().runner)
    let talk = talk
    link.onNote = { talk.write(line: "jobrun: \($0)") }
    return link
  }

  /// The folders of the runner.
  ///
  /// A mistake in `config.json` is reported, and does not hide a running runner, which keeps its previous settings.
  func runnerPaths() throws(WireError) -> Paths {
    do throws(WireError) {
      return try surroundings.paths()
    } catch {
      guard error.code == .badConfiguration, let paths = try surroundings.runnerPaths() else {
        throw error
      }
      talk.write(line: "jobrun: \(error.message)")
      talk.write(line: "jobrun: the runner keeps the settings from before")
      return paths
    }
  }

  /// The job that an operand names: a number, an identifier, `@`, or the beginning of a name.
  ///
  /// - Throws: `notFound`, naming the nearest live ones.
  func job(_ operand: Argument, on link: RunnerLink) throws(WireError) -> JobStatus {
    let text = operand.text
    do throws(WireError) {
      return try job(answering: .show(try JobReference(text)), on: link)
    } catch {
      guard error.code == .notFound || error.code == .usage else { throw error }
      guard JobName.isName(text) else {
        throw WireError(error.code, error.message + (try liveOnes(like: text, error, on: link)))
      }
      if let found = try named(text, on: link) { return found }
      throw WireError(
        .notFound, "no job is called \(text.quoted)" + (try liveOnes(like: text, error, on: link)))
    }
  }

  private func named(_ text: String, on link: RunnerLink) throws(WireError) -> JobStatus? {
    let live = try jobs(all: false, on: link)
    return try JobName.find(text, among: live) { () throws(WireError) in
      var query = HistoryQuery()
      query.limit = JobName.endedSearched
      var ended: [JobStatus] = []
      try link.history(query) { ended.append($0) }
      return ended
    }
  }

  /// Asks for something that is answered with one job.
  func job(answering request: Request, on link: RunnerLink) throws(WireError) -> JobStatus {
    guard case .job(let job, _) = try link.ask(request) else {
      throw WireError(.internal, "the runner did not answer with a job")
    }
    return job
  }

  /// All jobs, or all live ones, ascending.
  func jobs(all: Bool, on link: RunnerLink) throws(WireError) -> [JobStatus] {
    var jobs: [JobStatus] = []
    _ = try link.ask(.list(all: all)) { jobs.append($0) }
    return jobs
  }

  private func liveOnes(
    like text: String, _ error: WireError, on link: RunnerLink
  ) throws(WireError) -> String {
    guard error.code == .notFound || JobName.isName(text) else { return "" }
    let live = try jobs(all: false, on: link)
    if let near = NearestName.nearest(to: text, among: live.map { $0.identifier }) {
      return "; did you mean \(near)?"
    }
    guard !live.isEmpty else { return "; no jobs are running or waiting" }
    let names = live.suffix(5).map { "\($0.number) (\(SafeText.shown($0.title)))" }
    return "; running or waiting: \(names.joined(separator: ", "))"
  }
}
