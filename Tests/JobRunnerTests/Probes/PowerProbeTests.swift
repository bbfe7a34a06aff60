import JobCore
import MachineProbes
import Testing

@Suite struct PowerProbeTests {
  private func condition(_ files: [String: String]) throws -> Condition? {
    var tree: [String: String] = [:]
    for (path, text) in files { tree["/sys/class/power_supply/\(path)"] = "\(text)\n" }
    return try withFakeTree(tree) { PowerProbe().read($0) }.fact
  }

  private let battery = [
    "BAT0/type": "Battery", "BAT0/status": "Discharging", "BAT0/capacity": "37",
    "BAT0/present": "1",
  ]

  @Test func `a machine without a battery runs on external power`() throws {
    #expect(try condition([:])?.holds == true)
    #expect(try condition(["ucsi/type": "USB", "ucsi/online": "0"])?.holds == true)
  }

  @Test func `a discharging battery is no external power, and the reason names its charge`() throws
  {
    let files = battery.merging(["AC/type": "Mains", "AC/online": "0"]) { $1 }
    #expect(
      try condition(files)
        == Condition(holds: false, why: "on battery: battery BAT0 (37 %) is discharging"))
  }

  @Test func `a connected adapter is external power even while the battery drains`() throws {
    let files = battery.merging(["AC/type": "Mains", "AC/online": "1"]) { $1 }
    #expect(
      try condition(files) == Condition(holds: true, why: "the power adapter AC is connected"))
  }

  @Test func `the battery of a mouse says nothing`() throws {
    let mouse = [
      "mouse/type": "Battery", "mouse/scope": "Device", "mouse/status": "Discharging",
    ]
    #expect(try condition(mouse)?.holds == true)
  }

  @Test func `an empty battery bay says nothing`() throws {
    #expect(try condition(battery.merging(["BAT0/present": "0"]) { $1 })?.holds == true)
  }

  @Test(arguments: [("Charging", true), ("Full", true), ("Not charging", false), ("", false)])
  func `a battery beside an unplugged adapter decides by its status`(
    status: String, holds: Bool
  ) throws {
    let files = battery.merging([
      "BAT0/status": status, "AC/type": "Mains", "AC/online": "0",
    ]) { $1 }
    #expect(try condition(files)?.holds == holds)
  }

  @Test func `a UPS that runs dry counts as a battery`() throws {
    let files = ["ups/type": "UPS", "ups/status": "Discharging"]
    #expect(try condition(files)?.holds == false)
  }
}
