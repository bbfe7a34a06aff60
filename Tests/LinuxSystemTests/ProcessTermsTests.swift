import LinuxSystem
import Testing

@Suite struct ProcessTermsTests {
  @Test func `the text is read as it was written, and nothing else is`() throws {
    let terms = try #require(ProcessTerms.current())
    #expect(ProcessTerms(terms.text) == terms)
    let fixed = [String](repeating: "-", count: 32) + ["0", "0", "0", "0", "0", "0", "0"]
    let good = fixed.joined(separator: ",")
    #expect(ProcessTerms(good) != nil)
    let short = fixed.dropLast().joined(separator: ",")
    let long = [String](repeating: "1", count: 10_000).joined(separator: ",")
    let others = ["", ",", "-1", "18446744073709551616"].map { "\(good),\($0)" }
    for bad in ["", ",", "1,2,3", short, long] + others {
      #expect(ProcessTerms(bad) == nil, "\(bad)")
    }
  }

  @Test func `a child takes them over as far as that is allowed, whatever they say`() throws {
    let own = try #require(ProcessTerms.current())
    #expect(own.limits.count == 16 && !own.processors.isEmpty)
    // Soft limits beyond hard ones, no processor, an unknown policy.
    let odd = [String](repeating: "0", count: 14) + ["-", "256"]
    var numbers = odd + [String](repeating: "-", count: 16)
    numbers += ["25", "77", "99", "-", "5000", "0", "0", "0"]
    var spawn = Spawn(["/bin/true"])
    spawn.terms = ProcessTerms(numbers.joined(separator: ","))
    // The kernel decides whether it can be executed with so little.
    if let pid = try? spawn.start() { _ = try ChildProcess.wait(pid) }
  }

  @Test func `processors are told in ranges`() throws {
    let fixed = [String](repeating: "-", count: 32) + ["0", "0", "0", "0", "0", "0", "0"]
    let terms = try #require(ProcessTerms((fixed + ["263", "1"]).joined(separator: ",")))
    #expect(terms.processors == "0-2,8,64")
    #expect(terms.limits.allSatisfy { $0.soft == nil && $0.hard == nil })
  }
}
