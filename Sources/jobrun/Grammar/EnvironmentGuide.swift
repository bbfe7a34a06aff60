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
    ("NO_COLOR", "no colours, if not empty"),
    (
      "DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR",
      "the session bus, for desktop notifications: the values of the runner, else those of the newest job"
    ),
  ]

  /// Set for each attempt of a job.
  static let ofJobs: [JSONGuide.Entry] = [
    ("JOBRUN_JOB", "its number"), ("JOBRUN_IDENTIFIER", "its identifier"),
    ("JOBRUN_KIND", "continued, processing, refresh or push"),
    ("JOBRUN_PAGE", "the file to which it reports progress"),
    ("JOBRUN_STATE_DIR", "a folder of its own, kept from attempt to attempt"),
    ("JOBRUN_ATTEMPT", "number of the attempt, from 1"),
    ("JOBRUN_SLOT", "its slot in its group, from 1; no two running jobs have the same"),
    ("JOBRUN_GROUP", "its group; not set without one"),
    (
      "JOBRUN_RESOURCE_NAME",
      "the units, from 1, of --require NAME=2, as in 1,3; no two running jobs have the same"
    ),
    (
      "JOBRUN_CPUS, OMP_NUM_THREADS",
      "the processors of --require cpu=N; the second only if the job has no such variable"
    ),
    ("JOBRUN_TOKEN", "a secret that marks the processes of the attempt"),
    ("JOBRUN_COMMAND", "the program jobrun itself"),
    ("CUDA_VISIBLE_DEVICES", "the GPUs that it was granted"),
    ("JOBRUN_PUSH", "of a push: its data"),
    ("JOBRUN_PUSHES", "of a push: how many were merged into it"),
  ]

  /// The sections on on-end commands, one paragraph each.
  static let ends = [
    """
    A desktop notification appears when a job asks a question that no terminal shows, and when a \
    job that ran for 10 s or more ends unwatched; jobrun runner status says whether that works, \
    and why not. In config.json, "notify": {"after": "30s", "desktop": false, "bell": true} \
    changes that: bell rings the terminal's bell in submit, run and attach for the same events; \
    --bell rings it at every end of that job.
    """,
    """
    --on-end COMMAND, and for all jobs that ran for 10 s or more "onEnd": {"command": "...", \
    "after": "0s", "limit": "1m"} in config.json, are run by sh -c. Each is started once for each \
    end, even if the runner is killed in between; an interrupted command is not started again. \
    When it ends, the processes that it left in the background end, too. Its output goes to the \
    job's log; if it fails, the job gets a warning, which jobrun runner status shows as well.
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
    ("JOBRUN_MESSAGE", "one sentence: its last message, or why it was stopped; may be empty"),
    ("JOBRUN_SECONDS", "how long it ran, in whole seconds"),
    ("JOBRUN_LOG", "the file with its output"),
    ("JOBRUN_ATTEMPT", "how many attempts it made"),
    ("JOBRUN_COMMAND", "the program jobrun itself"),
  ]
}
