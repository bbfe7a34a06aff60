/// The batch systems that `"preset"` names, each with the settings that a person could write.
///
/// Names of parallel environments and resources differ between sites: a setting beside `"preset"` replaces
/// the one here.
extension BatchSystem {
  package static let presets: [(name: String, system: BatchSystem)] = [
    ("gridengine", gridEngine), ("pbs", pbs), ("lsf", lsf), ("flux", flux), ("oar", oar),
  ]

  /// Open Grid Scheduler, Son of Grid Engine, Univa and Altair Grid Engine.
  private static let gridEngine = BatchSystem([
    .submit:
      "qsub -terse -N {name} -S /bin/sh -wd / -j y -o {log} -r n -m n {options} {script}",
    .id: "^([0-9]+)",
    .list: "qstat -u {user}",
    .row: "^ *(?<id>[0-9]+) .* (?<state>[A-Za-z]+) +[0-9]{2}/[0-9]{2}/[0-9]{4} ",
    .waiting: "h?R?(qw|wq|q)",
    .running: "d?h?R?[rtsST]+",
    .show: "qstat -j {id}",
    .gone: "do not exist",
    .cancel: "qdel {id}",
    .queue: "-q {queue}",
    .cpu: "-pe smp {n}",
    .memory: "-l h_vmem={mbPerCPU}M",
    .gpu: "-l gpu={n}",
    .limit: "-l h_rt={seconds}",
  ])

  /// OpenPBS and PBS Professional.
  private static let pbs = BatchSystem([
    .submit:
      "qsub -N {name} -S /bin/sh -j oe -o {log} -r n -m n -l select=1:ncpus={cpu}{memory}{gpu} {options} {script}",
    .id: "^([0-9]+)",
    .list: "qstat -u {user}",
    .row: "^(?<id>[0-9]+)[^ ]* +.* (?<state>[A-Z]) +[^ ]+ *$",
    .waiting: "[QHWTM]",
    .running: "[REBSU]",
    .ended: "[CFX]",
    .cancel: "qdel {id}",
    .queue: "-q {queue}",
    .cpu: "{n}",
    .memory: ":mem={mb}mb",
    .gpu: ":ngpus={n}",
    .limit: "-l walltime={hms}",
  ])

  private static let lsf = BatchSystem([
    .submit: "bsub -J {name} -o {log} -rn {options} /bin/sh {script}",
    .id: "Job <([0-9]+)>",
    // An empty queue is an error of older releases.
    .list:
      "out=$(bjobs -u {user} -noheader -o 'jobid stat' 2>&1) ||"
      + " case $out in *'No unfinished job'*) exit 0;; *) echo \"$out\" >&2; exit 1;; esac;"
      + " echo \"$out\"",
    .row: "^(?<id>[0-9]+) +(?<state>[A-Z]+) *$",
    .waiting: "PEND|PSUSP|WAIT|FWD_PEND",
    .running: "RUN|PROV|USUSP|SSUSP",
    .ended: "DONE|EXIT|ZOMBI",
    .cancel: "bkill {id}",
    .queue: "-q {queue}",
    .cpu: "-n {n} -R 'span[hosts=1]'",
    .memory: "-M {mb}MB -R 'rusage[mem={mb}MB]'",
    .gpu: "-gpu num={n}",
    .limit: "-W {minutes}",
  ])

  private static let flux = BatchSystem([
    .submit:
      "FLUX_F58_FORCE_ASCII=1 flux submit --job-name={name} --output={log} --error={log} --cwd=/"
      + " {options} /bin/sh {script}",
    .id: "^([^ ]+) *$",
    .list: "FLUX_F58_FORCE_ASCII=1 flux jobs -n --format='{id.f58} {status_abbrev}'",
    .row: "^(?<id>[^ ]+) +(?<state>[A-Z]+) *$",
    .waiting: "PD|D|P|S",
    .running: "R|C",
    .ended: "CD|F|CA|TO|I",
    .cancel: "flux cancel {id}",
    .queue: "-q {queue}",
    .cpu: "-c {n}",
    .gpu: "-g {n}",
    .limit: "-t {minutes}m",
  ])

  private static let oar = BatchSystem([
    // A shell on the node splits the command again, so the path is quoted twice.
    .submit:
      "oarsub -n {name} -O {log} -E {log} -d / -l /nodes=1/core={cpu}{limit} {options} \"'\"{script}\"'\"",
    .id: "OAR_JOB_ID=([0-9]+)",
    .list: "oarstat --format 1 -u {user}",
    .row: "^(?<id>[0-9]+) .*[0-9]{2}:[0-9]{2}:[0-9]{2} +(?<state>[A-Za-z]) ",
    .waiting: "[WH]",
    .running: "[LRSF]",
    .ended: "[TE]",
    // `oarstat -j` shows ended jobs, too; that one was deleted is only in its events.
    .show:
      "! oarstat -e -j {id} | grep FRAG_JOB_REQUEST && oarstat --format 1 -j {id}",
    .gone: "FRAG_JOB_REQUEST",
    .cancel: "oardel {id}",
    .queue: "-q {queue}",
    .cpu: "{n}",
    .limit: ",walltime={hms}",
  ])
}
