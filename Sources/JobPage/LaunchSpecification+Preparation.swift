// Commands around the submitted one.
extension LaunchSpecification {
  /// A shell runs `before` and becomes the job if that succeeds; what it sets is the job's environment.
  ///
  /// A failure ends the attempt with its status, and says so in the log.
  package mutating func prepare(with before: String?) {
    guard let before else { return }
    arguments =
      ["/bin/sh", "-c", Self.choice, "sh", Self.script, before].map { Array($0.utf8) } + arguments
  }

  package mutating func wrap(in command: [String]) {
    if !command.isEmpty { arguments = command.map { Array($0.utf8) } + arguments }
  }

  /// Such commands are often written for bash.
  private static let choice =
    "s=$1; shift; exec \"$(command -v bash || echo sh)\" -c \"$s\" before \"$@\""

  /// Environment modules are functions of a shell, which only login shells define.
  private static let script = """
    jobrun_before=$1; shift
    jobrun_failed() {
      jobrun_code=$?
      [ $jobrun_code != 0 ] || jobrun_code=1
      echo "jobrun: error: the job did not begin, as the command before it failed ($jobrun_code):\\
     $jobrun_before" >&2
      exit $jobrun_code
    }
    trap jobrun_failed EXIT
    command -v module >/dev/null 2>&1 ||
      for jobrun_file in /etc/profile.d/modules.sh /etc/profile.d/z00_lmod.sh /etc/profile.d/lmod.sh; do
        [ ! -r $jobrun_file ] || { . $jobrun_file; break; }
      done
    eval "$jobrun_before" || exit
    trap - EXIT
    exec "$@"
    """
}
