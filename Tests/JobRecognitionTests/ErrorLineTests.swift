import JobRecognition
import Testing

/// Why a command failed, from the end of its output.
struct ErrorLineTests {
  @Test(arguments: [
    (
      "Traceback (most recent call last):\n  File \"t.py\", line 3, in <module>\n    raise RuntimeError(\"loss is nan\")\nRuntimeError: loss is nan\n",
      "RuntimeError: loss is nan"
    ),
    (
      "cp: error writing 'x': No space left on device\n",
      "cp: error writing 'x': No space left on device"
    ),
    ("cat: /nowhere: No such file or directory", "cat: /nowhere: No such file or directory"),
    (
      "cc -c a.c\na.c:3:1: error: expected ';'\nmake[1]: *** [Makefile:2: a.o] Error 1\nmake: *** [all] Error 2\n",
      "a.c:3:1: error: expected ';'"
    ),
    (
      "make: *** No rule to make target 'x'.  Stop.\nmake: *** [all] Error 2",
      "make: *** No rule to make target 'x'.  Stop."
    ),
    (
      "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
      "thread 'main' panicked at src/main.rs:2:5: index out of bounds"
    ),
    (
      "error[E0425]: cannot find value `x` in this scope\n\nerror: could not compile `a` (bin \"a\") due to 1 previous error\n",
      "error[E0425]: cannot find value `x` in this scope"
    ),
    (
      "Exception in thread \"main\" java.lang.IllegalStateException: closed\n\tat A.main(A.java:3)\n",
      "Exception in thread \"main\" java.lang.IllegalStateException: closed"
    ),
    ("sh: 1: foo: not found\n", "sh: 1: foo: not found"),
    ("Segmentation fault (core dumped)\n", "Segmentation fault (core dumped)"),
    (
      "npm ERR! code ENOENT\nnpm ERR! A complete log of this run can be found in: /x\n",
      "npm ERR! code ENOENT"
    ),
    (
      "ffmpeg\n\u{1B}[31min.mkv: Invalid data found when processing input\u{1B}[0m\n",
      "in.mkv: Invalid data found when processing input"
    ),
    (
      "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\nexit status 2\n",
      "panic: runtime error: index out of range"
    ),
    ("Reading\nE: disk on fire\n", "E: disk on fire"),
    (
      "make: *** No targets specified and no makefile found.  Stop.\n",
      "make: *** No targets specified and no makefile found.  Stop."
    ),
    ("tar: gone.tar: Wrong magic\nbye\n", "tar: gone.tar: Wrong magic"),
    ("./run.sh: line 3: oops: bad day\n", "./run.sh: line 3: oops: bad day"),
    ("ERROR: one\nnote: see above\n", "ERROR: one"),
    ("sh: 1: [: =: unexpected operator\n", "sh: 1: [: =: unexpected operator"),
    ("*** it went wrong ***\n", "*** it went wrong ***"),
    ("10%\r20%\rerror: disk quota exceeded\r\n", "error: disk quota exceeded"),
    (
      "rsync error: timeout in data send/receive (code 30) at io.c(204)\n",
      "rsync error: timeout in data send/receive (code 30) at io.c(204)"
    ),
  ])
  func `the last line that says what went wrong is found`(_ output: String, _ message: String) {
    #expect(ErrorLine.last(in: output.utf8) == message)
  }

  @Test(arguments: [
    "", "all is well\n", "12 passed, 0 failed\n", "warning: unused variable\n",
    "0 errors, no failures\n",
    "\u{1B}[2J\r\r\n", "  at line 3\n", "step 1\nstep 2\n", "12:30:01 begun\n",
    "https://example.org/a b\n", "INFO: all read\n", "info: x\nDEBUG: y\n", "Done: 3 files\n",
    "Elapsed: 3 s\n", "C: \n", "a: b\n1\n2\n3\n4\n5\n6\n", "Summary of it: good\n",
    "error: of the first\njobrun: attempt 2 begins, 2026-03-01T12:34:56.789Z\nfine\n",
  ])
  func `an output without an error has no message`(_ output: String) {
    #expect(ErrorLine.last(in: output.utf8) == nil)
  }

  @Test func `a message is bounded and holds no escape sequence, whatever was written`() throws {
    let bytes = Array("error: ".utf8) + [0x1B, 0x5D, 0x30, 0x3B, 0x78, 7, 0xFF, 0xC3]
    let message = try #require(ErrorLine.last(in: bytes + Array(repeating: 0x61, count: 5000)))
    #expect(message.utf8.count <= ErrorLine.maximumBytes)
    #expect(message.hasPrefix("error: "))
    #expect(!message.unicodeScalars.contains { $0.value < 0x20 })
  }
}
