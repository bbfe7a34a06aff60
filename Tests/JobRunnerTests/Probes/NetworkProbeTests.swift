import JobCore
import MachineProbes
import Testing

@Suite struct NetworkProbeTests {
  private static let heading =
    "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
  private static let defaultRoute =
    "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
  private static let localRoute = "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
  private static let zero = String(repeating: "0", count: 32)

  private func condition(
    _ version4: String = "", _ version6: String = "", states: [String: String] = [:]
  ) throws -> Condition? {
    var files = ["/proc/net/route": Self.heading + version4, "/proc/net/ipv6_route": version6]
    for (interface, state) in states { files["/sys/class/net/\(interface)/operstate"] = state }
    return try withFakeTree(files) { NetworkProbe().read($0) }.fact
  }

  @Test func `a default route over an interface that is up is a network`() throws {
    let condition = try condition(
      Self.localRoute + Self.defaultRoute, states: ["eth0": "up\n"])
    #expect(
      condition
        == Condition(holds: true, why: "the default route goes over eth0, which is up"))
  }

  @Test func `a route to the neighbours alone is no network`() throws {
    #expect(
      try condition(Self.localRoute, states: ["eth0": "up\n"])
        == Condition(holds: false, why: "there is no default route"))
  }

  @Test(arguments: ["down", "lowerlayerdown", "dormant", "notpresent"])
  func `a default route over a dead interface is no network`(state: String) throws {
    #expect(
      try condition(Self.defaultRoute, states: ["eth0": "\(state)\n"])
        == Condition(holds: false, why: "the default route's interface eth0 is \(state)"))
  }

  @Test func `a tunnel, whose state the kernel does not know, counts as up`() throws {
    let route = Self.defaultRoute.replacing("eth0", with: "wg0")
    #expect(try condition(route, states: ["wg0": "unknown\n"])?.holds == true)
  }

  @Test func `one dead and one living default route are a network`() throws {
    let wireless = Self.defaultRoute.replacing("eth0", with: "wlan0")
    let states = ["eth0": "down\n", "wlan0": "up\n"]
    #expect(try condition(Self.defaultRoute + wireless, states: states)?.holds == true)
  }

  @Test func `version 6 alone is a network`() throws {
    let route =
      "\(Self.zero) 00 \(Self.zero) 00 fd000000000000000000000000000001 00000400 00000002 00000000"
      + " 00000003     eth0\n"
    #expect(try condition("", route, states: ["eth0": "up\n"])?.holds == true)
  }

  @Test func `the kernel's own unreachable route of version 6 is no network`() throws {
    let route =
      "\(Self.zero) 00 \(Self.zero) 00 \(Self.zero) ffffffff 00000001 00000000 00200200       lo\n"
      + "\(Self.zero) 00 \(Self.zero) 00 \(Self.zero) ffffffff 00000001 00000000 00200201     eth0\n"
    #expect(try condition("", route, states: ["eth0": "up\n"])?.holds == false)
  }
}
