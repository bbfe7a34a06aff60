import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Removal of a job's folder while the runner does other work.
@Suite struct DiscardTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }

  init() throws {
    workshop = try Workshop()
    try workshop.define(
      "messy",
      """
      cd "$JOBRUN_STATE_DIR" && ls
      for folder in a a/b c; do
        mkdir $folder && (cd $folder && seq 400 | xargs touch && ln -s /etc link)
      done
      exit 3
      """)
    #expect(try workshop.jobrun("submit", "messy").status == 3)
  }

  @Test func `a forgotten job's folder goes, links in it are not followed`() throws {
    #expect(try workshop.jobrun("forget", "1").status == 0)
    try WaitFor.change(at: "\(state)/discarded/x", awaited: "an empty folder", within: .seconds(30))
    {
      (try? FileManager.default.contentsOfDirectory(atPath: state + "/discarded"))?.isEmpty == true
        ? true : nil
    }
    #expect(!FileManager.default.fileExists(atPath: state + "/state/1"))
    #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
  }

  @Test func `a job that put a link in place of its folder loses the link only`() throws {
    let elsewhere = try workshop.sandbox.write("kept", to: "elsewhere/file")
    try workshop.define(
      "sly", "rmdir \"$JOBRUN_STATE_DIR\" && ln -s \"${1%/file}\" \"$JOBRUN_STATE_DIR\"\nexit 3")
    #expect(try workshop.jobrun("submit", "sly", "--", elsewhere).status == 3)
    #expect(try workshop.jobrun("forget", "2").status == 0)
    try WaitFor.noFile(state + "/state/2")
    #expect(try String(contentsOfFile: elsewhere, encoding: .utf8) == "kept")
  }

  @Test func `a folder nested deeper than any path goes, too`() throws {
    try workshop.define(
      "deep",
      """
      cd "$JOBRUN_STATE_DIR"
      name=$(printf '%0200d' 0)
      for level in $(seq 50); do mkdir $name && cd -P $name; done
      touch file && exit 3
      """)
    #expect(try workshop.jobrun("submit", "deep").status == 3)
    #expect(try workshop.jobrun("log", "2").output == "")
    #expect(try workshop.jobrun("forget", "2").status == 0)
    try WaitFor.change(at: "\(state)/discarded/x", awaited: "an empty folder", within: .seconds(30))
    {
      (try? FileManager.default.contentsOfDirectory(atPath: state + "/discarded"))?.isEmpty == true
        ? true : nil
    }
  }

  @Test func `a redone job finds its folder empty at once`() throws {
    #expect(try workshop.jobrun("redo", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 3)
    #expect(try workshop.jobrun("log", "1").output.isEmpty)
  }

  @Test func `the next runner goes on with a removal`() throws {
    try workshop.killRunner()
    try FileManager.default.createDirectory(
      atPath: state + "/discarded", withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: state + "/state/1", toPath: state + "/discarded/dead")
    #expect(try workshop.jobrun("list").status == 0)
    try WaitFor.noFile(state + "/discarded/dead")
  }
}
