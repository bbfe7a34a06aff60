import BackgroundTasksNetworking

/// A program whose steps are its arguments, `word` or `word=value`.
struct Script {
  private let diary: Diary
  private let identifier: String
  private var session: URLSession
  private var last: URLSessionTask?
  /// Of the last `offer`.
  private var offered: (request: URLRequest, caller: Task<Void, Never>)?

  init(_ diary: Diary, _ identifier: String) {
    self.diary = diary
    self.identifier = identifier
    session = Self.session(diary, identifier)
  }

  private static func session(_ diary: Diary, _ identifier: String) -> URLSession {
    let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
    let environment = ProcessInfo.processInfo.environment
    let most = environment["PROBE_CONNECTIONS"].flatMap { Int($0) }
    if let most { configuration.httpMaximumConnectionsPerHost = most }
    configuration.sessionSendsLaunchEvents = environment["PROBE_QUIET"] == nil
    configuration.allowsExpensiveNetworkAccess = environment["PROBE_CHEAP"] == nil
    configuration.httpAdditionalHeaders = ["X-Probe": "secret"]
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return URLSession(
      configuration: configuration, delegate: EventsDelegate(diary), delegateQueue: queue)
  }

  mutating func run(_ steps: [String]) async {
    for step in steps {
      let parts = step.split(separator: "=", maxSplits: 1).map(String.init)
      await run(parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  private mutating func run(_ word: String, _ value: String) async {
    switch word {
    case "make": last = session.downloadTask(with: URLRequest(url: address(value)))
    case "get":
      last = session.downloadTask(with: address(value))
      last?.resume()
    case "fetch":
      // A download with a method and a body: `POST,http://…,name=Ada`.
      let parts = value.split(separator: ",", maxSplits: 2).map(String.init)
      var request = URLRequest(url: address(parts[1]))
      request.httpMethod = parts[0]
      if parts.count > 2 { request.httpBody = Data(parts[2].utf8) }
      last = session.downloadTask(with: request)
      last?.resume()
    case "put", "post":
      let parts = value.split(separator: ",").map(String.init)
      var request = URLRequest(url: address(parts[1]))
      request.httpMethod = word.uppercased()
      last = session.uploadTask(with: request, fromFile: URL(fileURLWithPath: parts[0]))
      last?.resume()
    case "call": last?.taskDescription = value
    case "later": last?.earliestBeginDate = Date(timeIntervalSinceNow: Double(value) ?? 0)
    case "expect": last?.countOfBytesClientExpectsToReceive = Int64(value) ?? 0
    case "kinds": await listKinds()
    case "resume": last?.resume()
    case "first": last = await session.allTasks.first
    case "suspend": last?.suspend()
    case "cancel": last?.cancel()
    case "save": await save()
    case "again":
      renew()
      last?.resume()
    case "renew": renew()
    case "tasks": await list()
    case "data": await data(value)
    case "leave":
      await leave(value) {
        // A named pipe that the server opens.
        _ = try? FileHandle(forReadingAtPath: "asked")?.readToEnd()
      }
    case "hurry": await leave(value) {}
    case "ask": ask(value)
    case "offer": offer(value)
    case "drop": offered?.caller.cancel()
    case "take":
      last = offered.map { session.downloadTask(with: $0.request) }
      last?.resume()
    case "remake": session = Self.session(diary, identifier)
    case "go": awaitGo()
    case "invalidate": session.finishTasksAndInvalidate()
    case "close": session.invalidateAndCancel()
    case "say": diary.note(value)
    case "kill": kill(getpid(), SIGKILL)
    default: diary.wait(word, Int(value) ?? 1)
    }
  }

  private func address(_ text: String) -> URL {
    URL(string: text) ?? URL(fileURLWithPath: "/dev/null")
  }

  private func save() async {
    let task = last as? URLSessionDownloadTask
    let data = await withCheckedContinuation { continuation in
      task?.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
    }
    try? data?.write(to: URL(fileURLWithPath: "saved"))
    diary.note("saved", data == nil ? "nothing" : "something")
  }

  /// A task that goes on from what was saved.
  private mutating func renew() {
    guard let data = FileManager.default.contents(atPath: "saved") else { return }
    last = session.downloadTask(withResumeData: data)
  }

  private func list() async {
    for task in await session.allTasks {
      let address = task.originalRequest?.url?.lastPathComponent ?? ""
      diary.note(
        "task", "\(task.taskIdentifier) \(address) \(task.taskDescription ?? "") \(task.state)")
    }
  }

  private func listKinds() async {
    let (data, uploads, downloads) = await session.tasks
    diary.note("kinds", "\(data.count) \(uploads.count) \(downloads.count)")
    for task in downloads {
      diary.note("expected", "\(task.taskIdentifier) \(task.countOfBytesClientExpectsToReceive)")
    }
  }

  private func data(_ address: String) async {
    do {
      let (data, response) = try await session.data(for: URLRequest(url: self.address(address)))
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      diary.note("data", "\(data.count) \(status)")
    } catch {
      diary.note("data", "\(error)")
    }
  }

  /// An async form with a method, `PUT,http://…`, in a task that can be cancelled.
  private mutating func offer(_ value: String) {
    let parts = value.split(separator: ",").map(String.init)
    var request = URLRequest(url: address(parts[1]))
    request.httpMethod = parts[0]
    let (session, diary, asked) = (session, diary, request)
    let caller = Task.detached {
      do {
        diary.note("offered", "\(try await session.data(for: asked).0.count)")
      } catch {
        diary.note("given-up", "\((error as? URLError)?.code.rawValue ?? 0)")
      }
    }
    offered = (request, caller)
  }

  /// Waits until the test writes into the pipe `go`.
  private func awaitGo() {
    let pipe = open("go", O_RDONLY | O_CLOEXEC)
    var byte: UInt8 = 0
    _ = read(pipe, &byte, 1)
    close(pipe)
  }

  /// Calls the async form, cancels it at `moment`, and makes a task of it instead.
  private func leave(_ address: String, _ moment: () async -> Void) async {
    let request = URLRequest(url: self.address(address))
    let caller = Task { [session] in
      try? await withTaskCancellationHandler {
        _ = try await session.data(for: request)
      } onCancel: {
        session.downloadTask(with: request).resume()
      }
    }
    await moment()
    caller.cancel()
    await caller.value
    diary.note("left")
  }

  private func ask(_ address: String) {
    session.downloadTask(with: self.address(address)) { _, _, error in
      diary.note("refused", "\((error as? URLError)?.code.rawValue ?? 0)")
    }.resume()
  }
}
