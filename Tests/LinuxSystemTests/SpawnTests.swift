import LinuxSystem
import Testing

struct SpawnTests {
  /// Starts a program with its output in a file and waits for its end.
  private func run(
    _ arguments: [[UInt8]], environment: [[UInt8]] = [], directory: [UInt8]? = nil,
    _ change: (inout Spawn) -> Void = { _ in }
  ) throws -> (end: ChildEnd, output: [UInt8]) {
    let scratch = try Scratch()
    let output = try File.open(scratch.file("out"), [.read, .write, .create])
    var spawn = Spawn(arguments, environment: environment, directory: directory)
    spawn.descriptors = [.init(output.number, as: 1)]
    change(&spawn)
    let end = try ChildProcess.wait(try spawn.start())
    return (end, try File.readAll(scratch.file("out")))
  }

  private func shell(_ script: String) -> [[UInt8]] {
    ["/bin/sh", "-c", script].map { Array($0.utf8) }
  }

  @Test(arguments: [0, 1, 42, 255] as [Int32])
  func `an exit status comes back as it was`(_ code: Int32) throws {
    #expect(try run(shell("exit \(code)")).end.status == .exited(code))
  }

  @Test func `a deadly signal comes back by its number`() throws {
    #expect(try run(shell("kill -9 $$")).end.status == .signalled(9))
    #expect(try run(shell("kill -TERM $$")).end.status == .signalled(15))
  }

  @Test func `arguments, environment and folder may hold any bytes but NUL`() throws {
    let scratch = try Scratch()
    let odd: [UInt8] = [0xFF, 0x20, 0x0A, 0x80]
    let folder = Array(scratch.path.utf8) + Array("/caf".utf8) + [0xE9]
    _ = try run([Array("/bin/mkdir".utf8), folder])
    let result = try run(
      [
        Array("/bin/sh".utf8), Array("-c".utf8), Array("printf %s \"$1$V\"; pwd".utf8), [0x30], odd,
      ],
      environment: [Array("V=".utf8) + odd], directory: folder)
    #expect(result.output == odd + odd + folder + [0x0A])
  }

  @Test func `the child starts with default signals whatever this process has set`() throws {
    Signal.ignore(Signal.pipe)
    try SignalMask.block([Signal.user2])
    defer { try? SignalMask.unblock([Signal.user2]) }
    let result = try run(shell("grep -E 'SigBlk|SigIgn' /proc/self/status"))
    let zero = "0000000000000000"
    #expect(
      String(decoding: result.output, as: UTF8.self) == "SigBlk:\t\(zero)\nSigIgn:\t\(zero)\n")
  }

  @Test func `only the descriptors that were given are open, with their numbers`() throws {
    let secret = try File.open("/etc/passwd")
    let given = try MemoryFile.make(Array("given".utf8))
    let result = try run(shell("cat <&5; ls /proc/self/fd | tr '\\n' ' '")) { spawn in
      spawn.descriptors.append(.init(given.number, as: 5))
    }
    // The last one is the folder that `ls` itself has open.
    #expect(String(decoding: result.output, as: UTF8.self).hasPrefix("given0 1 2 3 5 "))
    withExtendedLifetime(secret.number) {}
  }

  @Test func `descriptors may trade paths`() throws {
    let scratch = try Scratch()
    let first = try File.open(scratch.file("first"), [.read, .write, .create])
    let second = try File.open(scratch.file("second"), [.read, .write, .create])
    let numbers = (first.number, second.number)
    _ = try run(
      shell("cd /proc/self/fd; echo one > \(numbers.1); echo two > \(numbers.0)")
    ) { spawn in
      spawn.descriptors += [
        .init(numbers.0, as: numbers.1), .init(numbers.1, as: numbers.0),
      ]
    }
    #expect(try text(scratch.file("first")) == "one\n")
    #expect(try text(scratch.file("second")) == "two\n")
  }

  @Test func `a program that is missing is told by name and leaves no child`() throws {
    let error = #expect(throws: SystemError.self) { try run([Array("/nowhere/tool".utf8)]) }
    #expect(error?.description == "cannot start /nowhere/tool: No such file or directory")
    let other = #expect(throws: SystemError.self) { try run([Array("no-such-tool".utf8)]) }
    #expect(other?.number == SystemError.notFound)
  }

  @Test func `a file that may not be executed is refused for that reason`() throws {
    let scratch = try Scratch()
    let path = scratch.file("plain")
    try File.writeAtomically(Array("#!/bin/sh\n".utf8), to: path)
    let error = #expect(throws: SystemError.self) { try run([Array(path.utf8)]) }
    #expect(error?.number == SystemError.accessDenied)
  }

  @Test func `a program that somebody still has open for writing is waited for`() throws {
    let scratch = try Scratch()
    let program = scratch.file("program")
    try File.writeAtomically(Array("#!/bin/sh\nexit 5\n".utf8), to: program, permissions: 0o755)
    var pipe = try Pipe()
    let held = pipe.takeReading()
    var holder = Spawn(
      shell("exec 3>>\"$0\"; echo held; exec >/dev/null; sleep 0.2"),
      environment: CurrentProcess.environment())
    holder.arguments.append(Array(program.utf8))
    let writing = pipe.takeWriting()
    holder.descriptors = [.init(writing.number, as: 1)]
    let pid = try holder.start()
    var told: [UInt8] = []
    _ = try held.read(into: &told)
    #expect(try run([Array(program.utf8)]).end.status == .exited(5))
    _ = try ChildProcess.wait(pid)
  }

  @Test func `a missing folder is told as such`() throws {
    let error = #expect(throws: SystemError.self) {
      try run(shell("true"), directory: Array("/nowhere".utf8))
    }
    #expect(error?.description == "cannot enter the folder /nowhere: No such file or directory")
    #expect(error?.number == SystemError.notFound)
  }

  @Test(arguments: [
    ("#!/no/such/interpreter -x\necho", "its interpreter /no/such/interpreter does not exist"),
    ("#! /no/such\necho", "its interpreter /no/such does not exist"),
    ("#!/bin/sh\r\necho\r\n", "its lines end with carriage returns (CRLF)"),
    ("#!/no/such", "its interpreter /no/such does not exist"),
  ])
  func `a script whose interpreter is missing is not said to be missing`(
    text: String, cause: String
  ) throws {
    let scratch = try Scratch()
    let path = scratch.file("script")
    try File.writeAtomically(Array(text.utf8), to: path, permissions: 0o755)
    for (name, directory) in [(path, nil), ("./script", Array(scratch.path.utf8))] {
      let error = #expect(throws: SystemError.self) {
        try run([Array(name.utf8)], directory: directory)
      }
      #expect(error?.number == SystemError.notFound)
      #expect(error?.description.hasPrefix("cannot start \(name): \(cause)") == true)
    }
  }

  /// What is text is run by a shell, as everywhere; what is not would be words to it.
  @Test(
    arguments: [
      (Array("exit 5".utf8), 5), (Array("\u{7F}ELF\u{2}\0\nexit 5".utf8), nil), ([], 0),
    ] as [([UInt8], Int32?)])
  func `a program of another machine is no script`(bytes: [UInt8], status: Int32?) throws {
    let scratch = try Scratch()
    let path = scratch.file("program")
    try File.writeAtomically(bytes, to: path, permissions: 0o755)
    guard let status else {
      let error = #expect(throws: SystemError.self) { try run([Array(path.utf8)]) }
      #expect(error?.number == SystemError.notExecutable)
      let cause = "it is damaged, or a program for another kind of processor"
      #expect(error?.description == "cannot start \(path): \(cause)")
      return
    }
    #expect(try run([Array(path.utf8)]).end.status == .exited(status))
  }

  @Test func `a program that is missing is said to be missing`() {
    let error = #expect(throws: SystemError.self) { try run([Array("/no/such/tool".utf8)]) }
    #expect(error?.description == "cannot start /no/such/tool: No such file or directory")
  }

  @Test func `a bare name is looked for on the PATH of the child`() throws {
    let scratch = try Scratch()
    let path = scratch.file("only-here")
    try File.writeAtomically(Array("#!/bin/sh\necho found".utf8), to: path, permissions: 0o700)
    let result = try run(
      [Array("only-here".utf8)],
      environment: [Array("PATH=/nowhere:\(scratch.path):/bin".utf8)])
    #expect(result.output == Array("found\n".utf8))
  }

  @Test func `a script without an interpreter line is run by the shell`() throws {
    let scratch = try Scratch()
    let path = scratch.file("script")
    try File.writeAtomically(Array("echo $1".utf8), to: path, permissions: 0o700)
    let result = try run([Array(path.utf8), Array("argument".utf8)])
    #expect(result.output == Array("argument\n".utf8))
  }

  @Test func `the announcement stands before the program's first act`() throws {
    let scratch = try Scratch()
    let record = try File.open(scratch.file("record"), [.read, .write, .append, .create])
    let result = try run(shell("cat \(scratch.file("record")); echo $$")) { spawn in
      spawn.announcement = .init(prefix: "started ", suffix: " by me\n", record: record.number)
    }
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    let words = try #require(lines.first).split(separator: " ")
    #expect(words.first == "started")
    #expect(lines.last == words[1])
    #expect(try #require(UInt64(words[2])) > 0)
    #expect(words[3...] == ["by", "me"])
  }

  @Test func `without a place for the announcement nothing is started`() throws {
    let full = try File.open("/dev/full", .write)
    let scratch = try Scratch()
    let error = #expect(throws: SystemError.self) {
      try run(shell("touch \(scratch.file("ran"))")) { spawn in
        spawn.announcement = .init(prefix: "a", suffix: "\n", record: full.number)
      }
    }
    #expect(error?.number == SystemError.noSpace)
    #expect(!File.exists(scratch.file("ran")))
  }

  @Test func `processor time and memory are measured`() throws {
    let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    let end = try run(shell(busy)).end
    #expect(end.cpuMicroseconds > 10_000)
    #expect(end.cpuMicroseconds < 30_000_000)
    #expect(end.residentBytes > 100_000)
  }

  @Test func `a raised limit of open files is not passed on`() throws {
    let before = try run(shell("ulimit -n")).output
    try CurrentProcess.raiseDescriptorLimit()
    #expect(try run(shell("ulimit -n")).output == before)
  }
}
