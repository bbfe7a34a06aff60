import JobPage
import LinuxSystem
import TestKit
import Testing

/// Numbers in a launch order that no runner writes.
struct ExtremeOrderTests {
  private static let texts = [
    "-1", "0", "2147483648", "9223372036854775807", "18446744073709551615", "18446744073709551616",
    "1e9", "", "x", "+1", "٣", String(repeating: "9", count: 1_000_000),
  ]

  @Test(arguments: ["graceMs", "umask", "limitMs", "terminal", "input", "logLimit"])
  func `are read as numbers or refused`(key: String) throws {
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: [Array("/bin/true".utf8)], environment: [])
    let order = LaunchOrder(
      record: "/r", page: "/p", log: "/l", stateDirectory: "/s", token: "t", graceMilliseconds: 1,
      specification: specification)
    for text in Self.texts {
      let value = key == "terminal" ? "\(text)x\(text)" : key == "input" ? "\(text):/a" : text
      // The last field of a name counts.
      var bytes: [UInt8] = []
      for field in order.encoded().split(separator: 0, omittingEmptySubsequences: false) {
        if field.isEmpty, !bytes.isEmpty {
          bytes += Array("\(key)=\(value)".utf8) + [0, 0]
          break
        }
        bytes += field + [0]
      }
      bytes += specification.encoded()
      let read = try? LaunchOrder(decoding: bytes)
      let isNumber = UInt64(text) != nil
      if key == "graceMs" || key == "input" {
        #expect((read != nil) == isNumber, "\(text.prefix(30))")
      }
      if key == "limitMs" { #expect(read?.limitMilliseconds == UInt64(text)) }
      if key == "umask" { #expect(read?.creationMask == UInt32(text)) }
      if key == "logLimit" { #expect(read?.logLimit == UInt64(text)) }
    }
  }

  enum Extreme: String, CaseIterable {
    case graceMost, graceLeast, limitMost, limitLeast, logMost, logLeast, maskMost, terminalMost
    case terminalLeast, inputMost, inputLeast
  }

  @Test(arguments: Extreme.allCases)
  func `the supervisor comes to an end with them`(extreme: Extreme) throws {
    let scratch = try Scratch()
    let input = scratch.file("input")
    try File.open(input, [.write, .create]).writeAll(Array("words\n".utf8))
    let script = "cat > /dev/null; head -c 3000000 /dev/zero; sleep 0 & exit 3"
    let attempt = try Attempt(scratch.path, ["/bin/sh", "-c", script]) { order in
      switch extreme {
      case .graceMost: order.graceMilliseconds = .max
      case .graceLeast: order.graceMilliseconds = 0
      case .limitMost: order.limitMilliseconds = .max
      case .limitLeast: order.limitMilliseconds = 0
      case .logMost: order.logLimit = .max
      case .logLeast: order.logLimit = 0
      case .maskMost: order.creationMask = .max
      case .terminalMost: order.terminal = .init(columns: .max, rows: .max)
      case .terminalLeast: order.terminal = .init(columns: 0, rows: 0)
      case .inputMost: order.input = .file(input, bytes: .max)
      case .inputLeast: order.input = .file(input, bytes: 0)
      }
    }
    while true {
      guard case .ended(let end) = try attempt.nextLine() else { continue }
      switch extreme {
      case .limitLeast: #expect(end.status == .signalled(9) || end.status == .exited(3))
      // A copy of another length is not the job's input.
      case .inputMost, .inputLeast: #expect(end.status != .exited(0))
      default: #expect(end.status == .exited(3))
      }
      break
    }
    #expect(try attempt.waitForShim() == .exited(0))
  }
}
