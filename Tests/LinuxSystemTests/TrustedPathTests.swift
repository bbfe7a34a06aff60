import Foundation
import Glibc
import LinuxSystem
import TestKit
import Testing

/// Files that another user may have written; as root, the other user is 65534.
@Suite struct TrustedPathTests {
  private let scratch: Sandbox

  init() throws {
    scratch = try Sandbox()
    for folder in ["a", "a/b"] { try File.makeDirectory(scratch.path(folder), permissions: 0o755) }
    try File.writeAtomically([1], to: scratch.path("a/b/file"), permissions: 0o644)
  }

  private func problem(_ name: String) -> String? {
    do throws(TrustedPath.Problem) {
      _ = try TrustedPath.open(scratch.path(name))
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `what is ours all the way is opened, below a sticky folder too`() throws {
    #expect(problem("a/b/file") == nil)
    #expect(problem("a/../a/./b//file") == nil)
    let file = try TrustedPath.open(scratch.path("a/b/file"))
    #expect(try file.readToEnd(limit: 10) == [1])
  }

  @Test(arguments: ["a", "a/b", "a/b/file"], [0o777, 0o772, 0o1777] as [UInt32])
  func `what everybody may write to is not trusted`(_ name: String, _ mode: UInt32) throws {
    try File.setPermissions(mode, scratch.path(name))
    if name != "a/b/file", mode & 0o1000 != 0 {
      // In a sticky folder files of others cannot be replaced, but any user may add one.
      #expect(problem("a/b/file") == nil)
      let folder = scratch.path(name)
      #expect(throws: TrustedPath.Problem.self) { try TrustedPath.check(folder, as: .directory) }
      #expect(throws: TrustedPath.Problem.self) { try TrustedPath.check(folder: folder) }
      return
    }
    #expect(problem("a/b/file") == "\(scratch.path(name)) is writable by everyone")
  }

  @Test func `what is no file is refused and holds nobody up`() throws {
    #expect(unsafe mkfifo(scratch.path("a/fifo"), 0o600) == 0)
    #expect(problem("a/fifo")?.hasSuffix("is not a file") == true)
    #expect(problem("a/b")?.hasSuffix("is not a file") == true)
    #expect(problem("a/nothing")?.contains("No such file") == true)
    let folder = scratch.path("a/b/file")
    #expect(throws: TrustedPath.Problem.self) { try TrustedPath.check(folder, as: .directory) }
  }

  @Test func `a link is followed, and where it leads is judged`() throws {
    try File.link(scratch.path("link"), to: scratch.path("a/b"))
    try File.link(scratch.path("relative"), to: "a/b/file")
    try File.link(scratch.path("loop"), to: "loop")
    #expect(problem("link/file") == nil)
    #expect(problem("relative") == nil)
    #expect(problem("loop")?.contains("too many links") == true)
    try File.setPermissions(0o777, scratch.path("a"))
    #expect(problem("link/file") == "\(scratch.path("a")) is writable by everyone")
    #expect(problem("relative") == "\(scratch.path("a")) is writable by everyone")
  }

  @Test func `what belongs to somebody else is not trusted, be it a file, a folder or a link`()
    throws
  {
    guard geteuid() == 0 else {
      // Without root a file cannot be given to another user: our own files are trusted.
      return #expect(problem("a/b/file") == nil)
    }
    try File.link(scratch.path("link"), to: scratch.path("a/b"))
    #expect(unsafe lchown(scratch.path("link"), 65_534, 65_534) == 0)
    #expect(problem("link/file") == "\(scratch.path("link")) belongs to user 65534")
    for name in ["a/b/file", "a/b", "a"] {
      #expect(unsafe lchown(scratch.path(name), 65_534, 65_534) == 0)
      #expect(problem("a/b/file") == "\(scratch.path(name)) belongs to user 65534")
    }
  }

  @Test func `somebody may be trusted besides, and what he owns others still may not write to`()
    throws
  {
    guard geteuid() == 0 else { return #expect(problem("a/b/file") == nil) }
    let path = scratch.path("a/b/file")
    #expect(unsafe chown(path, 65_534, 65_534) == 0)
    _ = try TrustedPath.open(path, trusting: 65_534)
    #expect(throws: TrustedPath.Problem.self) {
      _ = try TrustedPath.open(path, trusting: 65_533)
    }
    try File.setPermissions(0o666, path)
    #expect(throws: TrustedPath.Problem.self) {
      _ = try TrustedPath.open(path, trusting: 65_534)
    }
  }

  @Test func `a group may write only when it is this user's own`() throws {
    try File.setPermissions(0o775, scratch.path("a"))
    let own = PrivateGroup.isOwn(getegid())
    #expect((problem("a/b/file") == nil) == own)
    guard geteuid() == 0 else { return }
    #expect(unsafe chown(scratch.path("a"), 0, 100) == 0)
    #expect(problem("a/b/file") == "\(scratch.path("a")) is writable by group 100")
  }

  @Test(arguments: [
    ("ann:x:1000:1000::/:", "ann:x:1000:", true), ("ann:x:1000:1000::/:", "ann:x:1000:ann", true),
    ("ann:x:1000:1000::/:", "ann:x:1000:ann,bob", false),
    ("ann:x:1000:1000::/:\nbob:x:1001:1000::/:", "ann:x:1000:", false),
    ("ann:x:1000:1000::/:", "staff:x:1000:", true), ("", "", true),
    ("ann:x:1007:1000::/:", "staff:x:1000:", false), ("bad\n:::\n", "x\n\n::1000", true),
  ])
  func `a group is private that nobody else is in`(
    _ users: String, _ groups: String, _ isPrivate: Bool
  ) {
    let user: UInt32 = users.contains("1007") ? 1007 : 1000
    #expect(
      PrivateGroup.isPrivate(
        1000, of: user, users: Array(users.utf8), groups: Array(groups.utf8)) == isPrivate)
  }
}
