// A person changes the order of jobs that wait and have the same priority.
extension Scheduler {
  /// Puts a job right behind `target`, or first of its priority.
  mutating func move(
    _ number: JobNumber, behind target: JobNumber?, _ tag: RequestTag, at now: Instant
  ) {
    guard let index = waiting(number, toBe: "moved", tag) else { return }
    var front: Place?
    if let target {
      guard let place = place(of: target, forMoving: index, tag) else { return }
      front = place
    }
    let priority = table[index].submission.options.priority
    let back = neighbour(of: priority, behind: front, except: number)
    // It stands there already.
    let current = table[index].place
    guard front.map({ $0 > current }) ?? false || back.map({ $0 < current }) ?? false else {
      return outbox.reply(tag, .done(number))
    }
    guard let seat = seat(behind: front, before: back, for: index) else {
      let refusal = Refusal(.unavailable, "too many jobs were moved there; move it elsewhere")
      return outbox.reply(tag, .refused(refusal))
    }
    let wasInLine = leaveLine(index)
    table[index].change { $0.seat = seat }
    if wasInLine { lines[lane(index)].insert(table[index].place, table[index].row, at: latest) }
    outbox.announce(number, .moved, state(index))
    admissionDue = true
    outbox.reply(tag, .done(number))
  }

  /// The place of the job that another one should follow; nil once the request is answered.
  private mutating func place(
    of target: JobNumber, forMoving index: Int, _ tag: RequestTag
  ) -> Place? {
    let number = table[index].number
    let priority = table[index].submission.options.priority
    guard let other = table.index(of: target) else {
      outbox.reply(tag, .notLive(target))
      return nil
    }
    let theirs = table[other].submission.options.priority
    let refusal: Refusal
    if target == number {
      refusal = Refusal(
        .usage, "job \(number) cannot be moved behind itself; name another waiting job")
    } else if table[other].isActive {
      refusal = Refusal(
        .notWaiting,
        "\(isElsewhere(other) ?? "job \(target) has begun");"
          + " job \(number) can be moved behind a waiting job, or to the front")
    } else if theirs != priority {
      refusal = Refusal(
        .usage,
        "job \(number) has priority \(priority), and job \(target) \(theirs); jobs are moved among those"
          + " of their own priority, which jobrun edit \(number) --priority \(theirs) changes")
    } else {
      return table[other].place
    }
    outbox.reply(tag, .refused(refusal))
    return nil
  }

  /// The next that waits behind `place`, or the very first; in line or not.
  private func neighbour(
    of priority: Submission.Priority, behind place: Place?, except number: JobNumber
  ) -> Place? {
    var next = next(of: priority, after: place)
    if let found = next, found.number == number { next = self.next(of: priority, after: found) }
    delayed.visit { other in
      guard other != number, let index = table.index(of: other),
        table[index].submission.options.priority == priority
      else { return true }
      let candidate = table[index].place
      if place.map({ $0 < candidate }) ?? true {
        next = next.map { min($0, candidate) } ?? candidate
      }
      return true
    }
    return next
  }

  /// The next in line in any group: all jobs of a priority have one order.
  private func next(of priority: Submission.Priority, after place: Place?) -> Place? {
    lines.compactMap { $0.next(of: priority, after: place) }.min()
  }

  /// A seat between two neighbours, which are moved apart if there is none; nil if they cannot be.
  private mutating func seat(
    behind front: Place?, before back: Place?, for index: Int
  ) -> Int64? {
    guard let front else { return back.map { $0.seat &- Place.spacing } }
    let end = back?.seat ?? Place(nextNumber).seat
    if end - front.seat > 1 { return front.seat + (end - front.seat) / 2 }
    return makeRoom(behind: front, for: index)
  }

  /// Spreads out the places behind `front` to make a free seat between them; returns that.
  private mutating func makeRoom(behind front: Place, for index: Int) -> Int64? {
    let (number, priority) = (table[index].number, table[index].submission.options.priority)
    var followers: [Place] = []
    var end = front.seat
    while (end - front.seat) / Int64(followers.count + 1) < Scheduler.roomMade {
      guard let next = neighbour(of: priority, behind: followers.last ?? front, except: number)
      else {
        end = Place(nextNumber).seat
        break
      }
      // The one whose distance is enough stays where it is.
      end = next.seat
      guard (end - front.seat) / Int64(followers.count + 2) < Scheduler.roomMade else {
        break
      }
      followers.append(next)
    }
    let step = (end - front.seat) / Int64(followers.count + 2)
    guard step > 0 else { return nil }
    var seat = front.seat + step
    for follower in followers {
      seat += step
      giveSeat(seat, to: follower)
    }
    return front.seat + step
  }

  private mutating func giveSeat(_ seat: Int64, to place: Place) {
    guard let index = table.index(of: place.number) else { return }
    let row = table[index].row
    table[index].change { $0.seat = seat }
    lines[lane(index)].replace(place, by: table[index].place, row)
    outbox.announce(place.number, .moved, state(index))
  }

  /// Between two neighbours that gave way.
  private static let roomMade: Int64 = 1 << 10
}
