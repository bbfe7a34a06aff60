import Foundation
import LinuxSystem

/// The machine that the figures are from.
enum Machine {
  static var facts: [String: String] {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withFullDate]
    return [
      "cores": "\(CurrentProcess.processorCount())", "processor": processor,
      "kernel": text("/proc/sys/kernel/osrelease"), "date": formatter.string(from: Date()),
    ]
  }

  private static var processor: String {
    let line = text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "?"
  }

  private static func text(_ path: String) -> String {
    let bytes = (try? File.readAll(path)) ?? []
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
