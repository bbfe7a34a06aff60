internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem

/// The definitions that subscribe to addresses, and how they get their pushes.
struct PushSources {
  /// By address.
  let definitions: [String: [Definition]]
  private let link: RunnerLink
  private let installation: Installation
  private let environment: Environment

  /// Reads the registered bundles, those in the settings, and those of the installation, but none of a
  /// current folder.
  init() throws(WireError) {
    let surroundings = Surroundings()
    let paths = try surroundings.paths()
    environment = surroundings.environment
    let own = try Surroundings.executable()
    installation = Installation(program: environment["JOBRUN_COMMAND"] ?? own)
    let search = BundleSearch(
      flag: nil, environment: environment, directory: "/",
      registered: Registry(paths: paths).content(),
      configured: try surroundings.configuration(paths).bundles, installation: installation)
    var found: [String: [Definition]] = [:]
    for definition in search.readAll().bundles.flatMap({ $0.definitions }) {
      guard let address = definition.manifest.subscription else { continue }
      found[address, default: []].append(definition)
    }
    definitions = found
    link = RunnerLink(paths: paths, program: installation.runner)
  }

  /// Starts the subscribers of the address; the runner itself reports what it refuses.
  func tell(_ address: String, _ data: [UInt8]) {
    for definition in definitions[address] ?? [] {
      do throws(WireError) {
        _ = try Push(definition, data: data)
          .send(on: link, installation: installation, environment: environment)
      } catch {
        continue
      }
    }
  }
}
