import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// The connections to helpers, and the job warnings while one is down.
extension EngineExecutor {
  func settings(of engine: String) throws(EngineProblem) -> EngineSettings {
    let engines = context.settings.current.engines
    guard let settings = engines[engine] else {
      throw EngineProblem(description: EngineName.unknown(engine, among: Array(engines.keys)))
    }
    return settings
  }

  /// Starts the helper, unless it runs or its restart is delayed.
  func open(_ engine: String) {
    guard let settings = try? settings(of: engine) else {
      links[engine]?.giveUp()
      return troubleChanged(of: engine)
    }
    let command = EngineCommand(settings: settings, tools: context.tools)
    let link = links[engine] ?? makeLink(to: engine, command)
    links[engine] = link
    if mistrusted.contains(engine) { return }
    do throws(StoreError) {
      let name = try nameOfStore()
      var greeting = EngineGreeting(
        store: name, engine: settings.name, folder: folder(of: settings))
      greeting.partition = settings.partition
      greeting.account = settings.account
      greeting.options = settings.options
      greeting.batch = settings.batch
      link.open(command, greeting: .hello(greeting))
    } catch {
      // Under a forgotten store name, no attempt would be found again.
      link.fail("the store cannot be written: \(error.message)")
    }
  }

  /// Empty: a helper over ssh has its own default folder.
  func folder(of settings: EngineSettings) -> String {
    let usual =
      settings.through == nil ? "\(home.paths.stateDirectory)/engines/\(settings.name)" : ""
    return settings.folder ?? usual
  }

  private func makeLink(to engine: String, _ command: EngineCommand) -> EngineLink {
    let label = "engine \(engine)"
    let link = EngineLink(
      command, loop: context.loop, label: label,
      attempts: { [unowned self] in attempts.count },
      received: { [unowned self] in receive($0, from: engine) },
      changed: { [unowned self] in troubleChanged(of: engine) })
    links[engine] = link
    if context.files.suspects.hasKilled(label) {
      mistrusted.insert(engine)
      link.refuse(
        "runners have crashed while reading its reports; jobrun runner restart tries again")
    }
    return link
  }

  /// The store's name as sent to engines, if any was.
  var knownName: String? {
    storeName ?? context.store.knownName
      ?? attempts.keys.lazy.compactMap { number in
        guard let remote = self.attempts[number] else { return nil }
        return self.context.files.nameOfStore(number, attempt: remote.name.attempt)
      }.first
  }

  func nameOfStore() throws(StoreError) -> String {
    if let storeName { return storeName }
    let name = try context.store.ownName { RandomBytes.hexadecimal(count: 8) }
    storeName = name
    return name
  }

  /// The state of its attempts is unknown until the engine answers again.
  func troubleChanged(of engine: String) {
    if let link = links[engine], let trouble = link.trouble, !link.isTroubleKnown {
      notes.add("\(engine) does not answer: \(trouble.why)")
    }
    if let trouble = links[engine]?.trouble {
      tellMachine(engine, .silent(trouble.why))
    } else if links[engine]?.isReady == true, introduced.contains(engine) {
      // It is there again; a new helper is asked once it has heard of its attempts.
      ask(engine)
    }
    for remote in attempts.values where remote.engine == engine { tellTrouble(of: remote) }
  }

  func tellTrouble(of remote: RemoteAttempt) {
    let (number, engine) = (remote.name.job, remote.engine)
    let sentence: String
    if let trouble = links[engine]?.trouble {
      sentence = EngineName.silence(engine, since: trouble.since.text, why: trouble.why)
    } else if context.settings.current.engines[engine] == nil, links[engine]?.isReady != true {
      sentence = "config.json has no \(engine) any more; jobrun cancel --now abandons the job"
    } else if !remote.isSent, isDelayed(remote) {
      sentence = "an attempt that was given up is being ended on \(engine) first"
    } else {
      return warn(number, nil)
    }
    if remote.hasStarted {
      warn(number, sentence)
    } else if !remote.isSent, isLost(remote), mayGoElsewhere(remote) {
      revoke(remote)
    } else {
      runtime.inbox.append(
        .pending(number, attempt: remote.name.attempt, PendingReason(.engine, sentence)))
    }
  }

  /// Sets or clears the warning on the job's line.
  func warn(_ number: JobNumber, _ sentence: String?) {
    guard var job = runtime.jobs[number], job.warning != sentence else { return }
    job.warning = sentence
    context.sampler.note(&job, hasMoved: false, hasSpoken: true)
    runtime.jobs[number] = job
  }

  /// A helper is connected: tell it all its attempts.
  func introduce(_ engine: String) {
    guard let link = links[engine] else { return }
    let ours = attempts.values.filter { $0.engine == engine }
    let sent = ours.filter(\.isSent)
    for remote in sent {
      (remote.isAdopted, remote.isAccepted) = (true, false)
      remote.log?.goOn()
    }
    // Ask once for results that an earlier runner could not receive.
    let waiting = introduced.insert(engine).inserted ? waiting(for: engine) : nil
    let left = self.left.all(of: engine)
    if waiting != nil || !sent.isEmpty || !left.isEmpty {
      link.send(.adopt(sent.map(\.adoption) + left, waiting: waiting))
    }
    for adoption in left { link.send(.kill(adoption.attempt)) }
    // Before the next attempt could find the old one's files there.
    for entry in forgotten where entry.engine == engine { link.send(.forget(entry.attempt)) }
    forgotten.removeAll { $0.engine == engine }
    for remote in ours.filter({ !$0.isSent }).sorted(by: { $0.place < $1.place }) { send(remote) }
    for remote in sent {
      (remote.watchAgainAt, remote.watchedAt) = (nil, nil)
      updateWeight(remote.name.job)
      if remote.stop != nil {
        tellStop(
          remote,
          terminates: runtime.jobs[remote.name.job]?.submission.options.speaksPage == false)
      }
      if remote.killedAt != nil { link.send(.kill(remote.name)) }
      if remote.isLate { link.send(.withdraw(remote.name)) }
    }
  }

  /// Jobs that have something there, and no attempt that was handed over.
  private func waiting(for engine: String) -> [JobNumber] {
    runtime.jobs.values.lazy
      .filter { $0.engine == engine && $0.attempt > 0 }
      .map(\.number).filter { self.attempts[$0]?.isSent != true }
  }

  /// Lets the helper end if no job needs it.
  func letGoIfIdle(_ engine: String) {
    if attempts.values.contains(where: { $0.engine == engine }) || left.names.contains(engine)
      || runtime.scheduler.needs(engine)
    {
      return
    }
    links[engine]?.letGo()
  }
}
