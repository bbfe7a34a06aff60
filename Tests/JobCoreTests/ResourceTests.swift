import JobCore
import Testing

@Suite struct ResourceTests {
  @Test func `what this machine can never give is refused with the reason`() {
    Scenario.play(
      """
      0s machine memory=16G/16G         |
         submit a gpu                   | refused unavailable
         said                           | the job needs a GPU, and this machine has none: no driver is loaded
         submit b memory=17G            | refused unavailable
         said                           | the job needs 17.0 GiB of memory, and this machine has 16.0 GiB altogether
         submit c cpus=3                | refused unavailable
         said                           | the job needs 3 processors, and this machine has 2
         submit d disk=101G             | refused unavailable
         said                           | the job needs 101.0 GiB of disk space, and this machine has 100.0 GiB altogether
         machine gpus=1                 |
         submit e gpu=2                 | refused unavailable
         said                           | the job needs 2 GPUs, and this machine has only one: NVML answered
         submit f gpu gpumem=90G        | refused unavailable
         said                           | the job needs a GPU with 90.0 GiB of memory; the largest of this machine has 80.0 GiB
         submit g cpus=2 memory=16G     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
      """)
  }

  @Test func `a driver that does not answer refuses submissions, and no job that waits`() {
    Scenario.play(
      """
      slots 4
      0s machine gpus=1  |
         submit a gpu    | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
         submit b gpu    | 2 submitted gpu, accepted 2
         machine mute    |
         why 2           | the GPUs are not known: no answer
         submit c gpu    | refused unavailable
         said            | the job needs a GPU, and this machine has none: no answer
         machine gpus=1  |
         why 2           | GPU 0 (H200) is held by job 1
         machine mute    |
         machine         | 2 ended refused requirementLost
      """)
  }

  @Test func `two jobs get two GPUs and the third waits, saying who has them`() {
    Scenario.play(
      """
      slots 4
      0s machine gpus=2   |
         submit a gpu     | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
         submit b gpu     | 2 submitted slots, 2 launched, accepted 2, launch 2.1 on 1
         submit c gpu     | 3 submitted gpu, accepted 3
         why 3            | GPU 0 (H200) is held by job 1, GPU 1 (H200) is held by job 2
         next             | none
         submit d         | 4 submitted slots, 4 launched, accepted 4, launch 4.1
         show 1           | launching on 0
      2s finished 2       | 2 ended succeeded, 3 launched, launch 3.1 on 1
      """)
  }

  @Test func `the reason names the GPUs also when the slots are taken too`() {
    Scenario.play(
      """
      slots 2
      0s machine gpus=2   |
         submit a gpu=2   | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0+1
         submit b         | 2 submitted slots, 2 launched, accepted 2, launch 2.1
         submit c gpu     | 3 submitted gpu, accepted 3
         submit d         | 4 submitted slots, accepted 4
         finished 1       | 1 ended succeeded, 3 launched, launch 3.1 on 0
         show 4           | queued slots #1
      """)
  }

  @Test func `a job that lacks memory says so also when the slots are taken`() {
    Scenario.play(
      """
      slots 1
      0s machine memory=16G/4G    |
         submit a                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b memory=8G       | 2 submitted memory, accepted 2
         why 2                    | 8.0 GiB of memory is needed, and 4.0 GiB are free
         submit c memory=2G       | 3 submitted slots, accepted 3
         submit d                 | 4 submitted slots, accepted 4
         next                     | 5s
      5s deadline                 | probe
      6s machine memory=16G/12G   | 2 queued slots
         next                     | none
         why 2                    | the only slot is taken by job 1
      """)
  }

  @Test func `a GPU with somebody else's process is not granted, and is looked at again`() {
    Scenario.play(
      """
      0s machine gpus=1 foreign=0  |
         submit a gpu              | 1 submitted gpu, accepted 1
         why 1                     | GPU 0 (H200) is used by another process
         next                      | 5s
      5s deadline                  | probe
         next                      | 10s
      6s machine gpus=1            | 1 launched, launch 1.1 on 0
         next                      | none
      """)
  }

  @Test func `a GPU with too little free memory is not granted`() {
    Scenario.play(
      """
      0s machine gpus=2 vram=80G/10G  |
         submit a gpu gpumem=20G      | 1 submitted gpu, accepted 1
         why 1                        | GPU 0 (H200) has 10.0 GiB of memory free, and 20.0 GiB are needed, GPU 1 (H200) has 10.0 GiB of memory free, and 20.0 GiB are needed
         submit b gpu gpumem=5G       | 2 submitted gpu, accepted 2
         why 2                        | job 1 is ahead and also waits for a GPU
      """)
  }

  @Test func `a GPU that was measured while leased is looked at again before the next job has it`()
  {
    Scenario.play(
      """
      0s machine gpus=1            |
         submit a gpu              | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
         machine gpus=1 foreign=0  |
         submit b gpu              | 2 submitted gpu, accepted 2
      1s finished 1                | 1 ended succeeded, probe
         why 2                     | GPU 0 (H200) was just given back and is being checked
         machine gpus=1            | 2 launched, launch 2.1 on 0
      """)
  }

  @Test func `a job that is tried again after a GPU has gone is looked after until that is back`() {
    Scenario.play(
      """
      0s machine gpus=2            |
         submit a gpu=2 retries=1  | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0+1
         started 1                 | 1 started
         machine gpus=1            |
      1s finished 1 exit=1         | 1 queued retry
         next                      | 2s
      2s deadline                  | 1 queued gpu, probe
      3s machine gpus=1            |
         next                      | 8s
      8s deadline                  | probe
         machine gpus=2            | 1 launched, launch 1.2 on 0+1
      """)
  }

  @Test func `who waits for a resource holds back who needs it too, and nobody else`() {
    Scenario.play(
      """
      slots 3
      0s machine gpus=2 offline   |
         submit a gpu             | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
         submit b gpu=2           | 2 submitted gpu, accepted 2
         submit c gpu             | 3 submitted gpu, accepted 3
         why 3                    | job 2 is ahead and also waits for a GPU
         submit d network         | 4 submitted network, accepted 4
         why 4                    | there is no network: no default route
         submit e                 | 5 submitted slots, 5 launched, accepted 5, launch 5.1
         queue                    | 2 3 4
      1s machine gpus=2           | 4 launched, launch 4.1
      """)
  }

  @Test func `nobody overtakes on one shared resource, whatever else the two need`() {
    Scenario.play(
      """
      slots 4
      0s machine gpus=2           |
         submit a gpu             | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
         submit b gpu=2           | 2 submitted gpu, accepted 2
         submit c gpu network     | 3 submitted gpu, accepted 3
         why 3                    | job 2 is ahead and also waits for a GPU
         submit d gpu fail        | refused immediateRunIneligible
         submit e network         | 4 submitted slots, 4 launched, accepted 4, launch 4.1
         finished 1               | 1 ended succeeded, 2 launched, launch 2.1 on 0+1
         finished 2               | 2 ended succeeded, 3 launched, launch 3.1 on 0
      """)
  }

  @Test func `nobody overtakes on memory either when GPUs are lacking by then, too`() {
    Scenario.play(
      """
      slots 4
      0s machine gpus=2 memory=16G/16G |
         submit a memory=10G           | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b gpu=2 memory=7G      | 2 submitted memory, accepted 2
         submit c gpu                  | 3 submitted slots, 3 launched, 2 queued gpu, accepted 3, launch 3.1 on 0
         submit d memory=1G            | 4 submitted memory, accepted 4
         why 4                         | job 2 is ahead and also waits for memory
      """)
  }

  @Test func `conditions come and go, and a job for now does not wait for them`() {
    Scenario.play(
      """
      0s  machine offline battery  |
          submit a power           | 1 submitted power, accepted 1
          why 1                    | there is no external power: the battery discharges
          submit b network fail    | refused immediateRunIneligible
          said                     | there is no network: no default route; submit with --strategy queue to wait
      7s  deadline                 | probe
          machine                  | 1 launched, launch 1.1
          next                     | none
      """)
  }

  @Test func `old facts start nobody who waited, but a job for now is judged by them`() {
    Scenario.play(
      """
      0s   machine                 |
      60s  submit a network        | 1 submitted network, accepted 1, probe
           why 1                   | the machine is being checked
           machine offline         |
           cancel 1                | 1 ended cancelled user, done 1
      120s machine                 |
      180s submit b network fail   | 2 submitted slots, 2 launched, accepted 2, launch 2.1
      """)
  }

  @Test func `before the first probe everything is busy, and a probe is asked for`() {
    Scenario.play(
      """
      0s submit a gpu     | 1 submitted gpu, accepted 1, probe
         submit b fail gpu | refused immediateRunIneligible
         next             | 5s
      1s machine          | 1 ended refused requirementLost
         said             | the job needs a GPU, and this machine has none: no driver is loaded
         next             | none
      """)
  }

  @Test func `memory is reserved for running jobs, measured or not`() {
    Scenario.play(
      """
      slots 4
      0s machine memory=16G/16G   |
         submit a memory=10G      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b memory=7G       | 2 submitted memory, accepted 2
         why 2                    | 7.0 GiB of memory is needed, and running jobs reserved 10.0 GiB of 16.0 GiB
         submit c memory=1G       | 3 submitted memory, accepted 3
         why 3                    | job 2 is ahead and also waits for memory
         machine memory=16G/5G    |
         finished 1               | 1 ended succeeded
         why 2                    | 7.0 GiB of memory is needed, and 5.0 GiB are free
         machine memory=16G/9G    | 2 launched, 3 launched, launch 2.1, launch 3.1
      """)
  }

  @Test func `a slot is kept for who only waits for the machine to be looked at`() {
    Scenario.play(
      """
      slots 1
      0s   machine                  |
           submit a                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b network         | 2 submitted slots, accepted 2
           submit c                 | 3 submitted slots, accepted 3
      60s  finished 1               | 1 ended succeeded, 2 queued network, probe
           why 3                    | the next slot is kept for job 2 while the machine is being checked
           submit d fail            | refused immediateRunIneligible
      61s  machine                  | 2 launched, launch 2.1
           why 3                    | the only slot is taken by job 2
      """)
  }

  @Test func `a probe that does not answer in time keeps no slot`() {
    Scenario.play(
      """
      slots 1
      0s   submit a network         | 1 submitted network, accepted 1, probe
           submit b                 | 2 submitted slots, accepted 2
           next                     | 5s
      5s   deadline                 | 2 launched, 1 queued slots, probe, launch 2.1
      9s   finished 2               | 2 ended succeeded, 1 queued network
           submit c                 | 3 submitted slots, 3 launched, 1 queued slots, accepted 3,
                                | launch 3.1
      """)
  }

  @Test func `two jobs do not get the same free memory or disk between two probes`() {
    Scenario.play(
      """
      slots 4
      0s machine memory=16G/6G disk=100G/6G  |
         submit a memory=4G                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b memory=4G                  | 2 submitted memory, accepted 2
         why 2                               | 4.0 GiB of memory is needed, and 2.0 GiB are free
         submit c disk=4G                    | 3 submitted slots, 3 launched, accepted 3, launch 3.1
         submit d disk=4G                    | 4 submitted memory, accepted 4
         why 4                               | 4.0 GiB of disk space is needed, and 2.0 GiB are free
      """)
  }

  @Test func `a GPU that vanishes ends who waits for it, but not who runs`() {
    Scenario.play(
      """
      0s machine gpus=1   |
         submit a gpu     | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
         submit b gpu     | 2 submitted gpu, accepted 2
      1s machine          | 2 ended refused requirementLost
         show 1           | launching on 0
         finished 1       | 1 ended succeeded
      """)
  }

  @Test func `who waits only for a slot causes no deadline`() {
    Scenario.play(
      """
      slots 1
      0s machine          |
         submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b         | 2 submitted slots, accepted 2
         submit c network | 3 submitted slots, accepted 3
         next             | none
      """)
  }
}
