import BackgroundTasksNetworking

/// A program whose steps are its arguments, `word` or `word=value`.
struct Script {
  private let diary: Diary
  private let session: URLSession
  private var last: URLSessionTask?

  init(_ diary: Diary, _ identifier: String) {
    self.diary = diary
    let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
    let most = ProcessInfo.processInfo.environment["PROBE_CONNECTIONS"].flatMap { Int($0) }
    if let most { configuration.httpMaximumConnectionsPerHost = most }
    configuration.httpAdditionalHeaders = ["X-Probe": "secret"]
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(
      configuration: configuration, delegate: Delegate(diary), delegateQueue: queue)
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
    case "put", "post":
      let parts = value.split(separator: ",").map(String.init)
      var request = URLRequest(url: address(parts[1]))
      request.httpMethod = word.uppercased()
      last = session.uploadTask(with: request, fromFile: URL(fileURLWithPath: parts[0]))
      last?.resume()
    case "call": last?.taskDescription = value
    case "later": last?.earliestBeginDate = Date(timeIntervalSinceNow: Double(value) ?? 0)
    case "resume": last?.resume()
    case "suspend": last?.suspend()
    case "cancel": last?.cancel()
    case "save": await save()
    case "again": again()
    case "tasks": await list()
    case "data": await data(value)
    case "ask": ask(value)
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

  private mutating func again() {
    guard let data = FileManager.default.contents(atPath: "saved") else { return }
    last = session.downloadTask(withResumeData: data)
    last?.resume()
  }

  private func list() async {
    for task in await session.allTasks {
      let address = task.originalRequest?.url?.lastPathComponent ?? ""
      diary.note(
        "task", "\(task.taskIdentifier) \(address) \(task.taskDescription ?? "") \(task.state)")
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

  private func ask(_ address: String) {
    session.downloadTask(with: self.address(address)) { _, _, error in
      diary.note("refused", "\((error as? URLError)?.code.rawValue ?? 0)")
    }.resume()
  }
}
