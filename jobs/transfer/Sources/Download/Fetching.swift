internal import BackgroundTasks
internal import JobFiles

/// The connections of one download, from the first request to the last byte.
final class Fetching {
  /// The interval of checking for cancellation.
  private static let lookInterval = Duration.milliseconds(200)
  /// A compressed response would be stored as it arrives.
  private static let own = ["Accept-Encoding: identity"]

  let plan: DownloadPlan
  let part: PartFile
  let state: DownloadState
  let sent: SentNote
  private let library: CurlLibrary
  let pool: ConnectionPool
  private let view: TransferView
  /// The address of the file: another one than the plan's after a redirect.
  var source: WebAddress
  /// Another one than the plan's after a redirect.
  var method: Request.Method
  /// How often the request for each piece was redirected, since data arrived.
  var redirects: [Int: Int] = [:]
  var retries = Retries()
  private var discretion: Discretion
  var restarts = 0

  init(
    _ plan: DownloadPlan, _ part: PartFile, _ state: DownloadState, _ sent: SentNote,
    _ library: CurlLibrary, _ task: BGContinuedProcessingTask
  ) throws(TransferError) {
    self.plan = plan
    source = plan.address
    method = plan.method
    self.part = part
    self.state = state
    self.sent = sent
    self.library = library
    pool = try ConnectionPool(library, speed: plan.options.speed)
    discretion = Discretion(plan.options)
    view = TransferView(task, name: (plan.address.fileName ?? plan.part.name).description)
  }

  /// Returns when the file is complete; received data is recorded, however it ends.
  func run() throws {
    if state.notes.pieces.isEmpty {
      state.notes.pieces = [Piece(start: 0)]
    } else {
      let done = Report.bytes(state.notes.done)
      Report.say("continuing at \(done), where it was interrupted")
    }
    do {
      if !plan.mayRepeat, !state.notes.isWhole { try prepareToSendOnce() }
      try loop()
    } catch {
      pool.removeAll()
      try? state.keepAtOnce()  // the first error is the one to report
      throw error
    }
    try state.keepAtOnce()
  }

  /// Waits for good conditions before the request, as it cannot be interrupted.
  private func prepareToSendOnce() throws {
    if let deferral = discretion.deferral(left: nil) { throw deferral }
    // A new job, which may replace what came of it, recognizes the part by them.
    try state.keepAtOnce()
  }

  private func loop() throws {
    if state.notes.done > 0 { try lookWhetherItIsTime() }
    while !state.notes.isWhole {
      try Task.checkCancellation()
      try startDue()
      let round = restarts
      // After a restart, other ended connections belong to the forgotten data.
      for (connection, code) in pool.perform() where restarts == round {
        try ended(connection, code)
      }
      try state.keep()
      if state.notes.isWhole { break }
      if state.notes.done > 0 { try lookWhetherItIsTime() }
      let pause = pool.connections.isEmpty ? retries.untilNext : nil
      show()
      view.show(waiting: pause.map { ($0, retries.reason) })
      pool.wait(min(pause ?? Self.lookInterval, Self.lookInterval))
    }
    show()
    view.show(waiting: nil)
  }

  private func lookWhetherItIsTime() throws {
    if let deferral { throw deferral }
  }

  /// For the remaining bytes; nil when the request could not be repeated.
  var deferral: JobDeferral? {
    let notes = state.notes
    guard plan.mayRepeat, !notes.isWhole else { return nil }
    return discretion.deferral(left: notes.total.map { $0 - notes.done })
  }

  private func show() {
    let notes = state.notes
    view.show(notes.done, of: notes.total)
  }

  // MARK: Requests

  private func startDue() throws(TransferError) {
    for (index, piece) in state.notes.pieces.enumerated()
    where !piece.isWhole && pool.connections[index] == nil && retries.isDue(index) {
      guard
        let connection = unsafe Connection(
          request(for: piece), piece: index, library: library,
          takesBody: { [unowned self] in unsafe self.take($1, from: $0) })
      else { throw .library("it has no memory") }
      if !plan.mayRepeat, !sent.isThere { try sent.write() }
      pool.add(connection)
    }
  }

  private func request(for piece: Piece) -> Request {
    let isAll = piece.next == 0 && state.notes.pieces.count == 1
    // Fields for one server are not sent to another.
    let isOwn = source.origin == plan.address.origin
    let fields = isOwn ? plan.fields : plan.fields.filter { method != .get && Self.isOfBody($0) }
    return Request(
      address: source.text, login: source.login ?? (isOwn ? plan.address.login : nil),
      method: method, body: method == .get ? nil : plan.body?.body(),
      range: isAll ? nil : (piece.next, piece.end), validator: state.notes.validator,
      fields: Self.own + fields, follows: plan.fields.isEmpty && method == .get, isAlone: true,
      // A response without a range does not touch the received data.
      takesAnyStatus: plan.options.answer != nil && isAll,
      unpacks: plan.options.answer != nil && isAll,
      authorities: plan.options.authorities, speed: plan.options.speed)
  }

  private static func isOfBody(_ field: String) -> Bool {
    field.lowercased().hasPrefix("content-")
  }
}
