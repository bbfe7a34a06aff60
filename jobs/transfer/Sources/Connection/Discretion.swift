internal import BackgroundTasks
internal import Foundation
internal import Glibc
internal import JobFiles

/// A transfer that is not urgent: it uses otherwise idle resources, and waits for external power and for an
/// unmetered network.
struct Discretion {
  /// Smaller transfers do not wait: that would save nothing.
  private static let smallBytes: Int64 = 1_000_000
  private static let lookInterval = Duration.seconds(30)
  /// The job is deferred by this time, and holds no slot meanwhile.
  private static let pause = Duration.seconds(300)
  /// `SCHED_IDLE` of <linux/sched.h>.
  private static let idlePolicy: Int32 = 5
  private static let supplies = "/sys/class/power_supply"

  private let waitsForPower: Bool
  private let waitsForFreeNetwork: Bool
  private var lookedAt: ContinuousClock.Instant?

  init(_ options: ConnectionOptions) {
    waitsForPower = options.isDiscretionary
    waitsForFreeNetwork = options.isDiscretionary || options.isUnmetered
    guard options.isDiscretionary else { return }
    // This also lowers the disk priority (ioprio_set(2)).
    var parameters = sched_param()
    _ = unsafe sched_setscheduler(0, Self.idlePolicy, &parameters)
  }

  /// The deferral when conditions are bad for the remaining `left` bytes, nil = unknown size.
  mutating func deferral(left: Int64?) -> JobDeferral? {
    guard waitsForFreeNetwork, left.map({ $0 > Self.smallBytes }) ?? true else { return nil }
    let now = ContinuousClock.now
    if let lookedAt, now - lookedAt < Self.lookInterval { return nil }
    lookedAt = now
    return reason().map { JobDeferral(for: Self.pause, message: $0) }
  }

  private func reason() -> String? {
    if waitsForPower, Self.isOnBattery() {
      return "this machine runs on its battery, and discretionary transfers wait for external power"
    }
    if Self.isMetered() { return "the network is metered; the transfer waits for one that is not" }
    return nil
  }

  /// As the kernel reports it (Documentation/ABI/testing/sysfs-class-power); a mouse has a battery, too.
  private static func isOnBattery() -> Bool {
    let root = ProcessInfo.processInfo.environment["JOBRUN_SYSTEM_ROOT"] ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + supplies)) ?? []
    let own = names.map { "\(root)\(supplies)/\($0)" }.filter { word("\($0)/scope") != "Device" }
    return own.contains { word("\($0)/status") == "Discharging" }
      && !own.contains { word("\($0)/online") == "1" && word("\($0)/type") != "Battery" }
  }

  private static func word(_ path: String) -> String {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// NetworkManager's statement or guess (`NMMetered`: 1 and 3); without it no network is metered.
  private static func isMetered() -> Bool {
    let (question, answer) = (Process(), Pipe())
    question.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    question.arguments = [
      "busctl", "--system", "--timeout=2", "--auto-start=no", "get-property",
      "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
      "org.freedesktop.NetworkManager", "Metered",
    ]
    (question.standardOutput, question.standardError) = (answer, FileHandle.nullDevice)
    guard (try? question.run()) != nil else { return false }
    let text = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    question.waitUntilExit()
    return ["u 1\n", "u 3\n"].contains(text)
  }
}
