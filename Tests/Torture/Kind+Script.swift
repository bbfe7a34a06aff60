extension Kind {
  /// The worker's script: `$1` is a number of seconds, `$2` the exit code of `code`.
  ///
  /// Each writes a line into the ledger of its job as its first and as its last action; `>>` opens with
  /// O_APPEND, and each line is one write.
  var script: String {
    """
    #!/bin/sh
    tell() { echo "$1 $JOBRUN_JOB $JOBRUN_ATTEMPT $$" >> "$LEDGER/$JOBRUN_JOB"; }
    # page OFFSET BYTES: writes into the page as any language could.
    page() { printf "$2" | dd of="$JOBRUN_PAGE" bs=8 seek=$(($1 / 8)) conv=notrunc 2>&3; }
    exec 3> /dev/null
    tell start
    \(acts)

    """
  }

  private var acts: String {
    switch self {
    case .short: "tell end"
    case .code, .plain: "sleep $1; tell end; exit $2"
    case .long, .resumable: "sleep $1; tell end"
    case .forking: Self.leavingChildren
    case .silent, .cancelled: "sleep 1000"
    case .stalled: Self.reporting
    case .progress: Self.advancing
    case .paged: Self.writing
    case .declared: #"page 1088 '\002\0\0\0\0\0\0\0'; tell end; exit 0"#
    case .gpu: Self.holding("$CUDA_VISIBLE_DEVICES")
    case .licensed: Self.holding("licence-$JOBRUN_RESOURCE_licence")
    case .retried: Self.secondTime("exit 9")
    case .deferred: Self.secondTime(#"page 1088 '\003\0\0\0\001\0\0\0'; exit 0"#)
    case .crashed: "kill -SEGV $$"
    case .calling: Self.callingBack
    case .freezing: "kill -STOP $PPID; sleep 1000"
    }
  }

  private static let leavingChildren = """
    sleep 1000 &
    setsid sh -c 'trap "" TERM; sleep 1000; sleep 1000' &
    sh -c 'setsid sleep 1000 & exit'
    tell end
    exit 3
    """

  /// Its own submission is identified by its title.
  private static let callingBack = """
    "$JOBRUN_COMMAND" list > /dev/null
    "$JOBRUN_COMMAND" run --detach --title "inner-$JOBRUN_JOB" -- true
    if [ $(($JOBRUN_JOB % 2)) = 0 ]; then "$JOBRUN_COMMAND" runner restart; fi
    sleep $1
    tell end
    exit 0
    """

  /// A job that never reported does not stall, so its first report is tried until it is made.
  private static let reporting = """
    until "$JOBRUN_COMMAND" progress --total 10 --completed 3; do sleep 0.1; done
    while :; do "$JOBRUN_COMMAND" progress; sleep 0.4; done
    """

  private static let advancing = """
    "$JOBRUN_COMMAND" progress --total 3
    for step in 1 2 3; do sleep $1; "$JOBRUN_COMMAND" progress --advance 1; done
    tell end
    """

  private static let writing = #"""
    page 72 '\005\0\0\0\0\0\0\0'
    for step in 1 2 3 4 5; do sleep $1; page 64 "\\00$step\\0\\0\\0\\0\\0\\0\\0"; done
    tell end
    """#

  /// The lock on its file shows whether two jobs ever have the same GPU, or unit.
  private static func holding(_ name: String) -> String {
    """
    exec 4> "$LEDGER/lock.\(name)"
    flock -n 4 || echo "$JOBRUN_JOB \(name)" >> "$LEDGER/overlap"
    sleep $1
    tell end
    """
  }

  /// The job's own folder remembers across attempts that there was a first one.
  private static func secondTime(_ first: String) -> String {
    """
    if mkdir "$JOBRUN_STATE_DIR/tried" 2>&3; then sleep $1; tell end; \(first); fi
    sleep $1
    tell end
    """
  }
}
