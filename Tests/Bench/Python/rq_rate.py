"""rq: rq_rate.py COUNT FILE runs `true` COUNT times in two workers, writes jobs a second.

Its Redis is one of its own, below the current folder, with the durability that it has by default.
"""

import os
import subprocess
import sys
import time

import redis
import rq

count = int(sys.argv[1])
server = subprocess.Popen(
    ["redis-server", "--port", "0", "--unixsocket", "redis.socket"], stdout=subprocess.DEVNULL)
command = [os.path.join(os.path.dirname(sys.executable), "rq"), "worker", "--quiet", "--url",
           "unix://" + os.path.abspath("redis.socket")]
workers = []
try:
    connection = redis.Redis(unix_socket_path="redis.socket")
    while True:
        try:
            connection.ping()
            break
        except redis.ConnectionError:
            time.sleep(0.01)
    # What it saved in the round before.
    connection.flushall()
    workers = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(2)]
    while len(rq.Worker.all(connection)) < len(workers):
        time.sleep(0.01)
    queue = rq.Queue(connection=connection)
    start = time.monotonic()
    for _ in range(count):
        queue.enqueue(subprocess.run, ["true"])
    while len(queue.finished_job_registry) + len(queue.failed_job_registry) < count:
        time.sleep(0.005)
    with open(sys.argv[2], "w") as file:
        file.write(str(count / (time.monotonic() - start)))
    if len(queue.failed_job_registry) > 0:
        sys.exit("some of its jobs failed")
finally:
    for child in workers + [server]:
        child.terminate()
    for child in workers + [server]:
        child.wait()
