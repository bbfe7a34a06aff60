#!/usr/bin/env python3
"""Records what a real program writes, and when: an asciinema cast (version 2) on standard output.

  record.py [--pty] [--files] [--slow SHARE] [--title T] [--note SOURCE] [how the truth is known] -- COMMAND ...

The header's "truth" tells how far the program really was, as [seconds, share] pairs with straight
lines between them: known with hindsight, never from what the program says of itself.

  (neither)        it works evenly from its start to its end
  --from, --to     it works evenly from the first output that matches to the last one that does
  --steps REGEX    each output that matches is one step of the work, and steps take as long as they took
  --work F:BYTES   it has done all when the files F (a pattern) together are so large
  --count F:FILES  it has done all when there are so many files F
  --read BYTES     it has done all when it has read so much: the kernel counts; "all": what it read in the end
  --written BYTES  the same of what it writes
  --cpu            it computes evenly: the share of the processor time that it took in the end, for a
                   machine that others use as well; with --from, of what came after that
  --says REGEX     nobody knows better than it does: the percentage that the pattern's group finds, for
                   programs whose pace is their own; where it falls, a round begins

Events: "o" is output; "f" (with --files) is a look at the regular files of 1 MiB and more that the
program's processes have open, or name beside one that they have (position -1), as [device, inode,
name, size, position, flags, isNamed, existed, links, modified, memory].
"""
import argparse, fcntl, glob, json, os, pty, re, select, signal, struct, subprocess, sys, termios, time

parser = argparse.ArgumentParser()
for flag in ("--pty", "--files", "--cpu"): parser.add_argument(flag, action="store_true")
for flag in ("--title", "--steps", "--work", "--count", "--read", "--written", "--slow", "--says", "--from", "--to", "--note"):
    parser.add_argument(flag)
parser.add_argument("command", nargs=argparse.REMAINDER)
options = parser.parse_args()
command = options.command[1:] if options.command[:1] == ["--"] else options.command
born = time.time()
start = time.monotonic()

if options.pty:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
else:
    master, slave = os.pipe()
# As a terminal that it may ask who is in front: scp is silent without.
takes = (lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0)) if options.pty else None
child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, start_new_session=True, preexec_fn=takes)
# What it recorded ends with it.
signal.signal(signal.SIGTERM, lambda *_: (os.killpg(child.pid, signal.SIGKILL), sys.exit(1)))
os.close(slave)

def descendants(pid):
    found = [pid]
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            for line in open(f"/proc/{pid}/task/{thread}/children").read().split():
                found += descendants(int(line))
    except OSError: pass
    return found

def look():
    """What the runner's own look sees (Sources/LinuxSystem/ProcessFiles.swift)."""
    rows = []
    for pid in descendants(child.pid):
        try:
            pages = open(f"/proc/{pid}/statm").read().split()
            held = max(0, int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")
            # Coarsely, so that the same state of files is told once.
            held = held >> 20 << 20
        except (OSError, IndexError): continue
        try: words = open(f"/proc/{pid}/cmdline", "rb").read().split(b"\0")
        except OSError: continue
        for number in sorted(map(int, os.listdir(f"/proc/{pid}/fd")) if os.path.exists(f"/proc/{pid}/fd") else []):
            try:
                path = os.readlink(f"/proc/{pid}/fd/{number}")
                status = os.stat(f"/proc/{pid}/fd/{number}")
                if not os.path.isfile(f"/proc/{pid}/fd/{number}") or status.st_size < 1 << 20: continue
                info = dict(line.split(":\t") for line in open(f"/proc/{pid}/fdinfo/{number}").read().splitlines() if ":\t" in line)
            except OSError: continue
            name = os.path.basename(path)
            named = number == 0 or any(re.split(b"[/=]", w)[-1] == name.encode() for w in words[1:])
            birth = subprocess.run(["stat", "-Lc", "%W", f"/proc/{pid}/fd/{number}"], capture_output=True, text=True).stdout.strip() or "0"
            rows.append([status.st_dev, status.st_ino, name, status.st_size, int(info["pos"]),
                         int(info["flags"].strip(), 8) & 3, named, float(birth) < int(born), status.st_nlink, status.st_mtime_ns, held])
            word = next((w.decode() for w in words[1:] if re.split(b"[/=]", w)[-1] == name.encode()), None)
            for other in words[1:] if word else []:
                other = other.decode()
                if other == word or other.startswith("-") or os.path.dirname(other) != os.path.dirname(word): continue
                beside = os.path.join(f"/proc/{pid}/cwd", other)
                if not os.path.isfile(beside) or os.path.getsize(beside) < 1 << 20: continue
                status = os.stat(beside)
                rows.append([status.st_dev, status.st_ino, other, status.st_size, -1, 0, True, status.st_ctime < int(born),
                             status.st_nlink, status.st_mtime_ns])
    return rows

def done():
    if options.work:
        pattern, _, size = options.work.rpartition(":")
        total = 0
        for path in glob.glob(pattern, recursive=True):
            try: total += os.path.getsize(path)
            except OSError: pass
        return total / int(size)
    if options.count:
        pattern, _, number = options.count.rpartition(":")
        return len(glob.glob(pattern, recursive=True)) / int(number)
    if options.cpu:
        ticks = 0
        for pid in descendants(child.pid):
            try: ticks += sum(map(int, open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[11:15]))
            except (OSError, ValueError): pass
        return ticks
    if options.read or options.written:
        total, key = 0, "rchar" if options.read else "wchar"
        for pid in descendants(child.pid):
            try: total += int(re.search(key + r": (\d+)", open(f"/proc/{pid}/io").read())[1])
            except (OSError, TypeError): pass
        whole = options.read or options.written
        return total if whole == "all" else total / int(whole)

def inTheEnd(): return options.cpu or "all" in (options.read, options.written)

# --slow SHARE: it runs for this share of the time only, so that a quick program lasts.
if options.slow:
    import threading
    def slow():
        while child.poll() is None:
            try:
                os.killpg(child.pid, signal.SIGSTOP); time.sleep(0.05 * (1 - float(options.slow)))
                os.killpg(child.pid, signal.SIGCONT); time.sleep(0.05 * float(options.slow))
            except OSError: return
    threading.Thread(target=slow, daemon=True).start()

def neutral(text):
    """Without the paths of this machine."""
    for path, name in ((os.environ.get("VIRTUAL_ENV"), "/usr"), (os.getcwd(), "/home/me"), (os.path.expanduser("~"), "/home/me")):
        if path: text = text.replace(path, name)
    return text

events, truth, decoder, nextLook = [], [], __import__("codecs").getincrementaldecoder("utf-8")("replace"), 0
while True:
    now = time.monotonic() - start
    if now >= nextLook:
        nextLook = now + 0.25
        if options.files: events.append([round(now, 2), "f", look()])
        if (share := done()) is not None and (not truth or share > truth[-1][1]): truth.append([round(now, 2), share if inTheEnd() else round(min(1, share), 4)])
    if not select.select([master], [], [], max(0, nextLook - now))[0]: continue
    try: data = os.read(master, 65536)
    except OSError: break
    if not data: break
    text = neutral(decoder.decode(data))
    if text: events.append([round(time.monotonic() - start, 2), "o", text])
child.wait()
end = round(time.monotonic() - start, 2)

# What it came to in the end is all that there was, once it has ended.
if truth and inTheEnd():
    truth = [[t, round(share / max(1, truth[-1][1]), 4)] for t, share in truth[:-1]] + [[end, 1]]
# The same state of files is told once, and what is written within a tenth of a second is one event.
kept, last = [], None
for event in events:
    if event[1] == "o" and kept and kept[-1][1] == "o" and event[0] - first < 0.1:
        kept[-1] = [event[0], "o", kept[-1][2] + event[2]]
        continue
    first = event[0]
    if event[1] == "f":
        if event[2] == last: continue
        last = event[2]
    kept.append(event)
def matches(pattern): return [e[0] for e in events if e[1] == "o" for _ in re.findall(pattern, e[2], re.M)]
if options.says:
    truth = [[e[0], round(float(v) / 100, 4)] for e in kept if e[1] == "o" for v in re.findall(options.says, e[2])]
    truth = [p for i, p in enumerate(truth) if i + 1 == len(truth) or truth[i + 1][0] != p[0]]
elif options.steps:
    times = matches(options.steps)
    truth = [[0, 0]] + [[t, round((i + 1) / len(times), 4)] for i, t in enumerate(times)]
elif getattr(options, "from") and options.cpu:
    # What it loads before it begins is none of the work.
    begun = matches(getattr(options, "from"))[0]
    spent = max([share for t, share in truth if t <= begun], default=0)
    truth = [[begun, 0]] + [[t, round((share - spent) / (1 - spent), 4)] for t, share in truth if t > begun]
elif getattr(options, "from"):
    truth = [[matches(getattr(options, "from"))[0], 0], [matches(options.to)[-1] if options.to else end, 1]]
elif not truth:
    truth = [[0, 0], [end, 1]]
elif truth[-1][1] < 1:
    truth.append([end, 1])
# A dozen of points are enough.
if len(truth) > 24 and not options.says: truth = truth[:: len(truth) // 20] + [truth[-1]]
head = {"version": 2, "width": 80, "height": 24, "title": options.title or os.path.basename(command[0]),
        "command": neutral(" ".join([os.path.basename(command[0])] + command[1:])), "source": options.note or "recorded",
        "exit": child.returncode, "end": end, "truth": truth}
print(json.dumps(head, ensure_ascii=False))
for event in kept: print(json.dumps(event, ensure_ascii=False))
