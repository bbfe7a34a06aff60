import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Access control of `jobrun web`.
@Suite struct WebGuardTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func status(_ answer: String) -> String {
    String(answer.dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  @Test func `nothing is told without the token, and with it what is asked for`() throws {
    let page = try ServedPage(workshop)
    _ = try workshop.jobrun("run", "--title", "Secret plans", "--", "true")
    for path in [
      "/then", "/events", "/jobs/1", "/jobs/1/log", "/jobs/1/find", "/groups/render", "/timeline",
      "/reasons",
    ] {
      let answer = try page.ask(workshop, path)
      #expect(status(answer) == "403", "\(path): \(answer)")
      #expect(!answer.contains("Secret"))
      #expect(status(try page.ask(workshop, path, "-H", "X-Key: 0000")) == "403")
      #expect(status(try page.ask(workshop, path + "?key=0000")) == "403")
    }
    let wrong = try page.ask(
      workshop, "/session", "-X", "POST", "-H", "Origin: \(page.origin)", "-H",
      "X-Token: 00000000000000000000000000000000")
    #expect(status(wrong) == "403")
    let key = try page.key(workshop)
    let answer = try page.ask(workshop, "/then?since=0", "-H", "X-Key: \(key)")
    #expect(status(answer) == "200")
    #expect(answer.contains("Secret plans"))
    #expect(answer.contains("Content-Security-Policy: default-src 'self'"))
  }

  @Test(arguments: [
    ["-H", "Host: example.org"], ["-H", "Host: 127.0.0.1.example.org"], ["-H", "Host:"],
    ["-H", "Host: localhost:99999"], ["-H", "Origin: http://example.org"],
    ["-H", "Origin: null"], ["-H", "Sec-Fetch-Site: cross-site"],
    ["-H", "Sec-Fetch-Site: same-site"],
  ])
  func `another name or another page's request is refused, with the key or without`(words: [String])
    throws
  {
    let page = try ServedPage(workshop)
    let key = try page.key(workshop)
    let answer = try workshop.sandbox.run(
      "curl", ["-s", "-i", "-H", "X-Key: \(key)"] + words + [page.origin + "/then"]
    ).output
    #expect(["403", "400"].contains(status(answer)), "\(answer)")
  }

  @Test func `figures without sense are answered, and the page is served on`() throws {
    _ = try workshop.jobrun("run", "--title", "Seen", "--", "true")
    let page = try ServedPage(workshop)
    let key = "X-Key: \(try page.key(workshop))"
    let (low, high) = ("-9223372036854775808", "9223372036854775807")
    let words = ["nan", "inf", "-1", "0", "1e308", low, high, "18446744073709551616", "", "x"]
    for word in words {
      for path in ["/timeline?width=", "/timeline?since=", "/jobs/1?width=", "/then?since="] {
        #expect(status(try page.ask(workshop, path + word, "-H", key)) == "200", "\(path)\(word)")
      }
      let reasons = try page.ask(workshop, "/reasons?of=\(word),1", "-H", key)
      #expect(["200", "400", "404"].contains(status(reasons)), "\(word): \(reasons)")
    }
    #expect(try page.ask(workshop, "/timeline?width=nan", "-H", key).contains("Seen"))
  }

  @Test func `a tunnel's port is as good as its own`() throws {
    let page = try ServedPage(workshop)
    let key = try page.key(workshop)
    for host in ["localhost:9000", "[::1]:80", "127.0.0.1"] {
      let answer = try page.ask(workshop, "/then", "-H", "X-Key: \(key)", "-H", "Host: \(host)")
      #expect(status(answer) == "200", "\(host): \(answer)")
    }
  }

  @Test func `nothing changes by GET, from elsewhere, or where only looking is allowed`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--silent-after", "never")
    try workshop.awaitReady(1)
    let page = try ServedPage(workshop)
    let key = "X-Key: \(try page.key(workshop))"
    #expect(status(try page.ask(workshop, "/jobs/1/cancel", "-H", key)) == "404")
    #expect(status(try page.ask(workshop, "/jobs/1/cancel", "-X", "PUT", "-H", key)) == "405")
    let silent = try page.ask(workshop, "/jobs/1/cancel", "-X", "POST", "-H", key)
    #expect(status(silent) == "403" && silent.contains("Origin"))
    let shown = try ServedPage(workshop, "--read-only")
    let refused = try shown.ask(
      workshop, "/jobs/1/cancel", "-X", "POST", "-H", "X-Key: \(try shown.key(workshop))",
      "-H", "Origin: \(shown.origin)")
    #expect(status(refused) == "403" && refused.contains("read-only"))
    let key2 = "X-Key: \(try shown.key(workshop))"
    for verb in ["cancel", "kill", "pause", "resume", "continue", "stop", "redo", "log", ""] {
      for path in [
        "/jobs/1/\(verb)", "/groups/\(verb)", "/groups/g/\(verb)", "/ranges/1-1/\(verb)",
        "/\(verb)", "/events",
      ] {
        for method in ["POST", "PUT", "DELETE", "HEAD"] {
          let answer = try shown.ask(
            workshop, path, method == "HEAD" ? "--head" : "-X\(method)", "-H", key2, "-H",
            "Origin: \(shown.origin)")
          #expect(["403", "405"].contains(status(answer)), "\(method) \(path): \(answer)")
        }
      }
    }
    #expect(try workshop.show(1).state == .running)
    let told = try page.ask(
      workshop, "/jobs/1/cancel", "-X", "POST", "-H", key, "-H", "Origin: \(page.origin)")
    #expect(status(told) == "200", "\(told)")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
  }

  @Test func `a head of ten megabytes is refused, and others are served`() throws {
    let page = try ServedPage(workshop)
    let head = try workshop.sandbox.write(
      "X-Large: " + String(repeating: "x", count: 10_000_000), to: "head")
    let answer = try page.ask(workshop, "/", "-H", "@\(head)")
    #expect(
      answer.isEmpty || ["431", "413", "400"].contains(status(answer)), "\(answer.prefix(200))")
    #expect(status(try page.ask(workshop, "/")) == "200")
  }

  @Test(arguments: [
    // The first request, the next one of a connection that is kept, and a body that never ends.
    "GET / HTTP/1.1\\r\\nX: ",
    "GET /icon.svg HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\nGET / HTTP/1.1\\r\\nX: ",
    "POST /session HTTP/1.1\\r\\nHost: localhost\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1;x=",
  ])
  func `half a request is cut, however slowly it goes on`(beginning: String) throws {
    let page = try ServedPage(workshop)
    let slow = try workshop.sandbox.start(
      "bash",
      [
        "-c",
        """
        exec 3<>/dev/tcp/127.0.0.1/\(page.port)
        printf '\(beginning)' >&3
        while :; do
          printf x >&3 || exit
          while read -r -t 3 -u 3; do :; done
          [ $? -gt 128 ] || exit
        done
        """,
      ])
    // The others do not wait for it.
    #expect(status(try page.ask(workshop, "/")) == "200")
    _ = try slow.wait(within: .seconds(60))
    #expect(status(try page.ask(workshop, "/")) == "200")
  }

  @Test func `only this machine's own addresses are listened on`() throws {
    let page = try ServedPage(workshop)
    defer { withExtendedLifetime(page) {} }
    let port = String(page.port, radix: 16, uppercase: true)
    let suffix = ":" + String(repeating: "0", count: 4 - port.count) + port
    let listening = try ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { path in
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
        line -> String? in
        let words = line.split(separator: " ")
        guard words.count > 3, words[3] == "0A", words[1].hasSuffix(suffix) else { return nil }
        return String(words[1].dropLast(suffix.count))
      }
    }
    #expect(Set(listening).isSubset(of: ["0100007F", "00000000000000000000000001000000"]))
    #expect(listening.contains("0100007F"))
  }

  @Test func `a port that is taken is an error that says what to do`() throws {
    let page = try ServedPage(workshop)
    defer { withExtendedLifetime(page) {} }
    let second = try workshop.jobrun("web", "--port", "\(page.port)")
    #expect(second.status == 73)
    #expect(
      second.errors
        == "jobrun: port \(page.port) is not available: another program uses it, or only root may;"
        + " --port 0 picks a free one\n")
    #expect(try workshop.jobrun("web", "--port", "70000").status == 64)
  }

  @Test func `the first line is the address, and how to reach it from elsewhere`() throws {
    let server = try workshop.start("web", "--port", "0")
    let line = try server.wait(for: "\n").split(separator: "\n")[0]
    let pattern =
      /http:\/\/127\.0\.0\.1:(\d+)\/#[0-9a-f]{32}  \(from another machine after: ssh -L (\d+):127\.0\.0\.1:(\d+) .+\)/
    let match = try #require(line.wholeMatch(of: pattern), "\(line)")
    #expect(match.1 == match.2 && match.2 == match.3)
    server.signal(2)
    #expect(try server.wait().status == 0)
  }

  @Test func `the whole page weighs no more than 80 kB and names nothing elsewhere`() throws {
    let page = try ServedPage(workshop)
    let files = try ["/", "/page.css", "/page.js", "/icon.svg"].map {
      try workshop.sandbox.run("curl", ["-s", page.origin + $0]).output
    }
    #expect(files.reduce(0) { $0 + $1.utf8.count } <= 80_000)
    for file in files {
      #expect(!file.isEmpty)
      let addresses = file.matches(of: /https?:\/\/[^"' )]+/).map { String($0.0) }
      #expect(Set(addresses).isSubset(of: ["http://www.w3.org/2000/svg"]), "\(addresses)")
    }
  }
}
