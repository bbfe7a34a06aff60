import JobRunner
import Testing

/// Where files are on another machine.
struct FilePlaceTests {
  @Test(arguments: [
    ("/home/me/a/b", "/home/me", "a/b", "a/b/x"), ("/home/me", "/home/me/", ".", "x"),
    ("/home/me2/a", "/home/me", "/home/me2/a", "home/me2/a/x"), ("/data", nil, "/data", "data/x"),
    ("/data", "/", "/data", "data/x"),
  ])
  func `what is below home here is below home there, and the rest has the same path`(
    _ folder: String, _ home: String?, _ directory: String, _ path: String
  ) {
    let place = FilePlace(folder, home: home)
    #expect(place.directory == directory)
    #expect(place.place(of: "x") == path)
    #expect(place.target == (directory.hasPrefix("/") ? "/" : ""))
  }

  @Test func `the folder itself can travel`() {
    #expect(FilePlace("/home/me/a", home: "/home/me").place(of: ".") == "a")
    #expect(FilePlace("/home/me", home: "/home/me").place(of: ".") == ".")
  }
}
