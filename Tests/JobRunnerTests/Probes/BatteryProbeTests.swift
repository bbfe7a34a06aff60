import MachineProbes
import Testing

@Suite struct BatteryProbeTests {
  private func energy(_ files: [String: String]) throws -> BatteryState? {
    var tree: [String: String] = [:]
    for (path, text) in files { tree["/sys/\(path)"] = "\(text)\n" }
    return try withFakeTree(tree) { BatteryProbe().read($0) }.fact
  }

  private func battery(_ percent: String, _ status: String = "Discharging") -> [String: String] {
    [
      "class/power_supply/BAT0/type": "Battery", "class/power_supply/BAT0/status": status,
      "class/power_supply/BAT0/capacity": percent,
    ]
  }

  @Test(arguments: [("19", true), ("20", false), ("100", false), ("101", false), ("?", false)])
  func `a battery in use is low below the bound`(percent: String, isLow: Bool) throws {
    let found = try #require(try energy(battery(percent)))
    #expect((found.shortage(below: 20) != nil) == isLow)
    #expect(found.shortage(below: 0) == nil)
  }

  @Test func `the sentence names the charge and the bound`() throws {
    let found = try #require(try energy(battery("15")))
    #expect(found.lowBattery(below: 20) == "the battery has 15 % left, below 20 %")
  }

  @Test func `one that is charged is not low, nor is a machine without any`() throws {
    #expect(try energy(battery("5", "Charging"))?.shortage(below: 20) == nil)
    #expect(try energy([:]) == BatteryState())
  }

  @Test func `of two batteries the fuller one counts`() throws {
    let second = [
      "class/power_supply/BAT1/type": "Battery", "class/power_supply/BAT1/status": "Not charging",
      "class/power_supply/BAT1/capacity": "70",
    ]
    let found = try #require(try energy(battery("5").merging(second) { $1 }))
    #expect(found.percentLeft == 70)
  }

  @Test(arguments: [("low-power", true), ("balanced", false), ("performance", false)])
  func `the battery saver counts at any charge, also on external power`(
    profile: String, saves: Bool
  ) throws {
    let found = try #require(try energy(["firmware/acpi/platform_profile": profile]))
    #expect((found.shortage(below: 0) != nil) == saves)
    #expect(found.lowBattery(below: 20) == nil)
  }
}
