"""HyperQueue: hyperqueue_rate.py COUNT FILE runs `true` COUNT times on two cores, writes jobs a second."""

import sys
import time

from hyperqueue import Job
from hyperqueue.cluster import LocalCluster, WorkerConfig

count = int(sys.argv[1])
with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=2))
    client = cluster.client()
    start = time.monotonic()
    job = Job()
    for _ in range(count):
        job.program(["true"])
    client.wait_for_jobs([client.submit(job)])
    with open(sys.argv[2], "w") as file:
        file.write(str(count / (time.monotonic() - start)))
