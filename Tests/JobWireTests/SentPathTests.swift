import JobWire
import Testing

/// The paths of `--send` and `--fetch`.
struct SentPathTests {
  @Test(arguments: [
    ("data", "data"), ("./data/", "data"), ("data/./in//a b", "data/in/a b"), (".", "."),
    ("/home/me/project/data", "data"), ("/home/me/project/", "."), ("a:b", "a:b"),
  ])
  func `what is below the folder is relative to it`(_ text: String, _ path: String) {
    #expect(SentPath.relative(text, to: "/home/me/project") == path)
  }

  @Test(arguments: ["", "..", "data/../../x", "/home/me", "/home/me/project2", "/"])
  func `anything else does not travel`(_ text: String) {
    #expect(SentPath.relative(text, to: "/home/me/project") == nil)
  }

  @Test(arguments: ["/etc/passwd", "../x", "a//b", "./a", ""])
  func `a request with another path is refused`(_ path: String) {
    var request = Samples.submission
    request.details.send = [path]
    #expect(throws: WireError.self) { try request.submission() }
  }
}
