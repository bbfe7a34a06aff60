import JobCore
import JobWire
import LinuxSystem

// The settings follow their file: whatever it says is so at once, but for where the state lies.
extension Runner {
  /// Something has happened to the file.
  func settingsChanged() {
    settingsWatch?.take()
    readSettings()
  }

  /// Somebody has changed the file and wants to hear what became of it.
  func reload(asker: Asker) throws(WireError) {
    readSettings()
    if let settingsProblem { throw WireError(.usage, settingsProblem) }
    reportStatus(to: asker)
  }

  /// Reads the file again; a broken one is told, and all stays as it was.
  private func readSettings() {
    do {
      let fresh = try SettingsFile.read(home.places.configurationFile)
      settingsProblem = nil
      guard fresh != configuration else { return }
      if fresh.stateDirectory != configuration.stateDirectory {
        note("stateDir has changed; the runner goes there after jobrun runner restart")
      }
      configuration = fresh
      RunnerLog.write("the settings have changed and were read again")
    } catch {
      let problem = (error as? ManifestError)?.message ?? "\(error)"
      let sentence = "\(problem); the settings of before go on"
      if sentence != settingsProblem { RunnerLog.write(sentence) }
      settingsProblem = sentence
      return
    }
    let count = configuration.slots ?? Runner.usualSlots
    guard count != slots else { return }
    slots = count
    ask(.slots(count))
  }
}

/// `config.json` as the runner reads it.
enum SettingsFile {
  /// The usual settings when there is none.
  static func read(_ path: String) throws -> RunnerConfiguration {
    guard File.exists(path) else { return RunnerConfiguration() }
    let bytes = try File.readAll(path, limit: Limits.manifestBytes)
    return try RunnerConfiguration.parse(bytes, file: path)
  }
}
