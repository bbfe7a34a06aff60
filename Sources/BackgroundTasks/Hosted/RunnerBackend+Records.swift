internal import JobClient
internal import JobCore
internal import JobWire

// The runner's records of this program's tasks, and requests about them.
extension RunnerBackend {
  var records: [BGTaskRecord] {
    do throws(WireError) {
      return try records(of: bundle(), on: link())
    } catch {
      StandardError.say("the earlier tasks cannot be read: \(error.message)")
      return []
    }
  }

  /// The live tasks, or `all`.
  func records(
    of bundle: HostBundle, on link: RunnerLink, all: Bool = true
  ) throws(WireError) -> [BGTaskRecord] {
    var records: [BGTaskRecord] = []
    _ = try link.ask(.list(all: all)) { job in
      if bundle.owns(job) { records.append(BGTaskRecord(job)) }
    }
    return records
  }

  func answer(_ identifier: String, continues: Bool) -> Bool {
    do throws(WireError) {
      let own = try bundle().checked(identifier)
      _ = try link().ask(.answer(.identifier(own), continues: continues))
      return true
    } catch  where error.code == .notFound {
      return false  // there is no open question
    } catch {
      StandardError.say("\(identifier) was not answered: \(error.message)")
      return false
    }
  }

  func simulate(
    _ simulation: SimulatedEvent, _ identifier: String
  ) throws(BGTaskScheduler.Error) {
    let event: Request.SimulatedEvent =
      switch simulation {
      case .launch: .launch
      case .expire: .expire
      case .stall: .stall
      }
    do throws(WireError) {
      let own = try bundle().checked(identifier)
      _ = try link().ask(.simulate(event, .identifier(own)))
    } catch {
      throw BGTaskScheduler.Error(error)
    }
  }
}
