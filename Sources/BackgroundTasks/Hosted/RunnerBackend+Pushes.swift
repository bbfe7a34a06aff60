internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem

extension RunnerBackend {
  /// Registers the folder of this program's bundle, as `jobrun register` does.
  func registerForPushes() throws(BGTaskScheduler.Error) -> String {
    do throws(WireError) {
      let bundle = try bundle()
      let environment = JobWire.Environment(environment)
      for definition in try pushDefinitions(of: bundle) {
        let own = try Surroundings.executable()
        let installation = try? Installation.near(own, environment: environment)
        _ = try CommandSearch.executable(
          of: definition, installation: installation ?? Installation(program: own),
          environment: environment)
      }
      let folder = (try? File.resolved(bundle.folder)) ?? bundle.folder
      let paths = try Surroundings(environment: environment).paths()
      _ = try Registry(paths: paths).add(folder)
      return bundle.manifest.identifier.text
    } catch {
      throw BGTaskScheduler.Error(error)
    }
  }

  /// At least one.
  private func pushDefinitions(of bundle: HostBundle) throws(WireError) -> [Definition] {
    var problems: [BundleError] = []
    let all: [Definition]
    do throws(BundleError) {
      all = try BundleSearch.bundle(in: bundle.folder, trust: .checked, problems: &problems)
        .definitions
    } catch {
      throw WireError(.notPermitted, error.message)
    }
    let definitions = all.filter { $0.manifest.options.kind == .push }
    guard definitions.isEmpty else { return definitions }
    if let problem = problems.first { throw WireError(.notPermitted, problem.message) }
    throw WireError(
      .notPermitted,
      "no push can start this program: add \"\(AppManifest.pushMode)\" to the UIBackgroundModes of"
        + " \(bundle.folder)/\(AppManifest.fileName)")
  }
}
