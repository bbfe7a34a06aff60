import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun submit-file FILE [flags]`.
  func submitFile(_ invocation: Invocation) throws(WireError) -> Int32 {
    let word = invocation.operands[0]
    let name = word.text == "-" ? "standard input" : SafeText.shown(word.text)
    let file = try JobFile(content(of: word), file: name)
    guard let first = file.entries.first else {
      talk.write(line: "\(word.text.quoted) has no jobs; nothing was submitted")
      return ExitCode.success
    }
    let link = try link()
    let directory = try surroundings.directory()
    var command = invocation
    command.arguments = first.command.map { Argument($0) }
    // A placeholder for all words of each job.
    var specification = try specification(ofCommand: command, in: directory)
    specification.arguments = [Array("{}".utf8)]
    var request = try Submitter.request(forCommand: command)
    request.title = invocation.text(.title) ?? "jobs of \(name)"
    // Each job has its own program.
    request.details.typed = nil
    try takePrerequisites(invocation, on: link, into: &request)
    let bytes = try mixed(file, in: String(decoding: directory, as: UTF8.self))
    try link.connect()
    let input = invocation.isSet(.detach) ? nil : try terminalInput(invocation)
    var many = ManyRequest(request, count: file.entries.count, width: 1)
    many.isMixed = true
    let range = JobRange(
      first: try link.submit(many, specification, inputs: bytes), count: many.count)
    guard let input else {
      announce(range, invocation, isWatched: false)
      return ExitCode.success
    }
    let jobs = BatchJobs(request.title, .range(range), at: .present)
    let display = try watchDisplay(invocation, link: link)
    let screen = BatchScreen(jobs, display: display, talk: talk, data: data)
    return try LiveLoop(screen, link: link, input: input).run { () throws(WireError) in
      announce(range, invocation, isWatched: true)
    }
  }

  private func content(of word: Argument) throws(WireError) -> [UInt8] {
    do throws(SystemError) {
      return word.text == "-"
        ? try BorrowedDescriptor(0).readToEnd(limit: Limits.inputBytes)
        : try File.readAll(word.text, limit: Limits.inputBytes)
    } catch {
      throw WireError(
        error.number == SystemError.notFound ? .notFound : .usage,
        "the jobs in \(word.text.quoted) cannot be read: \(error.reason)")
    }
  }

  /// The jobs in the form in which they are sent, each with the path of its program.
  private func mixed(_ file: JobFile, in directory: String) throws(WireError) -> [UInt8] {
    var bytes: [UInt8] = []
    var programs: [[String]: String] = [:]
    for (place, entry) in file.entries.enumerated() {
      let name = entry.command[0]
      let folder = entry.cwd.map { Self.path($0, in: directory) } ?? directory
      do throws(WireError) {
        let mayComeLater = !(entry.after + entry.afterAny + entry.afterOne).isEmpty
        guard mayComeLater || entry.cwd == nil || File.isDirectory(folder) else {
          throw WireError(.notFound, "cwd is \(folder.quoted), which is not a folder")
        }
        if programs[[name, folder]] == nil {
          programs[[name, folder]] = try CommandSearch.executable(
            name, directory: folder, environment: surroundings.environment)
        }
      } catch {
        throw WireError(error.code, "line \(entry.line): \(error.message)")
      }
      let program = programs[[name, folder]] ?? name
      var command = OwnCommand(([program] + entry.command.dropFirst()).map { Array($0.utf8) })
      if entry.cwd != nil { command.directory = Array(folder.utf8) }
      command.variables = entry.variables.map { Array($0.utf8) }
      let title = entry.title ?? entry.name ?? entry.command.joined(separator: " ")
      var job = MixedJob(
        title: SafeText.shown(title).start(bytes: Limits.titleBytes), entry.options, command)
      job.subtitle = entry.subtitle
      if !name.hasPrefix("/") { job.typed = name }
      (job.after, job.afterAny) = (file.after[place], file.afterAny[place])
      job.afterOne = file.afterOne[place]
      job.stdin = entry.stdin.map { Self.path($0, in: folder) }
      job.stdout = entry.stdout.map { SubmitRequest.outputPath($0, in: folder) }
      job.stderr = entry.stderr.map { SubmitRequest.outputPath($0, in: folder) }
      job.append(to: &bytes)
    }
    return bytes
  }

  private static func path(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }
}
