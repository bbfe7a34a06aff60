import JobCore
import Testing

/// Jobs for whichever of several machines has room.
@Suite struct PoolTests {
  @Test func `each takes a slot of a machine, the least loaded first, then in their order`() {
    Scenario.play(
      """
      slots 1
      0s  engines tower=2 attic=1 boxes=here+tower+attic |
          submit a on=boxes                | 1 submitted slots, 1 launched, accepted 1, survey attic, survey tower, launch 1.1
          show 1                           | launching at here
          submit b on=boxes                | 2 submitted slots, accepted 2
          why 2                            | no member of boxes has a free slot: here 0 of 1, tower has not answered yet, attic has not answered yet
          surveyed tower                   | 2 launched, launch 2.1
          show 2                           | launching at tower
          submit c on=boxes                | 3 submitted slots, 3 launched, accepted 3, launch 3.1
          show 3                           | launching at tower
          submit d on=boxes                | 4 submitted slots, accepted 4
          surveyed attic silent            |
          why 4                            | no member of boxes has a free slot: here 0 of 1, tower 0 of 2, attic does not answer
          submit e                         | 5 submitted slots, accepted 5
          why 5                            | the only slot is taken by job 1
          submit f on=tower                | 6 submitted slots, accepted 6
          why 6                            | both slots on tower are taken by jobs 2 and 3
      1s  finished 2                       | 2 ended succeeded, 4 launched, launch 4.1
          show 4                           | launching at tower
          finished 1                       | 1 ended succeeded, 5 launched, launch 5.1
      """)
  }

  @Test
  func `GPUs are pinned on the machine where fewest are left over, and the reason counts them`() {
    Scenario.play(
      """
      0s  engines tower=4 attic=4 boxes=here+tower+attic |
          machine                          |
          surveyed tower gpus=2            |
          surveyed attic gpus=1            |
          submit a on=boxes gpu=1          | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
          show 1                           | launching at attic on 0
          submit b on=boxes gpu=1          | 2 submitted slots, 2 launched, accepted 2, launch 2.1 on 0
          show 2                           | launching at tower on 0
          submit c on=boxes gpu=1          | 3 submitted slots, 3 launched, accepted 3, launch 3.1 on 1
          submit d on=boxes gpu=1          | 4 submitted gpu, accepted 4
          why 4                            | no member of boxes has a free GPU: here none, tower 0 of 2, attic 0 of 1
          # Others pass it that need no GPU.
          submit e on=boxes                | 5 submitted slots, 5 launched, accepted 5, launch 5.1
          submit f on=boxes gpu=3          | refused unavailable
          said                             | no member of boxes can ever run it: the job needs 3 GPUs, and tower has only 2: NVML answered
          surveyed tower gpus=2            |
      1s  finished 2                       | 2 ended succeeded, survey tower
          # What was seen of that GPU was the work of the job before.
          why 4                            | no member of boxes has a free GPU: here none, tower 0 of 2, attic 0 of 1
          surveyed tower gpus=2            | 4 launched, launch 4.1 on 0
      """)
  }

  @Test func `a job of a pool that takes the last slot here lets others pass the one that had it`()
  {
    Scenario.play(
      """
      slots 1
      0s  engines tower=2 boxes=here+tower |
          machine gpus=2 foreign=1         |
          submit a gpu=2                   | 1 submitted gpu, accepted 1
          # It is behind the one that waits for GPUs, as long as that could have a slot.
          submit b gpu=1 group=train       | 2 submitted gpu, accepted 2
          submit c on=boxes                | 3 submitted slots, 3 launched, 2 launched, accepted 3, survey tower, launch 3.1, launch 2.1 on 0
          show 3                           | launching at here
      """)
  }

  @Test func `processors and memory are counted on each machine, and a lack of them is passed`() {
    Scenario.play(
      """
      slots 2
      0s  engines tower=4 boxes=here+tower |
          machine cpus=2                   |
          surveyed tower cpus=8            |
          submit a on=boxes cpus=6          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          show 1                           | launching at tower
          submit b on=boxes cpus=4          | 2 submitted resource, accepted 2
          why 2                            | no member of boxes has 4 free processors: here is too small, tower 2 of 8
          submit c on=boxes cpus=2          | 3 submitted resource, accepted 3
          why 3                            | job 2 is ahead and also waits for cpu
          submit d on=boxes                | 4 submitted slots, 4 launched, accepted 4, launch 4.1
          show 4                           | launching at here
      1s  finished 1                       | 1 ended succeeded, 2 launched, 3 launched, launch 2.1, launch 3.1
          show 2                           | launching at tower
          show 3                           | launching at here
      """)
  }

  @Test func `what has not begun goes elsewhere, and what has begun stays where its files are`() {
    Scenario.play(
      """
      slots 1
      0s  engines tower=2 boxes=tower+here |
          surveyed tower                   |
          submit a on=boxes retries=1 every=0s | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          show 1                           | launching at tower
          surveyed tower silent            |
          finished 1 revoked               | 1 queued slots, 1 launched, launch 1.2
          show 1                           | launching attempt 2 at here
          started 1.2                      | 1 started
          surveyed tower                   |
          submit b                         | 2 submitted slots, accepted 2
          finished 1.2 exit=1              | 1 queued slots, 1 launched, launch 1.3
          show 1                           | launching attempt 3 at here
      """)
  }

  @Test func `a runner that comes back finds each where it was`() {
    Scenario.play(
      """
      slots 1
      0s  engines tower=1 boxes=here+tower |
          restore 1 a launching on=boxes place=tower gpu=1 holds=0 |
          restore 2 b running on=boxes place=here |
          restore 3 c queued on=boxes place=tower attempt=2 failures=1 |
          restore 4 d queued on=boxes      |
          deadline                         | 3 queued engine, survey tower
          why 3                            | tower has not answered yet
          surveyed tower gpus=1            | 3 queued slots
          why 3                            | tower has 0 of 1 slots free
          finished 2                       | 2 ended succeeded, 4 launched, launch 4.1
          finished 1                       | 1 ended succeeded, 3 launched, launch 3.2
          show 3                           | launching attempt 2 at tower
      """)
  }

  @Test func `a host counts what its jobs require, as a pool of one`() {
    Scenario.play(
      """
      0s  engines tower=4 boxes=here+tower |
          submit a on=tower                | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b on=tower gpu=1          | 2 submitted engine, accepted 2, survey tower
          why 2                            | tower has not answered yet
          surveyed tower gpus=1            | 2 launched, launch 2.1 on 0
          submit c on=tower gpu=1          | 3 submitted gpu, accepted 3
          why 3                            | tower has 0 of 1 GPUs free
          submit d on=tower gpu=2          | refused unavailable
          said                             | the job needs 2 GPUs, and tower has only one: NVML answered
      """)
  }

  @Test func `groups, wide jobs, lone ones and those that start now or never keep their rules`() {
    Scenario.play(
      """
      slots 2
      0s  engines tower=2 boxes=here+tower |
          group render slots=1             |
          surveyed tower                   |
          submit a on=boxes group=render      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b on=boxes group=render      | 2 submitted slots, accepted 2
          why 2                            | the only slot of group render on boxes is taken by job 1
          submit c on=boxes alone          | 3 submitted slots, 3 launched, accepted 3, launch 3.1
          show 3                           | launching at tower
          submit d on=boxes fail           | 4 submitted slots, 4 launched, accepted 4, launch 4.1
          show 4                           | launching at here
          submit e on=boxes fail           | refused immediateRunIneligible
          said                             | no member of boxes has a free slot: here 0 of 2, tower 0 of 2; submit with --strategy queue to wait
          submit f on=boxes wide=2         | 5 submitted slots, accepted 5
          submit g on=boxes                | 6 submitted slots, accepted 6
          finished 4                       | 4 ended succeeded
          why 6                            | job 5 is ahead, and the free slots are kept until it has enough
          finished 3                       | 3 ended succeeded, 5 launched, 6 launched, launch 5.1, launch 6.1
          show 5                           | launching at tower
          show 6                           | launching at here
      """)
  }
}
