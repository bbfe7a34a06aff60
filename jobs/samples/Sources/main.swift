// All sample jobs in one executable, as most of each is the same library: the name that it is called by
// selects the job. An installation has it under the name of each, as one file.

internal import ExportJob
internal import GPUCheckJob
internal import Glibc
internal import JobFiles
internal import MirrorJob
internal import RefreshJob
internal import TransferJob
internal import VacuumJob

private let name = CommandLine.arguments.first?.split(separator: "/").last ?? ""

switch name {
case "export": ExportSample.main()
case "mirror": MirrorSample.main()
case "vacuum": VacuumSample.main()
case "refresh": RefreshSample.main()
case "gpu-check": GPUCheckSample.main()
case "download": DownloadSample.main()
case "upload": UploadSample.main()
default:
  Report.say(
    "This program is called by the name of a sample job: export, mirror, vacuum, refresh, gpu-check, "
      + "download or upload; not \(name)")
  exit(64)
}
