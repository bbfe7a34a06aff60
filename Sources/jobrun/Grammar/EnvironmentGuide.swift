/// Files and environment variables, for the man page and the manual.
enum EnvironmentGuide {
  static let files: [JSONGuide.Entry] = [
    ("~/.local/state/jobrun", "history, logs and state of jobs; XDG_STATE_HOME moves it"),
    ("~/.config/jobrun/config.json", "settings; XDG_CONFIG_HOME moves it"),
    (
      "$XDG_RUNTIME_DIR/jobrun",
      "socket and progress pages, in a folder for each store; without that variable in"
        + " /dev/shm/jobrun-UID, in $TMPDIR, or with the state"
    ),
  ]

  /// Read by the command and the runner.
  static let ours: [JSONGuide.Entry] = [
    ("JOBRUN_HOME", "one folder for state, settings and socket, for tests and sandboxes"),
    ("JOBRUN_JOBS", "folders of bundles, separated by colons"),
    ("NO_COLOR", "when not empty: no colours"),
    (
      "DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR",
      "where the session bus is, for notifications on the desktop: as the runner has them, else as the"
        + " newest job has them"
    ),
  ]

  /// Set for each attempt of a job.
  static let ofJobs: [JSONGuide.Entry] = [
    ("JOBRUN_JOB", "its number"), ("JOBRUN_IDENTIFIER", "its identifier"),
    ("JOBRUN_KIND", "continued, processing, refresh or push"),
    ("JOBRUN_PAGE", "the file to which it reports progress"),
    ("JOBRUN_STATE_DIR", "a folder of its own that lasts from attempt to attempt"),
    ("JOBRUN_ATTEMPT", "which attempt this is, from 1"),
    ("JOBRUN_SLOT", "its slot among those of its group, from 1: no two that run have the same"),
    ("JOBRUN_GROUP", "its group; not set without one"),
    ("JOBRUN_TOKEN", "a secret by which the runner finds the processes of the attempt"),
    ("JOBRUN_COMMAND", "the program jobrun itself"),
    ("CUDA_VISIBLE_DEVICES", "the GPUs that it was granted"),
    ("JOBRUN_PUSH", "of a push: its data"),
    ("JOBRUN_PUSHES", "of a push: how many it stands for"),
  ]

  /// The sections on on-end commands, one paragraph each.
  static let ends = [
    """
    Notifications appear on the desktop when a job asks a question that no terminal shows, and when a \
    job that ran for 10 s or more ends unwatched; jobrun runner status says whether that works, and why \
    not. In config.json, "notify": {"after": "30s", "desktop": false, "bell": true} changes that: bell \
    rings the terminal's bell in submit, run and attach for the same events; --bell rings it at every \
    end of that job.
    """,
    """
    --on-end COMMAND, and for all jobs that ran for 10 s or more "onEnd": {"command": "...", "after": \
    "0s", "limit": "1m"} in config.json, are run by sh -c. Each is started once for each end, even if \
    the runner is killed in between; a command that is cut short is not started again. When it ends, \
    processes that it left in the background end, too. Its output goes to the job's log; if it fails, \
    the job gets a warning, which jobrun runner status shows as well.
    """,
  ]

  /// Set for the command that follows the end of a job.
  static let ofEndCommands: [JSONGuide.Entry] = [
    ("JOBRUN_JOB", "its number"), ("JOBRUN_IDENTIFIER", "its identifier"),
    ("JOBRUN_TITLE", "its title"),
    ("JOBRUN_OUTCOME", "succeeded, failed, cancelled, expired, interrupted or refused"),
    ("JOBRUN_EXIT_CODE", "the exit code, if it exited; else empty"),
    ("JOBRUN_SIGNAL", "the number of the signal that ended it; else empty"),
    ("JOBRUN_STOP_REASON", "why it was stopped, such as user, silent or limit; else empty"),
    ("JOBRUN_MESSAGE", "one sentence: its last words, or why it was stopped; may be empty"),
    ("JOBRUN_SECONDS", "how long it ran, in whole seconds"),
    ("JOBRUN_LOG", "the file with its output"),
    ("JOBRUN_ATTEMPT", "how many attempts it made"),
    ("JOBRUN_COMMAND", "the program jobrun itself"),
  ]
}
