import LinuxSystem
import Testing

/// A shell with everything it starts, marked by an entry in their environment.
private final class Family {
  let pid: Int32
  let entry: [UInt8]
  private let output: FileDescriptor
  private var lines: [UInt8] = []

  /// Returns once the script has written `count` lines.
  init(_ script: String, lines count: Int) throws {
    entry = Array("FAMILY=\(RandomBytes.hexadecimal(count: 8))".utf8)
    var pipe = try Pipe()
    output = pipe.takeReading()
    let writing = pipe.takeWriting()
    var spawn = Spawn(
      ["/bin/sh", "-c", script].map { Array($0.utf8) },
      environment: CurrentProcess.environment() + [entry])
    spawn.startsSession = true
    spawn.descriptors = [.init(writing.number, as: 1)]
    pid = try spawn.start()
    while lines.count(where: { $0 == 0x0A }) < count {
      guard try Poll.wait(output.number, until: generousDeadline()),
        case .bytes = try output.read(into: &lines)
      else { throw SystemError("hear from the family", SystemError.noProcess) }
    }
  }

  /// The numbers that the script has written.
  var written: [Int32] {
    String(decoding: lines, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap {
      Int32($0)
    }
  }

  var tree: ProcessTree {
    ProcessTree(root: ProcessIdentity(pid: pid), includesRoot: true, environmentEntry: entry)
  }

  deinit {
    tree.kill()
    _ = try? ChildProcess.wait(pid)
  }
}

/// Looks again and again, where nothing tells of a change.
private func waitUntil(_ isSo: () -> Bool) throws {
  let deadline = generousDeadline()
  while !isSo() {
    try #require(AwakeClock.now() < deadline)
    _ = try Poll.wait([], until: AwakeClock.now() + 1_000_000)
  }
}

/// Waits until all have ended; reaping is their parents' matter.
private func awaitEnd(_ processes: [ProcessIdentity]) throws {
  for process in processes {
    guard let descriptor = try? ProcessDescriptor(process) else { continue }
    #expect(try Poll.wait(descriptor.number, until: generousDeadline()))
  }
}

struct ProcessTreeTests {
  /// A shell, a child of it, and a grandchild that left its session and its parent.
  private func escaping() throws -> Family {
    let family = try Family(
      """
      sleep 1000 & echo $!
      (setsid sh -c 'echo $$; exec sleep 1000' &)
      wait
      """, lines: 2)
    // In the middle of exec a process shows no environment, by which the last one is found.
    try waitUntil { family.written.allSatisfy { executes("sleep", $0) } }
    return family
  }

  /// Whether the process has begun with this program.
  private func executes(_ program: String, _ pid: Int32) -> Bool {
    let environment = try? File.readAll("/proc/\(pid)/environ")
    return ProcessStatus(pid: pid)?.name == program && environment?.isEmpty == false
  }

  private func state(_ pid: Int32) -> UInt8? { ProcessStatus(pid: pid)?.state }

  @Test func `a child that is discarded is reaped, and what escaped from it ends, too`() throws {
    let family = try escaping()
    let members = family.tree.members()
    #expect(members.count >= 3)
    ChildProcess.discard(family.pid, environmentEntry: family.entry)
    #expect(try ChildProcess.reap(family.pid) == .noChild)
    try awaitEnd(members)
  }

  @Test func `descendants and those that escaped by their mark are one tree`() throws {
    let family = try escaping()
    let members = Set(family.tree.members().map(\.pid))
    #expect(members.isSuperset(of: Set(family.written + [family.pid])))
    #expect(!members.contains(CurrentProcess.identifier))
    #expect(!members.contains(1))
  }

  @Test func `killing leaves nobody, also none that escaped`() throws {
    let family = try escaping()
    let members = family.tree.members()
    #expect(members.count >= 3)
    #expect(family.tree.kill() >= 3)
    try awaitEnd(members)
    #expect(members.allSatisfy { !$0.isAlive })
    #expect(family.tree.members().isEmpty)
  }

  @Test func `a tree that keeps forking stands still, and all of it goes on`() throws {
    let family = try Family(
      """
      for lane in 1 2 3; do
        sh -c 'while :; do sleep 0.01 & wait; done' &
      done
      echo ready
      wait
      """, lines: 1)
    #expect(family.tree.freeze() >= 4)
    // Each stops when it next gets a processor. A parent that waits for a child which was stopped before exec is
    // in state `D`.
    try waitUntil {
      family.tree.members().allSatisfy { Array("TD".utf8).contains(state($0.pid) ?? 0) }
    }
    #expect(family.tree.thaw() >= 4)
    // One of the lanes forks again.
    let before = Set(family.tree.members())
    let deadline = generousDeadline()
    var goesOn = false
    while !goesOn, AwakeClock.now() < deadline {
      goesOn = !before.isSuperset(of: family.tree.members())
    }
    #expect(goesOn)
  }

  @Test func `what stands still with its control group is not stopped, and what has left it is`()
    throws
  {
    let family = try Family("sleep 1000 & echo $!; setsid sleep 1000 & echo $!; wait", lines: 2)
    let (inside, outside) = (family.written[0], family.written[1])
    // A fake one: a folder.
    let scratch = try Scratch()
    try File.writeAtomically(
      Array("\(family.pid)\n\(inside)\n".utf8), to: scratch.file("cgroup.procs"))
    let group = ControlGroup(path: scratch.path)
    try waitUntil { executes("sleep", inside) && executes("sleep", outside) }
    try waitUntil { [inside, family.pid].allSatisfy { state($0) == UInt8(ascii: "S") } }
    #expect(family.tree.freeze(sparing: group) == 1)
    // It stops when it next gets a processor.
    try waitUntil { state(outside) == UInt8(ascii: "T") }
    #expect(state(inside) == UInt8(ascii: "S") && state(family.pid) == UInt8(ascii: "S"))
    #expect(family.tree.thaw(sparing: group) == 1)
    #expect(state(outside) != UInt8(ascii: "T"))
  }

  @Test func `a tree that keeps forking is killed too`() throws {
    let family = try Family(
      """
      for lane in 1 2 3; do
        sh -c 'while :; do sleep 0.01 & wait; done' &
      done
      echo ready
      wait
      """, lines: 1)
    let deadline = generousDeadline()
    repeat {
      family.tree.kill()
      try awaitEnd(family.tree.members())
    } while !family.tree.members().isEmpty && AwakeClock.now() < deadline
    #expect(family.tree.members().isEmpty)
  }

  @Test func `a process that has ended but was not reaped is gone`() throws {
    let pid = try Spawn(["/bin/true"]).start()
    let descriptor = try ProcessDescriptor(pid)
    #expect(try Poll.wait(descriptor.number, until: generousDeadline()))
    let tree = ProcessTree(
      root: ProcessIdentity(pid: pid), includesRoot: true, environmentEntry: nil)
    #expect(ProcessStatus(pid: pid)?.isZombie == true)
    #expect(tree.members().isEmpty)
    _ = try ChildProcess.wait(pid)
  }

  @Test func `a number that another process has now is not the tree`() throws {
    let family = try Family("echo ready; exec sleep 1000", lines: 1)
    let stranger = ProcessIdentity(pid: family.pid, startTime: 1)
    let tree = ProcessTree(root: stranger, includesRoot: true, environmentEntry: nil)
    #expect(tree.members().isEmpty)
    #expect(!stranger.isAlive)
    #expect(throws: SystemError.self) { _ = try ProcessDescriptor(stranger) }
  }

  @Test func `what is executing a program shows nothing yet, and is waited for`() throws {
    let family = try Family("exec perl -e '\(Self.hiding)'", lines: 1)
    let tree = ProcessTree(root: nil, includesRoot: false, environmentEntry: family.entry)
    try #require(family.written == [1])
    let before = AwakeClock.now()
    #expect(tree.isEmpty())
    #expect(AwakeClock.now() - before >= 300_000_000)
    _ = try ProcessDescriptor(family.pid).signal(Signal.user1)
    let deadline = generousDeadline()
    while tree.members().isEmpty, AwakeClock.now() < deadline {
      _ = try Poll.wait([], until: AwakeClock.now() + 1_000_000)
    }
    #expect(!tree.isEmpty())
  }

  /// Takes its arguments and its environment away from its memory (PR_SET_MM_MAP, prctl(2)), as a process in the
  /// middle of execve(2) has none, says 1 if that has worked, and shows them again on SIGUSR1.
  private static let hiding = """
    $SIG{USR1} = sub { exec "sleep", "1000" };
    open my $f, "<", "/proc/self/stat"; my @w = split / /, (<$f> =~ s/.*\\) //r);
    sub field { $w[$_[0] - 3] + 0 }
    my $map = pack "Q11 Q L l", field(26), field(27), field(45), field(46), field(47),
      syscall(12, 0), field(28), field(48), field(48), field(50), field(50), 0, 0, -1;
    my $done = syscall(157, 35, 14, $map, length $map, 0) == 0;
    $| = 1; print $done ? "1\\n" : "0\\n"; sleep 1000;
    """

  @Test func `a mark that is only part of an entry marks nothing`() throws {
    let family = try Family("echo ready; exec sleep 1000", lines: 1)
    let tree = ProcessTree(
      root: nil, includesRoot: false, environmentEntry: Array(family.entry.dropLast()))
    #expect(tree.members().isEmpty)
  }

  @Test(arguments: [
    "1 (a) S 2 3 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 99 0",
    "1 (a b) c) S 2 3 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 99 0",
  ])
  func `a program's name with blanks and brackets does not shift the fields`(_ line: String) {
    let status = ProcessStatus(line: Array(line.utf8))
    #expect(status?.parent == 2)
    #expect(status?.session == 4)
    #expect(status?.startTime == 99)
  }

  @Test(arguments: ["", "1", "1 (a) S", "x (a) S 2 3", "1 (a S 2 3 4"])
  func `a line that is no status is none`(_ line: String) {
    #expect(ProcessStatus(line: Array(line.utf8)) == nil)
  }
}
