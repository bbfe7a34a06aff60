import JobWire

/// Progress in the terminal's own taskbar entry or tab: OSC 9;4, as ConEmu defined it.
///
/// No terminal can be asked whether it supports the sequence, and a few take `OSC 9` for a notification: it is
/// sent if the environment names a terminal that supports it, or if the person wants it. Inside tmux the
/// environment may be that of another terminal, so there it is sent only on request, in tmux's escape for the
/// outer terminal (`allow-passthrough` of tmux(1)). The window's title is never changed.
struct TaskbarProgress {
  enum Way: Hashable {
    case off, plain, tmux
  }

  private enum State: Hashable {
    case cleared
    /// 0…100.
    case normal(Int)
    case warning(Int)
    case indeterminate
  }

  let way: Way
  private var state = State.cleared

  init(_ way: Way) {
    self.way = way
  }

  /// The output that updates the taskbar; empty without a change.
  mutating func show(_ model: JobViewModel) -> String {
    change(to: Self.state(of: model))
  }

  /// The output that clears the taskbar.
  mutating func clear() -> String {
    change(to: .cleared)
  }

  private mutating func change(to wanted: State) -> String {
    guard way != .off, wanted != state else { return "" }
    state = wanted
    let text = "\u{1B}]9;4;\(Self.parameters(of: wanted))\u{1B}\\"
    guard way == .tmux else { return text }
    return "\u{1B}Ptmux;\(text.escaping(["\u{1B}": "\u{1B}\u{1B}"]))\u{1B}\\"
  }

  private static func state(of model: JobViewModel) -> State {
    let percent = model.job.progress?.fraction.map { Int($0 * 100) }
    switch model.job.state {
    case .running: return percent.map { .normal($0) } ?? .indeterminate
    case .stalled, .paused, .stopping: return .warning(percent ?? 0)
    case .queued, .launching, .ended: return .cleared
    }
  }

  private static func parameters(of state: State) -> String {
    switch state {
    case .cleared: "0;0"
    case .normal(let percent): "1;\(percent)"
    case .indeterminate: "3;0"
    case .warning(let percent): "4;\(percent)"
    }
  }
}

extension TaskbarProgress.Way {
  /// The choice by environment and settings.
  ///
  /// `JOBRUN_TASKBAR` (`on` or `off`) overrides `"taskbar"` in config.json, and that overrides the terminal's
  /// default.
  init(environment: Environment, configured: Bool?) {
    let said: Bool? =
      switch environment["JOBRUN_TASKBAR"] {
      case "on", "1": true
      case "off", "0": false
      default: configured
      }
    let isInside = !(environment["TMUX"] ?? "").isEmpty
    // screen has no envelope that reaches a terminal through all of its versions.
    let isScreen = !(environment["STY"] ?? "").isEmpty
    if said == false || isScreen {
      self = .off
    } else if isInside {
      self = said == true ? .tmux : .off
    } else {
      self = said == true || Self.isKnown(environment) ? .plain : .off
    }
  }

  /// Windows Terminal, ConEmu, Ghostty, WezTerm, iTerm2 from 3.6.6 on (`P` in its list of features),
  /// and terminals made with VTE from 0.79 on.
  private static func isKnown(_ environment: Environment) -> Bool {
    if environment["WT_SESSION"] != nil || environment["ConEmuANSI"] == "ON" { return true }
    switch environment["TERM_PROGRAM"] {
    case "ghostty", "WezTerm": return true
    case "iTerm.app": return (environment["TERM_FEATURES"] ?? "").contains("P")
    default: return environment["VTE_VERSION"].flatMap { Int($0) }.map { $0 >= 7900 } ?? false
    }
  }
}
