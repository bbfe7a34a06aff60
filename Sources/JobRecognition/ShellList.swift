/// Whether a job's command is a shell list: `sh -c 'pv a > b; ddrescue b c'`.
///
/// The progress of one command is then a part of unknown relative length. A list that prints its own output may
/// show the progress of the whole.
enum ShellList {
  private static let shells: Set<String> = ["ash", "bash", "dash", "ksh", "sh", "zsh"]
  /// Commands that take no noticeable time.
  private static let quick: Set<String> = [
    ".", ":", "[", "[[", "alias", "cd", "chmod", "date", "exit", "export", "false", "kill",
    "ln", "local", "mkdir", "pwd", "read", "rm", "rmdir", "set", "shopt", "source",
    "test", "touch", "trap", "true", "ulimit", "umask", "unset", "wait",
  ]
  /// They stand before a command.
  private static let openings: Set<String> = [
    "!", "(", "{", "do", "elif", "else", "exec", "if", "nice", "nohup", "then", "time",
  ]
  private static let prints: Set<String> = ["cat", "echo", "printf"]
  private static let loops: Set<String> = ["for", "select", "until", "while"]
  private static let closings: Set<String> = ["done", "fi", "}", ")", ""]

  static func isMany(_ command: [String]) -> Bool {
    guard let shell = command.first?.split(separator: "/").last, shells.contains(String(shell)),
      let flag = command.dropFirst().firstIndex(where: { !$0.hasPrefix("-") || $0.hasSuffix("c") }),
      command[flag].hasPrefix("-"), flag + 1 < command.count
    else { return false }
    var count = 0
    guard let commands = commands(command[flag + 1]) else { return false }
    for words in commands {
      var rest = words[...]
      while let word = rest.first, openings.contains(word) || isAssignment(word) {
        rest = rest.dropFirst()
      }
      guard let first = rest.first, !closings.contains(first) else { continue }
      if prints.contains(first), !words.contains(">") { return false }
      // It goes round more than once.
      count += loops.contains(first) ? 2 : quick.contains(first) ? 0 : 1
    }
    return count > 1
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let sign = word.firstIndex(of: "="), sign > word.startIndex else { return false }
    return word[..<sign].utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
  }

  /// The commands of a list in words, each pipeline as one; nil if some run at the same time.
  private static func commands(_ text: String) -> [[String]]? {
    var found: [[String]] = [[]]
    var word: [UInt8] = []
    var quote: UInt8?
    var last: UInt8 = 0
    func end() {
      if !word.isEmpty { found[found.count - 1].append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    let bytes = Array(text.utf8)
    for (place, byte) in bytes.enumerated() {
      defer { last = byte }
      if let open = quote {
        if byte == open { quote = nil } else { word.append(byte) }
        continue
      }
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
      case UInt8(ascii: "&") where last == UInt8(ascii: ">") || next == UInt8(ascii: ">"):
        word.append(byte)
      case UInt8(ascii: "&") where last != UInt8(ascii: "&") && next != UInt8(ascii: "&"):
        return nil
      case UInt8(ascii: "("), UInt8(ascii: ")"):
        end()
        word = [byte]
        end()
      case UInt8(ascii: ";"), UInt8(ascii: "&"), 0x0A:
        end()
        found.append([])
      case UInt8(ascii: "|") where last == UInt8(ascii: "|"):
        end()
        found.append([])
      case 0x20, 0x09: end()
      default: word.append(byte)
      }
    }
    end()
    return found
  }
}
