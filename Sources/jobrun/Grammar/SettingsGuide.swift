import JobWire

/// The keys of `config.json`, for the man page.
enum SettingsGuide {
  static let introduction = """
    config.json contains one JSON object; comments are allowed. The runner reads it again when it \
    changes. The next command reports an error in it, and so does jobrun runner status; the \
    previous settings stay in effect.
    """

  static let entries: [JSONGuide.Entry] = SettingsKey.all.map { ($0.name, $0.meaning) }
}
