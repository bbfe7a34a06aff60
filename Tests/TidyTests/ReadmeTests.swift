import Foundation
import TestKit
import Testing

/// What the README tells people to type, held against what the programs understand.
struct ReadmeTests {
  private let readme: String
  private let sandbox: Sandbox

  init() throws {
    readme = try #require(Repository.text(of: "README.md"))
    sandbox = try Sandbox()
  }

  @Test func `every command shown is explained by the program with all its flags`() throws {
    let commands = shownCommands
    #expect(commands.count > 10)
    for command in commands {
      let words = command.split(separator: " ").map(String.init)
      let help = try sandbox.run("jobrun", ["help", words[1]])
      #expect(help.status == 0, "\(command)\n\(help.errors)")
      for flag in words.prefix(while: { $0 != "--" }) where flag.hasPrefix("--") {
        #expect(help.output.contains(flag), "\(command): \(flag) is not in `help \(words[1])`")
      }
    }
  }

  @Test func `the first screen sets up with exactly two commands`() {
    let firstScreen = readme.split(separator: "\n", omittingEmptySubsequences: false).prefix(30)
    let makes = firstScreen.filter { $0.hasPrefix("make ") }.compactMap {
      $0.split(separator: " ").dropFirst().first
    }
    #expect(makes == ["demo", "test"])
  }

  /// Lines of code blocks that begin with `jobrun`, as a shell or a person would run them.
  private var shownCommands: [String] {
    var isCode = false
    var commands: [String] = []
    for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() }
      let command = line.drop { $0 == " " }
      if isCode && command.hasPrefix("jobrun ") { commands.append(String(command)) }
    }
    return commands
  }
}
