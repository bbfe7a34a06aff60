import JobClient
import JobWire
import LinuxSystem

/// The manual: a page for each topic, in Markdown, installed beside the sample definitions.
struct Manual {
  /// The name of a page, which must not be that of a verb.
  enum Topic: String, CaseIterable, Sendable {
    case running, writing, many, groups, questions, gpus, machines, schedules, transfers, browser
    case files, scripting, others, limits

    /// Other names of the page.
    var synonyms: [String] {
      switch self {
      case .running: ["commands"]
      case .writing: ["swift", "definitions"]
      case .many: ["parallel"]
      case .groups: ["order", "priority", "priorities", "queue"]
      case .questions: ["expiry", "stalls"]
      case .gpus: ["gpu", "cuda"]
      case .machines: ["slurm", "ssh", "cluster"]
      case .schedules: ["pushes", "cron"]
      case .transfers: []
      case .browser: ["reports"]
      case .files: ["environment", "config", "configuration"]
      case .scripting: ["json", "exit-codes", "api"]
      case .others:
        [
          "pueue", "task-spooler", "tsp", "nq", "xargs", "gnu-parallel", "hyperqueue", "hq",
          "gflow",
        ]
      case .limits: ["figures", "benchmarks"]
      }
    }
  }

  /// Where the pages lie.
  let folder: String

  /// Larger than any page.
  private static let pageBytes = 256 * 1024

  static func topic(called name: String) -> Topic? {
    Topic(rawValue: name) ?? Topic.allCases.first { $0.synonyms.contains(name) }
  }

  /// The page as it was written.
  func source(of topic: Topic) throws(WireError) -> String {
    let path = "\(folder)/\(topic.rawValue).md"
    do throws(SystemError) {
      return String(decoding: try File.readAll(path, limit: Self.pageBytes), as: UTF8.self)
    } catch {
      throw WireError(
        .unavailable,
        "the page \(topic.rawValue) of the manual cannot be read: \(error); make install puts the pages"
          + " in place")
    }
  }

  /// The topics with their titles, of the pages that are there.
  var titles: [(name: String, title: String)] {
    Topic.allCases.map { topic in
      let text = (try? source(of: topic)) ?? ""
      let first = text.prefix { $0 != "\n" }
      return (topic.rawValue, String(first.drop { $0 == "#" || $0 == " " }))
    }
  }

  /// The text of `jobrun help topics`.
  var overview: String {
    (Help.table(titles.map { ($0.name, $0.title) }) + [
      "", "jobrun help TOPIC and man jobrun-TOPIC show the page.",
    ])
    .joined(separator: "\n") + "\n"
  }
}
