import JobCore
import JobWire
import Testing

@testable import jobrun

/// Progress in the terminal's taskbar: when, and byte for byte.
struct TaskbarTests {
  @Test(
    arguments: [
      ([:], nil, TaskbarProgress.Way.off),
      (["WT_SESSION": "x"], nil, .plain), (["TERM_PROGRAM": "ghostty"], nil, .plain),
      (["VTE_VERSION": "7900"], nil, .plain), (["VTE_VERSION": "7006"], nil, .off),
      (["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": "T3LrMSc7"], nil, .off),
      (["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": "T3P"], nil, .plain),
      (["WT_SESSION": "x", "TMUX": "/tmp/t,1,0"], nil, .off),
      (["WT_SESSION": "x", "TMUX": "/tmp/t,1,0", "JOBRUN_TASKBAR": "on"], nil, .tmux),
      (["STY": "1.pts", "JOBRUN_TASKBAR": "on"], nil, .off),
      (["WT_SESSION": "x", "JOBRUN_TASKBAR": "off"], true, .off),
      (["WT_SESSION": "x"], false, .off), ([:], true, .plain),
    ] as [([String: String], Bool?, TaskbarProgress.Way)])
  func `it is sent`(
    environment: [String: String], configured: Bool?, way: TaskbarProgress.Way
  ) {
    #expect(
      TaskbarProgress.Way(environment: Environment(environment), configured: configured) == way)
  }

  @Test func `each change is sent once, and nothing is left at the end`() {
    var taskbar = TaskbarProgress(.plain)
    var model = Sample.export()
    #expect(taskbar.show(model) == "\u{1B}]9;4;1;43\u{1B}\\")
    #expect(taskbar.show(model) == "")
    model.job.state = .stalled
    #expect(taskbar.show(model) == "\u{1B}]9;4;4;43\u{1B}\\")
    model.job.state = .running
    model.job.progress = nil
    #expect(taskbar.show(model) == "\u{1B}]9;4;3;0\u{1B}\\")
    #expect(taskbar.clear() == "\u{1B}]9;4;0;0\u{1B}\\")
    #expect(taskbar.clear() == "")
  }

  @Test func `tmux gets it in an envelope, and off sends nothing`() {
    var taskbar = TaskbarProgress(.tmux)
    #expect(
      taskbar.show(Sample.export())
        == "\u{1B}Ptmux;\u{1B}\u{1B}]9;4;1;43\u{1B}\u{1B}\\\u{1B}\\")
    var off = TaskbarProgress(.off)
    #expect(off.show(Sample.export()) == "" && off.clear() == "")
  }
}
