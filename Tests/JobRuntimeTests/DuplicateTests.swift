import JobCore
import JobRuntime
import Testing

/// The same submission once more is the same job, whenever it comes.
@Suite struct DuplicateTests {
  @Test func `twice in one turn`() throws {
    var stage = try Stage()
    try stage.submit("a")
    try stage.submit("a")
    #expect(
      stage.settle() == [
        "a: accepted 1", "a again: duplicate 1", "#1 1 submitted", "#2 1 launched", "launch 1.1",
      ])
  }

  @Test func `while it lives`() throws {
    var stage = try Stage()
    try stage.submit("a")
    _ = stage.settle()
    try stage.submit("a")
    #expect(stage.settle() == ["a again: duplicate 1"])
  }

  @Test func `on its way while it ends`() throws {
    var stage = try Stage()
    try stage.submit("a")
    _ = stage.settle()
    stage.finish(1)
    try stage.submit("a")
    #expect(stage.settle() == ["a again: duplicate 1", "#3 1 ended"])
  }

  @Test func `on its way for longer than it lived`() throws {
    var stage = try Stage()
    try stage.submit("a")
    _ = stage.settle()
    // It waits for the probe, as in the runner.
    try stage.submit("a")
    let late = stage.runtime.inbox.removeLast()
    stage.finish(1)
    _ = stage.settle()
    stage.runtime.inbox.append(late)
    #expect(stage.settle() == ["a again: duplicate 1"])
  }

  @Test func `asked once more, it replaces nothing`() throws {
    var stage = try Stage()
    try stage.submit("a") { $0.options.ifExists = .replace }
    _ = stage.settle()
    try stage.submit("a") { $0.options.ifExists = .replace }
    #expect(stage.settle() == ["a again: duplicate 1"])
  }

  @Test func `a refused submission leaves nothing behind`() throws {
    var stage = try Stage()
    try stage.submit("a")
    try stage.submit("b") { $0.options.strategy = .fail }
    #expect(stage.settle().contains("b: refused immediateRunIneligible"))
    #expect(stage.runtime.drafts.isEmpty)
  }
}
