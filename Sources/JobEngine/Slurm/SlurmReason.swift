internal import JobCore
internal import JobWire

// Why a job waits, from Slurm's word for it: about 190 words, covered by patterns.
extension QueueReason {
  package init(slurm word: String) {
    if Self.never.contains(word)
      || ["NotAllowed", "PerJob", "MinCpus", "MinNodes"].contains(where: word.holds)
    {
      self.init(.never, "it can never start there (\(word))")
    } else if word == "JobHeldUser" {
      self.init(.waits(.held), "it is on hold there (scontrol release releases it)")
    } else if word == "JobHeldAdmin" || word == "JobHoldMaxRequeue" || word.holds("requeued held") {
      self.init(.waits(.held), "an administrator has put it on hold there")
    } else if word == "BeginTime" {
      self.init(.waits(.engine), "its time there has not come")
    } else if ["Grp", "PerUser", "PerAccount", "JobsLimit", "Submit"].contains(where: word.holds) {
      self.init(.waits(.engine), "the limit of your account is reached (\(word))")
    } else if Self.busy.contains(word) {
      self.init(.waits(.engine), "other jobs are ahead")
    } else {
      self.init(.waits(.engine), word)
    }
  }

  /// Without `EnforcePartLimits` Slurm accepts impossible requests and lets them wait.
  private static let never = [
    "PartitionConfig", "PartitionTimeLimit", "PartitionNodeLimit", "BadConstraints",
    "InvalidAccount", "InvalidQOS", "MaxMemPerLimit", "DependencyNeverSatisfied", "DeadLine",
  ]
  private static let busy = ["None", "Priority", "Resources", "Prolog", "Cleaning", "SchedDefer"]
}
