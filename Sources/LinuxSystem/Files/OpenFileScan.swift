import Glibc

/// One scan of the open files of several processes, which mostly see the same mounts.
struct OpenFileScan {
  /// How many descriptors may still be scanned.
  private var remaining: Int
  /// Smaller files are left out.
  private let minimumBytes: UInt64
  /// Keyed by the link target of `/proc/PID/ns/mnt` (mount_namespaces(7)).
  private var mounts: [String: MountTable] = [:]

  init(remaining: Int, minimumBytes: UInt64) {
    self.remaining = remaining
    self.minimumBytes = minimumBytes
  }

  mutating func entries(of pid: Int32) -> [ProcessFiles.Entry] {
    let folder = "/proc/\(pid)/fd"
    // The kernel lists the names in ascending order; only the first ones are read.
    let names = (remaining > 0 ? try? File.someNames(in: folder) : nil) ?? []
    let numbers = names.prefix(min(remaining, ProcessFiles.maximumDescriptors))
    remaining -= numbers.count
    guard !numbers.isEmpty else { return [] }
    let mounts = mounts(of: pid)
    var command: CommandWords?
    var memory: UInt64?
    var found: [ProcessFiles.Entry] = []
    for number in numbers {
      guard let information = try? File.readAll("/proc/\(pid)/fdinfo/\(number)", limit: 65536),
        let mount = Self.mount(information), mounts.answersAtOnce(mount),
        let status = File.knownStatus("\(folder)/\(number)"), status.kind == .file,
        status.size >= minimumBytes
      else { continue }
      let path = (try? File.linkTarget("\(folder)/\(number)")) ?? ""
      let words = command ?? CommandWords(of: pid)
      command = words
      let name = words.word(naming: path)
      let held = memory ?? Self.privateBytes(of: pid)
      memory = held
      found.append(
        ProcessFiles.Entry(
          status, path: path, information: information,
          isNamed: (name != nil || number == "0") && !words.readsPart, privateBytes: held))
      if let name { found += companions(of: name, words, minimumBytes) }
    }
    return found
  }

  /// Other files that the command line names, if they certainly lie in the folder of the open one: files
  /// that may lie on another machine are not examined.
  private func companions(
    of name: String, _ command: CommandWords, _ minimumBytes: UInt64
  ) -> [ProcessFiles.Entry] {
    command.others(beside: name).compactMap { word in
      let path = word.hasPrefix("/") ? word : "/proc/\(command.pid)/cwd/\(word)"
      guard let status = File.knownStatus(path), status.kind == .file, status.size >= minimumBytes
      else { return nil }
      return ProcessFiles.Entry(status, path: word, information: nil, isNamed: true)
    }
  }

  private mutating func mounts(of pid: Int32) -> MountTable {
    guard let view = try? File.linkTarget("/proc/\(pid)/ns/mnt") else {
      return MountTable(of: pid)
    }
    if let known = mounts[view] { return known }
    let table = MountTable(of: pid)
    mounts[view] = table
    return table
  }

  /// The resident memory that is not shared with a file, in pages of `/proc/PID/statm` (proc_pid_statm(5)).
  private static func privateBytes(of pid: Int32) -> UInt64 {
    let fields = ((try? File.readAll("/proc/\(pid)/statm", limit: 256)) ?? [])
      .split(separator: 0x20).map { UInt64(String(decoding: $0, as: UTF8.self)) ?? 0 }
    guard fields.count > 2, fields[1] > fields[2] else { return 0 }
    return (fields[1] - fields[2]) &* UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
  }

  /// The number of the mount that the file was opened on: the line `mnt_id:`.
  private static func mount(_ information: [UInt8]) -> UInt64? {
    let name = Array("mnt_id:".utf8)
    for line in information.split(separator: 0x0A) where line.starts(with: name) {
      let digits = line.dropFirst(name.count).drop { $0 == 0x09 || $0 == 0x20 }
      return UInt64(String(decoding: digits, as: UTF8.self))
    }
    return nil
  }
}

/// The arguments of a process, as it was started (proc_pid_cmdline(5)).
private struct CommandWords {
  let pid: Int32
  private let program: String
  private let words: [String]

  /// With more arguments than this, no single file stands for the work.
  private static let maximumWords = 256
  private static let maximumOthers = 32

  init(of pid: Int32) {
    self.pid = pid
    let bytes = (try? File.readAll("/proc/\(pid)/cmdline", limit: 65536)) ?? []
    let all = bytes.split(separator: 0).prefix(Self.maximumWords).map {
      String(decoding: $0, as: UTF8.self)
    }
    program = all.first.map { Self.name(of: $0) } ?? ""
    words = Array(all.dropFirst())
  }

  /// The argument that names the file at this path: `big`, `notes/big`, `if=big`, `--file=big`.
  func word(naming path: String) -> String? {
    let name = Self.name(of: path)
    return name.isEmpty ? nil : words.first { Self.name(of: $0) == name }.map { Self.value(of: $0) }
  }

  /// Whether the program was told to read only a part of its input.
  var readsPart: Bool {
    program == "dd" && words.contains { $0.hasPrefix("count=") || $0.hasPrefix("skip=") }
  }

  /// The arguments that name something in the same folder.
  func others(beside name: String) -> [String] {
    let folder = name.dropLast(Self.name(of: name).count)
    return words.lazy.filter {
      $0 != name && !$0.hasPrefix("-") && $0.dropLast(Self.name(of: $0).count) == folder
        && !Self.name(of: $0).isEmpty
    }.prefix(Self.maximumOthers).map { $0 }
  }

  private static func name(of path: String) -> String {
    let start = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") }
    return String(start.map { path[path.utf8.index(after: $0)...] } ?? path[...])
  }

  private static func value(of word: String) -> String {
    word.utf8.firstIndex(of: UInt8(ascii: "=")).map { String(word[word.utf8.index(after: $0)...]) }
      ?? word
  }
}
