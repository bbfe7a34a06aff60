import JobCore

extension RequestLine {
  /// The line of this request, newline included, appended to `bytes`.
  package func append(to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    writer.beginObject()
    writer.field("v", RequestLine.version)
    writer.field("id", id)
    writer.field("op", request.operation.rawValue)
    writer.arguments(of: request)
    writer.endObject()
    writer.newline()
    writer.finish(into: &bytes)
  }
}

extension Request {
  /// The operations by their names on the wire.
  enum Operation: String, CaseIterable {
    case submit, list, show, cancel, cancelAll, answer, follow, feed, resources, status, stop,
      simulate
    case forget, redo, reload, stayAwake, history, host, hostBegan, hostCompleted, withdraw
    case pause, pauseAll, resume, resumeAll, pauseRunner, resumeRunner
    case submitMany, followMany
    case hold, release, move, edit
    case notify, start, pauseGroup, resumeGroup
  }

  var operation: Operation {
    switch self {
    case .submit: .submit
    case .submitMany: .submitMany
    case .list: .list
    case .show: .show
    case .cancel: .cancel
    case .cancelAll: .cancelAll
    case .pause: .pause
    case .pauseAll: .pauseAll
    case .resume: .resume
    case .resumeAll: .resumeAll
    case .pauseRunner(let isPaused): isPaused ? .pauseRunner : .resumeRunner
    case .pauseGroup(_, let isPaused): isPaused ? .pauseGroup : .resumeGroup
    case .start: .start
    case .withdraw: .withdraw
    case .answer: .answer
    case .follow: .follow
    case .followMany: .followMany
    case .feed: .feed
    case .resources: .resources
    case .status: .status
    case .stop: .stop
    case .simulate: .simulate
    case .forget: .forget
    case .redo: .redo
    case .reload: .reload
    case .stayAwake: .stayAwake
    case .hold: .hold
    case .release: .release
    case .move: .move
    case .edit: .edit
    case .notify: .notify
    case .history: .history
    case .host: .host
    case .hostBegan: .hostBegan
    case .hostCompleted: .hostCompleted
    }
  }
}

extension JSONWriter {
  private mutating func fields(_ some: JobSelection) {
    switch some {
    case .range(let range):
      field("first", range.first.value)
      field("count", range.count)
    case .group(let group): field("group", group.text)
    }
  }

  fileprivate mutating func arguments(of request: Request) {
    switch request {
    case .submit(let job):
      key("job")
      value(job)
    case .submitMany(let many): fields(many)
    case .list(let all, let brief, let group):
      field("all", all)
      if brief { field("brief", true) }
      if let group { field("group", group.text) }
    case .show(let reference), .forget(let reference), .withdraw(let reference),
      .resume(let reference), .hold(let reference), .release(let reference),
      .start(let reference):
      field("ref", reference.description)
    case .redo(let reference, let force):
      field("ref", reference.description)
      if force { field("force", true) }
    case .move(let reference, let target):
      field("ref", reference.description)
      if let target { field("behind", target.description) }
    case .edit(let reference, let edit):
      field("ref", reference.description)
      fields(edit)
    case .pauseGroup(let group, _): field("group", group.text)
    case .notify(let title, let body):
      field("title", title)
      field("body", body)
    case .history(let query): fields(query)
    case .host(let claim): fields(claim)
    case .hostBegan(let number, let attempt), .hostCompleted(let number, let attempt):
      field("number", number.value)
      field("attempt", attempt)
    case .cancel(let reference, let now):
      field("ref", reference.description)
      field("now", now)
    case .cancelAll(let now, let some):
      field("now", now)
      if let some { fields(some) }
    case .followMany(let some): fields(some)
    case .pause(let reference, let keepSlot):
      field("ref", reference.description)
      field("keepSlot", keepSlot)
    case .pauseAll(let keepSlot, let some):
      field("keepSlot", keepSlot)
      if let some { fields(some) }
    case .resumeAll(let some):
      if let some { fields(some) }
    case .answer(let reference, let continues):
      field("ref", reference.description)
      field("continue", continues)
    case .follow(let references, let attach, let brief):
      field("refs", references.map { $0.description })
      field("attach", attach)
      if brief { field("brief", true) }
    case .feed(let since, let progressHertz, let brief):
      field("since", since)
      field("progressHz", progressHertz)
      if brief { field("brief", true) }
    case .resources, .status, .reload, .stayAwake, .pauseRunner: break
    case .stop(let restart, let discard):
      field("restart", restart)
      if discard { field("discard", true) }
    case .simulate(let event, let reference):
      field("what", event.rawValue)
      field("ref", reference.description)
    }
  }
}
