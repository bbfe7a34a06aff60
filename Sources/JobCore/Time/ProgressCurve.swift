/// A trace for drawing: the completed share over time, with a line for each attempt.
package struct ProgressCurve: Hashable, Sendable {
  /// A place on the curve.
  package struct Place: Hashable, Sendable {
    package var at: WallTime
    /// From 0 to 1.
    package var share: Double
    package var completed: UInt64
  }

  /// Something that happened to the job.
  package struct Event: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case mark(ProgressTrace.Mark)
      /// This attempt began after another had ended.
      case attempt(Int32)
    }

    package var place: Place
    package var kind: Kind
  }

  package let begin: WallTime
  package let end: WallTime
  package private(set) var attempts: [[Place]] = []
  package private(set) var events: [Event] = []
  package private(set) var unit = PageSample.Unit.items
  /// The count that corresponds to a share of 1 if the total is unknown; nil if it is known.
  package private(set) var most: UInt64?

  /// Nil without a trace, or with one of zero length.
  ///
  /// `ended`: nil while the job runs; the curve then reaches to `now`.
  package init?(
    _ trace: ProgressTrace, started: WallTime, ended: WallTime?, now: WallTime
  ) {
    guard let first = trace.points.first, let last = trace.points.last else { return nil }
    begin = min(started, first.at)
    end = max(ended ?? now, last.at)
    guard end > begin else { return nil }
    if trace.points.allSatisfy({ $0.total == 0 }) {
      most = max(1, trace.points.map { $0.completed }.max() ?? 1)
    }
    unit = last.unit
    var attempt: Int32 = 0
    for point in trace.points {
      let place = place(of: point)
      if point.attempt != attempt {
        // An attempt with only its end recorded is assumed to have begun at the end of the one before it.
        let before = point.mark == .ended ? attempts.last?.last : nil
        if attempt != 0 {
          events.append(Event(place: before ?? place, kind: .attempt(point.attempt)))
        }
        let isFirst = attempt == 0 && point.attempt <= 1
        let origin = isFirst ? Place(at: begin, share: 0, completed: 0) : before
        attempts.append(origin.map { [$0] } ?? [])
        attempt = point.attempt
      }
      attempts[attempts.count - 1].append(place)
      if let mark = point.mark { events.append(Event(place: place, kind: .mark(mark))) }
    }
    if ended == nil, last.mark != .ended { extend(to: now) }
  }

  private func place(of point: ProgressTrace.Point) -> Place {
    let share =
      point.fraction ?? most.map { Double(point.completed) / Double($0) } ?? 0
    return Place(at: point.at, share: share, completed: point.completed)
  }

  /// Since the last sample the job is only known to continue.
  private mutating func extend(to now: WallTime) {
    guard var place = attempts.last?.last, place.at < now else { return }
    place.at = now
    attempts[attempts.count - 1].append(place)
  }

  /// The position of an instant between begin and end, from 0 to 1.
  package func position(of time: WallTime) -> Double {
    min(1, Double((time - begin).milliseconds) / Double((end - begin).milliseconds))
  }

  /// How fast each attempt was between its looks, in units a second.
  package var rates: [[(from: WallTime, to: WallTime, perSecond: Double)]] {
    attempts.map { places in
      zip(places, places.dropFirst()).compactMap { from, to in
        let seconds = Double((to.at - from.at).milliseconds) / 1_000
        guard seconds > 0 else { return nil }
        let done = to.completed > from.completed ? to.completed - from.completed : 0
        return (from.at, to.at, Double(done) / seconds)
      }
    }
  }
}

extension ProgressCurve.Event {
  /// One or two words for people; nil if the end of the line already shows it.
  package var words: String? {
    switch kind {
    case .attempt(let number): "attempt \(number)"
    case .mark(.stalled): "stalled, asked"
    case .mark(.answered): "goes on"
    case .mark(.warned): "silent"
    case .mark(.paused): "paused"
    case .mark(.resumed): "resumed"
    case .mark(.stopping): "told to stop"
    case .mark(.ended): nil
    }
  }
}
