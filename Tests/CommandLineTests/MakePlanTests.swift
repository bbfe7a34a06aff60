import JobCore
import TestKit
import Testing

@testable import jobrun

/// Parsing of `make -n`.
struct MakePlanTests {
  @Test func `commands are counted with the words by which they are known`() {
    let output = """
      make[1]: Entering directory '/src'
      gcc -O2 -c a.c
      gcc -O2 -c b.c \\
        -DLONG
      echo "  AR    lib.a"; ar rcs lib.a a.o b.o
      printf 'CC %s\\n' c.c
      echo
      make[1]: Nothing to be done for 'docs'.
      """
    let plan = MakePlan(Array(output.utf8))
    #expect(plan.commands == 4)
    #expect(plan.words == ["gcc", "AR", "CC"])
    #expect(
      plan.recognition == .make(commands: 4, words: ["AR", "CC", "gcc"]))
  }

  @Test func `where there is nothing to make, progress is seen as usual`() {
    #expect(MakePlan(Array("make: Nothing to be done for 'all'.\n".utf8)).recognition == .auto)
    #expect(MakePlan([]).recognition == .auto)
  }

  @Test func `a real make is asked, and one that fails has no plan`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("all:\n\tcc -c a.c\n\tcc -c b.c\n", to: "Makefile")
    let make = Array("/usr/bin/make".utf8)
    let folder = Array("-C\(sandbox.path("."))".utf8)
    #expect(try MakePlan(asking: [make, folder]).commands == 2)
    #expect(try MakePlan(asking: [make, folder, Array("nothing".utf8)]).commands == 0)
  }
}
