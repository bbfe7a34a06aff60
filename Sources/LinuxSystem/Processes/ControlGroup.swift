internal import CLinux

/// A control group of version 2 (cgroups(7)): processes that are counted, weighed, stopped and ended
/// together, and that cannot leave by forking.
///
/// Every call reads or writes one file of the group's folder; what a kernel or a hierarchy does not support
/// returns nil or false.
package struct ControlGroup: Hashable, Sendable {
  /// The absolute path of the group's folder.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package var name: String {
    String(path[(path.lastIndex(of: "/") ?? path.startIndex)...].dropFirst())
  }
  package var parent: ControlGroup { ControlGroup(path: File.parent(of: path)) }
  package var exists: Bool { File.exists("\(path)/cgroup.procs") }

  package func child(_ name: String) -> ControlGroup { ControlGroup(path: "\(path)/\(name)") }

  /// The names of the groups in it.
  package var children: [String] {
    ((try? File.names(in: path)) ?? []).filter { File.isDirectory("\(path)/\($0)") }
  }

  package func make() throws(SystemError) {
    try File.makeDirectory(path, permissions: 0o755)
  }

  /// Removes the group and its subgroups; false while it has processes.
  @discardableResult
  package func remove() -> Bool {
    if (try? File.removeEmptyDirectory(path)) == true { return true }
    for name in children { child(name).remove() }
    return (try? File.removeEmptyDirectory(path)) == true || !File.exists(path)
  }

  /// For `Spawn.controlGroup`.
  package func open() throws(SystemError) -> FileDescriptor {
    try File.open(path, [.read, .directory, .noFollow])
  }
}

// The processes of the group.
extension ControlGroup {
  /// The processes of the group itself, without its subgroups.
  package var processes: [Int32] {
    content(of: "cgroup.procs").split(separator: 0x0A)
      .compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
  }

  /// Whether the group or a subgroup has a process.
  package var isPopulated: Bool { number("populated", in: "cgroup.events") == 1 }

  /// Whether all its processes are frozen.
  package var isFrozen: Bool { number("frozen", in: "cgroup.events") == 1 }

  /// The processes of the group and its subgroups.
  package var allProcesses: [Int32] {
    processes + children.flatMap { child($0).allProcesses }
  }

  /// Kills all processes of the group and its subgroups, however they fork; false where some may survive,
  /// before Linux 5.14.
  @discardableResult
  package func kill() -> Bool { write("1", to: "cgroup.kill") || killEach() }

  /// Frozen processes cannot fork.
  private func killEach() -> Bool {
    guard setFrozen(true) else { return false }
    defer { _ = setFrozen(false) }
    for pid in allProcesses where pid > 1 && pid != CurrentProcess.identifier {
      CurrentProcess.sendSignal(Signal.kill, to: pid)
    }
    return isFrozen
  }

  /// Freezes or thaws the group and its subgroups (since Linux 5.2).
  package func setFrozen(_ isFrozen: Bool) -> Bool {
    write(isFrozen ? "1" : "0", to: "cgroup.freeze")
  }

  /// Moves this process into the group.
  package func enter() -> Bool { write("0", to: "cgroup.procs") }
}

// Usage and limits.
extension ControlGroup {
  /// User and system time of all processes that ever ran in it.
  package var cpuMicroseconds: UInt64? { number("usage_usec", in: "cpu.stat") }

  /// The peak memory use (since Linux 5.19).
  package var peakBytes: UInt64? { Self.number(content(of: "memory.peak").prefix { $0 != 0x0A }) }

  /// Bytes read from disks and written to them, all disks together.
  package var transferred: BytesTransferred? {
    guard File.exists("\(path)/io.stat") else { return nil }
    var sums = BytesTransferred()
    // One line per disk: `8:0 rbytes=1 wbytes=2 rios=3 …`.
    for field in words(of: "io.stat") {
      let parts = field.split(separator: 0x3D)
      guard parts.count == 2, let count = Self.number(parts[1]) else { continue }
      if parts[0].elementsEqual("rbytes".utf8) { sums.read &+= count }
      if parts[0].elementsEqual("wbytes".utf8) { sums.written &+= count }
    }
    return sums
  }

  /// Enables a controller, such as `memory`, for the subgroups; false where it is not available.
  @discardableResult
  package func enable(_ controller: String) -> Bool {
    write("+\(controller)", to: "cgroup.subtree_control")
  }

  /// Disables all controllers for the subgroups at every level: only such a group can hold processes
  /// itself.
  package func disableControllersOfAll() {
    // A controller that a subgroup has enabled for its own subgroups is in use.
    for name in children { child(name).disableControllersOfAll() }
    for name in words(of: "cgroup.subtree_control") {
      write("-" + String(decoding: name, as: UTF8.self), to: "cgroup.subtree_control")
    }
  }

  /// The share of processors and disks relative to its siblings: 1…10,000, where 100 is the default.
  package func setWeight(_ weight: Int) {
    write("\(weight)", to: "cpu.weight")
    write("default \(weight)", to: "io.weight")
  }

  /// Whether it runs only when the processors are otherwise idle (cpu.idle, since Linux 5.15).
  @discardableResult
  package func setIdle(_ isIdle: Bool) -> Bool { write(isIdle ? "1" : "0", to: "cpu.idle") }

  /// Above `high` bytes the processes are throttled and their memory is reclaimed; above `most`, processes
  /// are killed.
  package func limitMemory(high: UInt64, most: UInt64) -> Bool {
    write("\(high)", to: "memory.high") && write("\(most)", to: "memory.max")
  }
}

// The files of the group.
extension ControlGroup {
  private func content(of file: String) -> [UInt8] {
    (try? File.readAll("\(path)/\(file)", limit: 1 << 20)) ?? []
  }

  private func words(of file: String) -> [ArraySlice<UInt8>] {
    content(of: file).split { $0 == 0x0A || $0 == 0x20 }
  }

  /// The number behind a name at the start of a line.
  private func number(_ name: String, in file: String) -> UInt64? {
    let name = Array("\(name) ".utf8)
    let line = content(of: file).split(separator: 0x0A).first { $0.starts(with: name) }
    return line.flatMap { Self.number($0.dropFirst(name.count)) }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    UInt64(String(decoding: digits, as: UTF8.self))
  }

  @discardableResult
  private func write(_ text: String, to file: String) -> Bool {
    guard let file = try? File.open("\(path)/\(file)", [.write]) else { return false }
    return (try? file.writeAll(Array("\(text)\n".utf8))) != nil
  }

  /// An extended attribute (xattr(7)); nil when it is not set.
  package func attribute(_ name: String) -> String? {
    var room = [CChar](repeating: 0, count: 256)
    let length = unsafe clinux_attribute(path, name, &room, room.count)
    guard length >= 0 else { return nil }
    return String(decoding: room[..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  package func setAttribute(_ name: String, to value: String) -> Bool {
    unsafe clinux_set_attribute(path, name, value, value.utf8.count) >= 0
  }
}
