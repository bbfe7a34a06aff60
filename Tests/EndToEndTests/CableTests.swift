import Foundation
import Glibc
import JobWire
import TestKit
import Testing

/// A machine with a separate cable: a network namespace whose only route leads to this one.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A download whose cable is pulled` {
  private let workshop: Workshop
  private let cable: Cable

  init() throws {
    if let obstacle = Cable.obstacle { try Test.cancel(Comment(rawValue: obstacle)) }
    workshop = try Workshop()
    cable = try Cable(workshop.sandbox)
  }

  @Test func `says that it waits for the network, and goes on where it was`() throws {
    let content = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8) }
    // The second half is sent only when the cable is out, however long that takes.
    let pulled = DispatchSemaphore(value: 0)
    defer { pulled.signal() }
    let server = try FileServer(host: cable.server) { request, number in
      var answer = FileServer.Answer.file(content, to: request)
      if number == 0 {
        answer.sent = 1_000_000
        answer.pause = { pulled.wait() }
      }
      return answer
    }
    let running = try cable.start(
      "jobrun", ["submit", "download", "--", "--limit-rate", "500k", server.address()])
    try WaitFor.file(workshop.sandbox.path("file.bin.part.notes"), contains: "\"total\":2000000")
    try cable.pull()
    pulled.signal()
    try WaitFor.file(workshop.show(1).log, contains: "no network; tries again")
    try cable.putBack()
    #expect(try running.wait().status == 0)
    let got = FileManager.default.contents(atPath: workshop.sandbox.path("file.bin"))
    #expect(got.map { Array($0) } == content)
    let start = try #require(server.requests.last?.start)
    #expect(start > 0, "\(server.requests.map(\.start))")
  }
}

/// A network namespace and a pair of interfaces, removed with the value.
final class Cable {
  /// An address that is reached by the route only.
  let server: String
  private let name: String
  private let number: Int
  private let sandbox: Sandbox

  /// Why there can be none here; nil where there can.
  static let obstacle: String? = {
    guard geteuid() == 0 else { return "only root can make a network namespace" }
    let trial = "jobrun-trial-\(getpid())"
    guard (try? ip(["netns", "add", trial])) != nil else {
      return "ip(8) cannot make a network namespace here"
    }
    _ = try? ip(["netns", "delete", trial])
    return nil
  }()

  init(_ sandbox: Sandbox) throws {
    self.sandbox = sandbox
    number = Int(getpid()) % 250
    name = "jobrun-\(getpid())"
    server = "10.201.\(number).1"
    let (ours, theirs) = ("jr\(getpid())a", "jr\(getpid())b")
    try Self.ip(["netns", "add", name])
    try Self.ip(["link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", name])
    try Self.ip(["address", "add", "10.202.\(number).1/30", "dev", ours])
    try Self.ip(["address", "add", "\(server)/32", "dev", ours])
    try Self.ip(["link", "set", ours, "up"])
    try Self.ip(["-n", name, "address", "add", "10.202.\(number).2/30", "dev", theirs])
    try Self.ip(["-n", name, "link", "set", "lo", "up"])
    try Self.ip(["-n", name, "link", "set", theirs, "up"])
    try putBack()
  }

  deinit {
    sandbox.endProcesses()
    // Its end of the cable goes with it, and so does ours.
    _ = try? Self.ip(["netns", "delete", name])
  }

  func pull() throws { try Self.ip(["-n", name, "link", "set", "jr\(getpid())b", "down"]) }

  func putBack() throws {
    try Self.ip(["-n", name, "link", "set", "jr\(getpid())b", "up"])
    try Self.ip(["-n", name, "route", "replace", "default", "via", "10.202.\(number).1"])
  }

  /// Starts a program on the machine with the cable.
  func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    try sandbox.start(
      "ip", ["netns", "exec", name, BuiltProducts.path(program)] + arguments,
      environment: ["no_proxy": "*"])
  }

  @discardableResult
  private static func ip(_ arguments: [String]) throws -> String {
    let path = FileManager.default.isExecutableFile(atPath: "/usr/sbin/ip") ? "/usr/sbin/ip" : "ip"
    let finished = try ChildProcess(path, arguments, environment: [:]).wait()
    guard finished.status == 0 else { throw IPFailure(errors: finished.errors) }
    return finished.output
  }

  private struct IPFailure: Error {
    var errors: String
  }
}
