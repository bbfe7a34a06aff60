// The page of jobrun: jobs as the runner's feed tells them, drawn only as far as they are seen.
// What jobs and people wrote is set as text, never as markup.

const $ = (id) => document.getElementById(id);
const jobs = new Map();        // number → job, of those that have not ended, and those that just have
const past = new Map();        // number → job that has ended
const folds = new Map();       // key → the line of a group or of the jobs of one submission
let newest = null;             // the number of the newest event
let readOnly = false;
let tab = 'now';
let ahead = 0;                 // milliseconds that the clock there is ahead of the one here
const present = () => Date.now() + ahead;

// ---- Words

const unit = (value, steps, names) => {
  let index = 0;
  while (value >= steps * 0.9995 && index < names.length - 1) { value /= steps; index++; }
  return `${index && value < 99.95 ? value.toFixed(1) : Math.round(value)} ${names[index]}`;
};
const bytes = (count) => unit(count, 1000, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']);
const two = (number) => String(number).padStart(2, '0');
const clock = (seconds) => {
  const s = Math.max(0, Math.floor(seconds));
  if (s >= 172800) return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
  const rest = `${s >= 3600 ? two(Math.floor(s / 60) % 60) : Math.floor(s / 60)}:${two(s % 60)}`;
  return s >= 3600 ? `${Math.floor(s / 3600)}:${rest}` : rest;
};
const left = (seconds) => {
  if (seconds < 600) return `${clock(seconds)} left`;
  if (seconds < 5400) return `about ${Math.round(seconds / 300) * 5} min left`;
  if (seconds < 172800) return `about ${Math.round(seconds / 1800) / 2} h left`;
  return `about ${Math.round(seconds / 86400)} days left`;
};
/** Rounded up: just paused for ten minutes, it is `10 min`. */
const span = (seconds) => {
  if (seconds < 60) return `${Math.max(0, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : minutes < 2880 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / 1440)} d ${Math.floor(minutes / 60) % 24} h`;
};
const rate = (progress) => {
  if (!(progress.rate > 0) || progress.unit === 'share') return '';
  if (progress.unit === 'bytes') return progress.rate < 1 ? '' : `${bytes(progress.rate)}/s`;
  return progress.rate >= 1 ? `${progress.rate >= 10 ? Math.round(progress.rate).toLocaleString('en') : progress.rate.toFixed(1)}/s`
    : `${Math.max(1, Math.round(progress.rate * 60))}/min`;
};
const amount = (p) => {
  if (p.unit === 'share') return '';
  const show = p.unit === 'bytes' ? bytes : (n) => n.toLocaleString('en');
  return p.total ? `${show(p.completed)} of ${show(p.total)}` : p.unit === 'bytes' ? show(p.completed) : `${show(p.completed)} done`;
};
const time = (text) => text ? Date.parse(text) : null;
const brief = (text) => new Date(text).toLocaleString('en-GB', {
  ...(new Date(text).toDateString() === new Date().toDateString() ? {} : { weekday: 'short', day: 'numeric', month: 'short' }), hour: '2-digit', minute: '2-digit',
});
const moment = (text) => new Date(text).toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' });
/** A blank title names nothing. */
const name = (job) => /[^\p{C}\p{Z}]/u.test(job.title) ? job.title : job.identifier;
const percent = (job) => {
  const p = job.progress;
  if (!p || p.fraction == null) return null;
  // Recognised progress is complete only when the job has ended.
  return p.completed >= p.total && p.fraction >= 1 ? 100 : Math.min(99, Math.floor(p.fraction * 100));
};
const hasFailed = (job) => ['failed', 'expired', 'refused'].includes(job.outcome);
const mood = (job) => ({ succeeded: 'good', cancelled: 'left', interrupted: 'left' }[job.outcome]
  ?? (job.outcome ? 'bad' : { queued: 'queued', stalled: 'warned', stopping: 'warned', paused: 'paused' }[job.state] ?? 'going'));
const fate = (job) => job.outcome ?? ({ queued: job.pendingReason?.code === 'held' ? 'on hold' : 'waiting', stalled: 'waiting for an answer', launching: 'starting' }[job.state] ?? job.state);
const ran = (job, now) => {
  const from = time(job.started);
  return from == null ? null : ((time(job.ended) ?? time(job.paused?.since) ?? now) - from) / 1000 - (job.paused?.seconds ?? 0);
};
const typed = (words) => words?.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`).join(' ');

/** The text below the bar. */
function numbers(job, now) {
  if (job.members) return foldNumbers(job, now);
  if (job.outcome) {
    const length = ran(job, now);
    return [length == null ? job.attempt ? 'not started again' : 'never started' : `ran ${length < 9.95 ? `${length.toFixed(1)} s` : clock(length)}`, job.ended && `ended ${brief(job.ended)}`].filter(Boolean).join(' · ');
  }
  if (job.state === 'queued') {
    const begins = job.pendingReason?.code === 'notBefore' && job.earliest && `not before ${brief(job.earliest)}`;
    // Most wait for a slot, as their place says; which machine lacks what is worth telling.
    const why = job.pendingReason?.code === 'slots' && !job.engine ? null : job.pendingReason?.message;
    return [job.position && (job.position === 1 ? 'next' : `#${job.position.toLocaleString('en')} in the queue`), begins || why].filter(Boolean).join(' · ');
  }
  const p = job.progress, parts = [];
  if (p) {
    const share = percent(job);
    if (share != null) parts.push(`${share} %`);
    if (job.state === 'running') {
      parts.push(rate(p));
      const late = (now - job.heard) / 1000;
      if (p.etaMost != null) parts.push(`${clock(Math.max(0, p.etaLeast - late))} to ${clock(Math.max(0, p.etaMost - late))} left`);
      else if (p.eta != null) parts.push(left(p.eta - late));
    }
    if (parts.filter(Boolean).length < 2) parts.push(amount(p));
    if (p.note) parts.push(p.note);
  }
  if (job.state === 'paused') parts.push(job.pendingReason ? 'resumes when a slot is free' : job.paused?.until && `resumes in ${span((time(job.paused.until) - now) / 1000)}`);
  if (parts.filter(Boolean).length < 2) parts.push(`${clock(ran(job, now) ?? 0)} elapsed`);
  return parts.filter(Boolean).join(' · ');
}
const signals = ' HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM'.split(' ');
const signal = (number) => signals[number] ? `SIG${signals[number]}` : `signal ${number}`;
const cause = (job) => job.exitCode ? `exit code ${job.exitCode}` : job.signal ? `killed by ${signal(job.signal)}` : null;
/** `tower of boxes (tower1)`: its engine, the pool that chose it, and its machine. */
const place = (job) => !job.engine && !job.pool ? null : `${job.engine ?? 'here'}${job.pool ? ` of ${job.pool}` : ''}${job.node ? ` (${job.node})` : ''}`;
const sentence = (job) => job.members ? foldSentence(job) : job.prompt ? 'Stalled. Continue?' : (job.outcome ? job.message ?? job.stopReason?.message ?? cause(job) : null)
  ?? job.warning ?? job.stopReason?.message ?? [place(job) && `on ${place(job)}`, job.subtitle || job.definition || typed(job.command) || job.group].filter(Boolean).join(' · ');

// ---- What is drawn

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') element.onclick = value;
    else if (value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
/** Changes the document only if needed. */
function put(element, text) { if (element.textContent !== text) element.textContent = text; }
function mark(element, name, value) {
  if (value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}
function fill(bar, job) {
  const share = percent(job);
  bar.classList.toggle('unknown', share == null && !job.outcome && ['running', 'launching'].includes(job.state));
  bar.classList.toggle('none', Boolean(job.outcome && job.outcome !== 'succeeded' && (share == null || job.members)));
  bar.style.setProperty('--share', job.outcome === 'succeeded' ? 1 : job.progress?.fraction ?? 0);
  mark(bar, 'aria-valuenow', share);
  mark(bar, 'aria-valuemin', share == null ? null : 0);
  mark(bar, 'aria-valuemax', share == null ? null : 100);
}

/** A long list of which only the visible part is in the document. */
class LongList {
  constructor(list) {
    this.list = list;
    this.items = [];
    this.rows = new Map();
    addEventListener('scroll', () => this.draw(), { passive: true });
    list.addEventListener('keydown', (event) => this.step(event));
  }

  show(items) {
    this.items = items;
    this.draw();
  }

  draw() {
    if (this.list.closest('[hidden]')) return;
    const height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'));
    const whole = `${this.items.length * height}px`;
    if (this.list.style.height !== whole) this.list.style.height = whole;
    const top = -this.list.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / height) - 4);
    const last = Math.min(this.items.length, Math.ceil((top + innerHeight) / height) + 4);
    const shown = this.items.slice(first, last), seen = new Set(shown.map((job) => job.number));
    for (const [number, row] of this.rows) {
      // The focused row stays.
      const stays = row.element.contains(document.activeElement) && this.items.some((job) => job.number === number);
      if (seen.has(number) || stays) continue;
      row.element.remove();
      this.rows.delete(number);
    }
    const now = present();
    let next = this.list.firstElementChild;
    shown.forEach((job, index) => {
      let row = this.rows.get(job.number);
      if (!row) this.rows.set(job.number, row = this.make(job.number));
      const place = `translateY(${(first + index) * height}px)`;
      if (row.element.style.transform !== place) row.element.style.transform = place;
      mark(row.element, 'aria-posinset', first + index + 1);
      mark(row.element, 'aria-setsize', this.items.length);
      this.write(row, job, now);
      // The order of screen readers and the keyboard.
      if (row.element === next) next = next.nextElementSibling;
      else if (row.element.parentNode && this.list.moveBefore) this.list.moveBefore(row.element, next);
      else this.list.insertBefore(row.element, next);
    });
  }

  make(number) {
    const parts = {
      number: make('span', { class: 'number' }), title: make('bdi', { class: 'title' }), chip: make('span', { class: 'chip' }),
      bar: make('div', { class: 'bar', role: 'progressbar' }, make('i')), sub: make('bdi', { class: 'sub' }),
      nums: make('span', { class: 'nums' }),
    };
    parts.mark = make('input', { type: 'checkbox', class: 'mark', onclick: () => markRow(find(number), parts.mark.checked) });
    parts.open = make('button', { class: 'open', onclick: () => press(number) }, parts.number, parts.title);
    parts.element = make('li', { class: 'row' }, parts.mark, parts.open, parts.chip, parts.bar, parts.sub, parts.nums);
    return parts;
  }

  write(row, job, now) {
    const asks = job.state === 'stalled' && !readOnly && !job.members;
    const kind = job.members ? ' group' : job.isMember ? ' member' : '';
    const style = `row ${mood(job)}${asks ? ' asks' : ''}${kind}`;
    if (row.element.className !== style) row.element.className = style;
    put(row.number, !job.members ? String(job.number) : isOpen(job) ? '▾' : '▸');
    mark(row.number, 'aria-hidden', job.members ? 'true' : null);
    mark(row.open, 'aria-expanded', job.members ? isOpen(job) : null);
    put(row.title, name(job));
    const meant = readOnly ? [] : markable(job);
    row.mark.hidden = !meant.length;
    row.mark.checked = meant.length > 0 && meant.every((number) => marked.has(number));
    mark(row.mark, 'aria-label', job.members ? `Mark the jobs of ${job.title}` : `Mark job ${job.number}`);
    put(row.chip, fate(job));
    put(row.sub, sentence(job));
    put(row.nums, numbers(job, now));
    fill(row.bar, job);
    mark(row.bar, 'aria-label', `Progress of ${job.members ? job.title : `job ${job.number}`}`);
    mark(row.bar, 'aria-hidden', job.state === 'queued' || job.outcome ? 'true' : null);
    const offers = asks ? 'asks' : job.members && isOpen(job) ? 'more' : '';
    if (row.offers === offers) return;
    row.offers = offers;
    row.ask?.remove();
    row.ask = !offers ? null : make('div', { class: offers === 'asks' ? 'ask' : 'more' }, ...(asks ? [
      make('button', { class: 'main', 'aria-label': `Continue job ${job.number}`, onclick: () => act(job.number, 'continue') }, 'Continue'),
      make('button', { class: 'harm', 'aria-label': `Stop job ${job.number}, after asking`, onclick: () => { wish = 'stop'; go(`/jobs/${job.number}`); } }, 'Stop…'),
    ] : [make('button', { 'aria-label': `${job.title}: details`, onclick: () => go(address(job)) }, 'Details')]));
    if (row.ask) row.element.append(row.ask);
  }

  step(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest('.row');
    if (!by || !row) return;
    event.preventDefault();
    const index = Number(row.getAttribute('aria-posinset')) - 1 + by;
    if (!this.items[index]) return;
    const height = this.list.offsetHeight / this.items.length;
    const top = this.list.getBoundingClientRect().top + index * height;
    if (top < 120) scrollBy(0, top - 120);
    else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight + 8);
    this.draw();
    this.rows.get(this.items[index].number)?.open.focus({ preventScroll: true });
  }
}
const live = new LongList($('live'));
const failed = new LongList($('failed'));
const ended = new LongList($('ended'));

// ---- Groups, and jobs of one submission

const wanted = () => $('filter').value.trim().toLowerCase();
/** With a filter all that it finds is seen. */
const isOpen = (fold) => fold.isOpen || wanted() !== '';
/** The stem and the place of a job of a batch, whose numbers and identifiers are consecutive. */
function submission(job) {
  const found = /^(.+)\.(\d+)$/.exec(job.identifier ?? ''), place = Number(found?.[2]);
  return found && place > 0 && place <= job.number ? { key: `${found[1]}@${job.number - place}`, place, first: job.number - place + 1 } : null;
}
/** A job's group, else its batch. */
function foldOf(job, ignoresGroup) {
  if (job.group && !ignoresGroup) return fold(`group:${job.group}`, { name: job.group, title: job.group, isCounted: false });
  job.submission ??= submission(job) ?? false;
  const of = job.submission;
  return of && (of.fold ??= fold(`batch:${of.key}`, { begin: of.first, most: 0 }));
}
const blank = () => ({ members: [], live: 0, running: 0, paused: 0, asking: 0, done: 0, first: Infinity, position: Infinity, known: {} });
function fold(key, parts) {
  let fold = folds.get(key);
  if (!fold) folds.set(key, fold = { number: key, isOpen: false, ended: {}, pace: [], ...blank(), ...parts });
  return fold;
}
const address = (fold) => fold.name ? `/groups/${encodeURIComponent(fold.name)}` : `/batches/${fold.begin}`;
/** What titles have in common, in whole words. */
function common(titles) {
  let shared = titles[0] ?? '';
  for (const title of titles) while (!title.startsWith(shared)) shared = shared.slice(0, -1);
  if (titles.every((title) => title === titles[0])) return shared;
  return `${shared.includes(' ') ? shared.slice(0, shared.lastIndexOf(' ')) : shared} …`;
}
/** Asks the runner, at most once a second, how a group's jobs have ended. */
function recount(group) {
  if (group.isDue || !group.name) return;
  group.isDue = true;
  setTimeout(async () => {
    group.isDue = false;
    const reply = await ask(`/groups/${encodeURIComponent(group.name)}`).catch(() => null);
    if (!reply?.ok) return;
    // How fast it is shows from here on.
    if (!group.isCounted) group.pace = [];
    group.isCounted = true;
    group.ended = await reply.json();
    draw();
  }, group.members.length ? 1000 : 0);
}
/** Updates the rows of groups and batches. */
function gather() {
  for (const each of folds.values()) Object.assign(each, blank());
  const add = (job, to) => {
    if (!to) return;
    to.members.push(job);
    to.first = Math.min(to.first, job.number);
    if (!to.name) to.most = Math.max(to.most, job.submission.place, job.batchSize ?? 0);
    if (job.outcome) { to.known[job.outcome] = (to.known[job.outcome] ?? 0) + 1; return; }
    to.live++;
    if (job.state === 'queued') to.position = Math.min(to.position, job.position ?? Infinity);
    else to.running++;
    if (job.state === 'stalled') to.asking++;
    if (job.state === 'paused') to.paused++;
    to.done += job.progress?.fraction ?? 0;
  };
  for (const job of [...jobs.values(), ...[...past.values()].filter((each) => !jobs.has(each.number))]) {
    if (job.group) { add(job, foldOf(job)); }
    add(job, foldOf(job, true));
  }
  const now = present();
  for (const each of folds.values()) {
    const { known } = each;
    const ways = { failed: (known.failed ?? 0) + (known.expired ?? 0) + (known.refused ?? 0), cancelled: (known.cancelled ?? 0) + (known.interrupted ?? 0), succeeded: known.succeeded ?? 0 };
    if (each.name && !each.isCounted) each.ended = ways;
    if (!each.name) {
      const told = Object.values(known).reduce((sum, count) => sum + count, 0), over = Math.max(told, each.most - each.live);
      each.ended = { ...ways, succeeded: over - ways.failed - ways.cancelled };
      each.title = `${common([...each.members.slice(0, 3), ...each.members.slice(-3)].map(name))} (${Math.max(each.most, each.members.length)})`;
    }
    const { succeeded = 0, failed = 0, cancelled = 0 } = each.ended, over = succeeded + failed + cancelled;
    each.over = over;
    each.done += over;
    each.total = Math.max(1, over + each.live);
    each.outcome = each.live ? null : failed ? 'failed' : cancelled ? 'cancelled' : 'succeeded';
    each.state = each.asking ? 'stalled' : !each.running ? 'queued' : each.running > each.paused ? 'running' : 'paused';
    if (each.running) each.position = 0;
    each.progress = { unit: 'items', completed: over, total: each.total, fraction: each.done / each.total };
    // How fast it was in the last two minutes.
    if (!(now - each.pace.at(-1)?.[0] < 1000)) each.pace.push([now, each.done]);
    if (now - each.pace[0][0] > 120e3) each.pace.shift();
  }
}
function foldNumbers(fold, now) {
  if (!fold.live) return '';
  const parts = [`${percent(fold)} %`], [at, done] = fold.pace[0];
  if (fold.running) parts.push(`${fold.running} running`);
  if (fold.live > fold.running) parts.push(`${fold.live - fold.running} waiting`);
  if (fold.live && fold.done > done && now - at > 5000) parts.push(left((fold.total - fold.done) * (now - at) / 1000 / (fold.done - done)));
  return parts.join(' · ');
}
function foldSentence(fold) {
  const { failed, cancelled } = fold.ended;
  return [`${fold.over} of ${fold.total} jobs ended`, failed && `${failed} failed`, cancelled && `${cancelled} cancelled`].filter(Boolean).join(' · ');
}
const find = (number) => folds.get(number) ?? jobs.get(number) ?? past.get(number);
function press(number) {
  const fold = folds.get(number);
  if (!fold) return go(`/jobs/${number}`);
  fold.isOpen = !fold.isOpen;
  isSorted = false;
  drawNow();
}

// ---- Now

let isSorted = false, isDue = false, order = [];
const rank = (job) => job.outcome ? 1 : { stalled: 0, queued: 2 }[job.state] ?? 1;
const seat = (job) => job.state === 'queued' ? job.position ?? Infinity : 0;
const precede = (a, b) => rank(a) - rank(b) || seat(a) - seat(b) || (a.first ?? a.number) - (b.first ?? b.number);
const matches = (job, text) => !text || [job.title, job.definition, job.group].some((each) => each?.toLowerCase().includes(text)) || String(job.number) === text;

/** Jobs, with those of a group or batch as one row, in any order. */
function folded(list, ignoresGroup) {
  const text = wanted(), found = new Map(), lines = [];
  for (const job of list) {
    if (!matches(job, text)) continue;
    const to = foldOf(job, ignoresGroup);
    job.isMember = false;
    if (!to || !to.name && to.members.length < 2) lines.push(job);
    else if (found.has(to)) found.get(to).push(job);
    else { found.set(to, [job]); lines.push(to); }
  }
  return { lines, below: (line) => (found.get(line) ?? []).map((job) => { job.isMember = true; return job; }) };
}
/** The rows of *Now*: of a closed group the jobs that ask, of an open one the failed jobs first. */
function sorted() {
  queue.forEach((number, at) => { const job = jobs.get(number); if (job) job.position = at + 1; });
  const { lines, below } = folded(jobs.values());
  return lines.sort(precede).flatMap((line) => !line.members ? [line] : [line, ...(isOpen(line)
    ? [...line.members.filter((job) => hasFailed(job) && !jobs.has(job.number)).map((job) => { job.isMember = true; return job; }), ...below(line).sort(precede)]
    : below(line).filter((job) => job.state === 'stalled').sort(precede))]);
}
/** What failed today, the newest first. */
function failedToday() {
  const midnight = new Date(present()).setHours(0, 0, 0, 0);
  return newestFirst([...past.values()].filter((job) => hasFailed(job) && !jobs.has(job.number) && time(job.ended) >= midnight));
}
const newestFirst = (list) => list.sort((a, b) => time(b.ended) - time(a.ended) || b.number - a.number);
/** A batch as one row that opens. */
function listed(list) {
  const { lines, below } = folded(list, true);
  return lines.flatMap((line) => !line.members ? [line] : below(line).length < 2 ? below(line).map((job) => { job.isMember = false; return job; })
    : [line, ...(isOpen(line) ? [...below(line).filter(hasFailed), ...below(line).filter((job) => !hasFailed(job))] : [])]);
}

/** Draws soon, at most every frame. */
function draw() {
  if (isDue) return;
  isDue = true;
  // Hidden pages update their title only.
  const work = () => { isDue = false; drawNow(); };
  setTimeout(() => document.hidden ? work() : requestAnimationFrame(work), 60);
}
function drawNow() {
  gather();
  if (tab === 'now') {
    if (!isSorted) {
      order = sorted();
      isSorted = true;
    }
    live.show(order);
    const missed = listed(failedToday()), text = wanted();
    $('missed').hidden = !missed.length;
    failed.show(missed);
    $('idle').hidden = order.length > 0 || newest == null || text !== '';
    $('unmatched').hidden = order.length > 0 || text === '';
    put($('unmatched').firstElementChild, `No job matches “${text}”.`);
  } else {
    drawPast();
  }
  let running = 0, waiting = 0, paused = 0, asking = 0;
  for (const job of jobs.values()) {
    if (job.outcome) continue;
    if (job.state === 'queued') waiting++; else if (job.state === 'stalled') asking++; else if (job.state === 'paused') paused++; else running++;
  }
  const words = [asking && `${asking} ${asking === 1 ? 'question' : 'questions'}`, running && `${running} running`, paused && `${paused} paused`, waiting && `${waiting} waiting`].filter(Boolean).join(' · ');
  put($('counts'), words);
  drawMarked();
  const title = words && !rests ? `${words} · jobrun` : 'jobrun';
  if (document.title !== title) document.title = title;
  if (shown != null) drawJob();
  if (group != null) drawGroup();
}

/** The jobs with a place in the queue, in their order: an event tells the place of its own job only. */
let queue = [];
function enqueue(job) {
  const at = queue.indexOf(job.number);
  if (at >= 0) queue.splice(at, 1);
  if (job.position != null) queue.splice(job.position - 1, 0, job.number);
}

function take(line) {
  if (line.event === 'gap') return follow(true);
  const now = present();
  if (!line.job) {
    const job = jobs.get(line.number);
    if (job) { job.progress = line.progress; job.heard = now; }
    return draw();
  }
  const before = jobs.get(line.job.number);
  if (!before || before.state !== line.job.state || before.position !== line.job.position || before.title !== line.job.title) isSorted = false;
  // The same object, which is in `order`, too.
  const job = Object.assign(before ?? {}, line.job, { heard: now });
  jobs.set(job.number, job);
  enqueue(job);
  if (job.group && ['submitted', 'snapshot', 'ended'].includes(line.event)) {
    const of = foldOf(job);
    if (line.event === 'ended') {
      const how = { succeeded: 'succeeded', cancelled: 'cancelled' }[job.outcome] ?? 'failed';
      of.ended[how] = (of.ended[how] ?? 0) + 1;
    }
    recount(of);
  }
  if (line.event === 'ended') {
    past.set(job.number, job);
    put($('spoken'), `Job ${job.number}, ${job.title}, ${job.outcome}`);
    // It stays for a moment, to be seen.
    setTimeout(() => { if (jobs.get(job.number)?.outcome) { jobs.delete(job.number); isSorted = false; draw(); } }, 5000);
  } else if (job.outcome) {
    jobs.delete(job.number);
  }
  if (shown === job.number && line.event !== 'progress') look();
  draw();
}

// ---- The way to jobrun web

// Not a cookie: browsers send those to every port of the machine, also to other users' servers.
let key = null;
try { key = localStorage.getItem('key'); } catch { /* Without it, each page needs the whole address. */ }
const ask = (path, options = {}) => fetch(path, { ...options, headers: { 'X-Key': key ?? '', ...options.headers } });

/** Exchanges the token in the address. */
async function exchange() {
  const token = /^#[0-9a-f]{32}$/.test(location.hash) ? location.hash.slice(1) : null;
  if (!token) return false;
  history.replaceState(null, '', '/');
  const reply = await fetch('/session', { method: 'POST', headers: { 'X-Token': token } }).catch(() => null);
  if (!reply?.ok) return false;
  key = await reply.text();
  try { localStorage.setItem('key', key); } catch { /* Known as long as this page is. */ }
  return true;
}

// ---- The feed

let source = null, tries = 0, rests = false, heardAt = Date.now();
// The server tells something every 20 s, which a line that is cut without a word does not.
const silence = 45e3;
function state(name, words) {
  $('link').dataset.state = name;
  put($('link').firstElementChild, words);
}
function follow(afresh) {
  source?.close();
  if (rests) return;
  source = new EventSource(`/events?key=${key}${!afresh && newest != null ? `&since=${newest}` : ''}`);
  source.addEventListener('fresh', (event) => {
    newest = event.lastEventId;
    jobs.clear();
    queue = [];
    isSorted = false;
    look();
    draw();
  });
  source.addEventListener('beat', () => { heardAt = Date.now(); });
  source.onopen = () => {
    tries = 0;
    heardAt = Date.now();
    if (isLost()) tell(null);
    document.body.toggleAttribute('data-old', false);
    state('live', 'live');
    look();
  };
  source.onmessage = (event) => {
    newest = event.lastEventId || newest;
    heardAt = Date.now();
    for (const line of event.data.split('\n')) take(JSON.parse(line));
  };
  source.onerror = () => {
    // The browser's own retry would show the key to any server that answers.
    source.close();
    if ($('link').dataset.state !== 'gone') state('waiting', 'reconnecting');
    setTimeout(async () => { if (await isWelcome()) follow(false); }, Math.min(5000, 150 * 2 ** tries++));
  };
}

/**
 * A browser has six connections to one origin, and each feed takes one. So only one hidden page listens, for
 * its title tells of questions.
 */
let wake = null;
function shift() {
  wake?.();
  wake = null;
  if (document.hidden) {
    // Hidden pages get no next frame.
    isDue = false;
    draw();
    const waiting = new AbortController();
    wake = () => waiting.abort();
    const listen = () => new Promise((done) => { wake = done; rest(false); });
    navigator.locks?.request('unseen', { signal: waiting.signal }, listen).catch(() => {});
    // Who only passes by is not gone.
    const mine = wake;
    setTimeout(() => { if (wake === mine) rest(true); }, 1000);
  } else {
    rest(false);
    draw();
  }
}
function rest(isAsleep) {
  if (rests === isAsleep) return;
  rests = isAsleep;
  if (isAsleep) follow(false); else isWelcome().then((is) => is && follow(false));
  draw();
}

/** Whether the server has the key: another program may have taken the port, and must not get it. */
async function isGenuine() {
  if (!key || !crypto.subtle) return true;
  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const proof = await (await fetch(`/proof?nonce=${nonce}`)).text();
  return proof === hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${key} ${nonce}`)));
}
/** Whether this page may send requests; shows the remedy if not. */
async function isWelcome() {
  let reply;
  try {
    reply = await isGenuine() ? await ask(lastDay()) : { status: 403 };
  } catch {
    lose('connection lost', `Connection lost. This is the last known state, of ${new Date(heardAt).toLocaleTimeString('en-GB')}.`);
    setTimeout(async () => { if (await isWelcome()) follow(false); }, 2000);
    return false;
  }
  if (reply.status === 403) {
    lose('not connected', 'Open the whole address that jobrun web printed, including the part after #.');
    return false;
  }
  if (reply.ok) {
    const there = await reply.json();
    readOnly = there.readOnly;
    ahead = time(there.now) - Date.now();
    takePast(there);
  }
  return true;
}
/** What is known stays, marked as old. */
function lose(short, words) {
  state('gone', short);
  document.body.toggleAttribute('data-old', true);
  tell(words);
}
function tell(words) {
  for (const each of document.querySelectorAll('.notice')) {
    put(each, words ?? '');
    each.hidden = !words;
  }
}
const isLost = () => $('link').dataset.state === 'gone';
const act = (number, verb) => post(`/jobs/${number}/${verb}`);
/** One after another; what is refused is told, the first of several. */
async function post(...paths) {
  let refusal = null;
  for (const path of paths) {
    if (isLost()) return;
    try {
      const reply = await ask(path, { method: 'POST' });
      if (!reply.ok) refusal ??= (await reply.json()).error?.message ?? `it was refused (${reply.status})`;
    } catch { refusal ??= 'Connection lost: the result of that action is unknown.'; }
  }
  tell(refusal);
}

// ---- Buttons

/** Buttons of `box`: some act, some ask first, for which `ask` takes what is asked. */
function offers(box, ask) {
  const list = [];
  return {
    list,
    act: (words, kind, work) => list.push([words, kind, () => { work(); ask(null); }]),
    ask: (words, kind, what) => list.push([words, kind, () => { ask(what); box.querySelector('input, button')?.focus(); }]),
  };
}
/** `text`: of a field before the buttons, of which Enter presses the first. */
function drawOffers(box, { list }, key, text) {
  key += JSON.stringify([list.map(([words]) => words), text != null]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const buttons = list.map(([words, kind, onclick]) => make('button', { class: kind, onclick }, words));
  box.replaceChildren(...(text == null ? [] : [make('input', { value: text, maxlength: 253, 'aria-label': 'Title' })]), ...buttons);
  box.onkeydown = (event) => { if (event.key === 'Enter' && event.target.value) buttons[0].click(); };
}

// ---- Several jobs that are marked

const marked = new Set();
let isStopping = false;        // whether it is asked before the marked jobs are stopped
/** Of a group those that live, or if none does, those that did not succeed. */
const markable = (job) => !job.members ? job.outcome === 'succeeded' ? [] : [job.number]
  : job.members.filter((each) => each.outcome !== 'succeeded' && !each.outcome === job.live > 0).map((each) => each.number);
function markRow(job, isMarked) {
  for (const number of markable(job)) if (isMarked) marked.add(number); else marked.delete(number);
  draw();
}
function drawMarked() {
  const known = [...marked].map(find).filter((job) => job && job.outcome !== 'succeeded');
  if (known.length < marked.size) { marked.clear(); for (const job of known) marked.add(job.number); }
  $('marked').hidden = !known.length;
  const box = $('marked').querySelector('.acts'), buttons = offers(box, (what) => { isStopping = what; drawMarked(); });
  put($('marked').firstElementChild, `${known.length} marked`);
  const offer = (words, verb, kind, isMeant, isLast) => {
    if (known.some(isMeant)) buttons.act(words, kind, () => {
      const numbers = [...marked].filter((number) => isMeant(find(number))).sort((a, b) => a - b), paths = [];
      for (let at = 0, from; at < numbers.length; at++) {
        from ??= numbers[at];
        // Consecutive ones are one request.
        if (verb !== 'redo' && numbers[at + 1] === numbers[at] + 1) continue;
        paths.push(verb === 'redo' ? `/jobs/${from}/redo` : `/ranges/${from}-${numbers[at]}/${verb}`);
        from = null;
      }
      if (isLast) marked.clear();
      post(...paths);
      draw();
    });
  };
  if (isStopping) {
    const count = known.filter((job) => !job.outcome).length;
    offer(count === 1 ? 'Cancel the job' : `Cancel ${count} jobs`, 'cancel', 'harm', (job) => !job.outcome, true);
    buttons.ask('Keep them', '', false);
  } else {
    offer('Pause', 'pause', '', (job) => ['running', 'stalled'].includes(job.state));
    offer('Resume', 'resume', '', (job) => job.state === 'paused' && !job.pendingReason);
    offer('Try again', 'redo', '', (job) => job.outcome, true);
    if (known.some((job) => !job.outcome)) buttons.ask('Cancel…', 'harm', true);
    buttons.act('Unmark', '', () => { marked.clear(); draw(); });
  }
  drawOffers(box, buttons, '');
}

// ---- Then

let hours = null, only = null;   // how far back, and the only outcome that is shown
const lastDay = () => `/then?since=${present() - 24 * 3600e3}`;
async function fetchPast() {
  const reply = await ask(lastDay()).catch(() => null);
  if (reply?.ok) takePast(await reply.json());
}
function takePast(there) {
  for (const job of there.jobs) past.set(job.number, job);
  isSorted = false;
  if (hours == null) {
    // At first the least that shows all.
    let oldest = Infinity;
    for (const job of past.values()) oldest = Math.min(oldest, time(job.started) ?? Infinity);
    range([1, 6].find((each) => oldest > present() - each * 3600e3) ?? 24);
  }
  draw();
}
function drawPast() {
  if (hours == null) return;
  const from = present() - hours * 3600e3;
  const text = wanted();
  const list = newestFirst([...past.values()].filter((job) => time(job.ended) >= from && matches(job, text)));
  // In one order, so that no button moves while it is about to be pressed.
  const counts = { succeeded: 0, failed: 0, expired: 0, refused: 0, cancelled: 0, interrupted: 0 };
  for (const job of list) counts[job.outcome]++;
  for (const outcome in counts) if (!counts[outcome]) delete counts[outcome];
  if (!counts[only]) only = null;
  ended.show(listed(only ? list.filter((job) => job.outcome === only) : list));
  $('nothing').hidden = list.length > 0;
  put($('nothing'), text ? `No job that ended in this time matches “${text}”.` : 'Nothing has ended in this time.');
  drawTally(counts);
  const going = [...jobs.values()].filter((job) => !job.outcome && job.started).map((job) => job.state);
  const key = `${list.length} ${list[0]?.number} ${going} ${hours} ${text} ${innerWidth} ${Math.floor(present() / 30000)}`;
  if (drawPast.key === key) return;
  drawPast.key = key;
  fetchTimeline(from, key);
}

/** How many ended in each way; a click filters by it. */
function drawTally(counts) {
  const buttons = [...$('tally').querySelectorAll('button')], names = Object.keys(counts);
  if (buttons.map((each) => each.dataset.outcome).join() !== names.join()) {
    $('tally').replaceChildren(...names.flatMap((outcome, index) => [...(index ? [' · '] : []),
      make('button', { 'data-outcome': outcome, onclick: () => { only = only === outcome ? null : outcome; drawPast(); } })]));
  }
  for (const button of $('tally').querySelectorAll('button')) {
    const outcome = button.dataset.outcome;
    put(button, `${counts[outcome]} ${outcome}`);
    mark(button, 'aria-pressed', only === outcome);
  }
}

/** What has run, as `JobPictures` draws it. */
async function fetchTimeline(from, key) {
  const box = $('timeline'), text = encodeURIComponent(wanted());
  const reply = await ask(`/timeline?since=${Math.round(from)}&width=${$('then').clientWidth - 30}&text=${text}`).catch(() => null);
  const markup = reply?.ok ? await reply.text() : null;
  box.classList.remove('early');
  // Another one may have been asked for meanwhile.
  if (markup != null && key === drawPast.key) show(box, markup);
}
/** A picture in which the server has escaped what jobs and people wrote. */
const show = (box, markup) => box.replaceChildren(...new DOMParser().parseFromString(markup, 'text/html').body.childNodes);

// ---- One job

let shown = null, picture = null, asking = null, wish = null;
function open(number) {
  if (shown === number) return;
  shown = number;
  picture = null;
  asking = wish;
  wish = null;
  startLog();
  $('curve').replaceChildren();
  put($('job-title'), `${number}`);
  $('facts').replaceChildren();
  drawFacts.key = null;
  drawJob();
  if (!$('job').open) $('job').showModal();
  $('job').querySelector('.inside').scrollTop = 0;
  if (asking) $('job').querySelector('.acts button')?.focus();
  look();
}
/** Runs one at a time, and once more if it was asked for meanwhile. */
function single(work) {
  let isUnderWay = false, isDue = false;
  return async () => {
    isDue = true;
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      while (isDue) { isDue = false; await work(); }
    } catch { /* What is not answered is asked for again. */ } finally { isUnderWay = false; }
  };
}
const look = single(async () => {
  const number = shown;
  const reply = number != null && await ask(`/jobs/${number}?width=${$('curve').parentNode.clientWidth - 36}`).catch(() => null);
  if (!reply?.ok) return;
  const read = await reply.json();
  if (shown !== number) return;
  picture = read;
  picture.job.heard = present();
  const known = jobs.get(number);
  if (known && !known.outcome) known.pendingReason = read.job.pendingReason;
  drawJob();
  show($('curve'), read.curve ?? '');
  readLog();
});

// ---- Its log: of a file of any length, the pieces around the visible part

const log = { pieces: [], size: 0, follows: true };
const pieceSize = 65536, mostPieces = 24, decoder = new TextDecoder();
function startLog() {
  Object.assign(log, { pieces: [], size: 0, follows: true, text: null });
  $('log').replaceChildren();
  $('log').dataset.is = 'unknown';
  $('find').value = '';
  put($('found'), '');
  drawPlace();
}
/** Bytes from `from` on, else the last. */
async function fetchLog(number, from, most = pieceSize) {
  const reply = await ask(`/jobs/${number}/log?most=${most}${from == null ? '' : `&from=${from}`}`);
  if (!reply.ok) throw reply.status;
  return { from: Number(reply.headers.get('X-From')), size: Number(reply.headers.get('X-Size')), bytes: new Uint8Array(await reply.arrayBuffer()) };
}
const newline = 10;
/** From the first line that begins in it. */
function fromLine(read) {
  if (!read.from) return read;
  const at = read.bytes.indexOf(newline) + 1;
  return { ...read, from: read.from + at, bytes: read.bytes.subarray(at) };
}
function paint(piece) {
  const text = decoder.decode(piece.bytes);
  // Without control sequences; of an overwritten line the last state counts.
  const plain = text.replace(/\x1b(\[[0-9;?]*[ -/]*[@-ln-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[^\[\]])/g, '').replace(/[^\n]*\r(?!\n)/g, '').replace(/[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]/g, '');
  if (!plain.includes('\x1b')) return piece.node.replaceChildren(plain);
  let colour = '', isBold = false;
  piece.node.replaceChildren(...plain.split('\x1b').map((part, index) => {
    const code = index ? /^\[([0-9;]*)m/.exec(part) : null;
    if (code) {
      const codes = code[1].split(';').map(Number);
      for (let at = 0; at < codes.length; at++) {
        const c = codes[at];
        if (!c) { colour = ''; isBold = false; } else if (c === 1) isBold = true; else if (c === 22) isBold = false;
        else if (c >= 30 && c < 38) colour = `c${c - 30}`; else if (c >= 90 && c < 98) colour = `c${c - 90}`; else if (c === 39) colour = '';
        else if (c === 38 || c === 48) {
          if (c === 38 && codes[at + 1] === 5 && codes[at + 2] < 16) colour = `c${codes[at + 2] % 8}`;
          at += codes[at + 1] === 5 ? 2 : 4;
        }
      }
    }
    const words = code ? part.slice(code[0].length) : part.replace(/^\[/, '');
    return colour || isBold ? make('span', { class: `${colour}${isBold ? ' bold' : ''}` }, words) : words;
  }));
}
function addPiece(read, isFirst) {
  const piece = { from: read.from, to: read.from + read.bytes.length, bytes: read.bytes, node: make('div') };
  paint(piece);
  if (isFirst) { log.pieces.unshift(piece); $('log').prepend(piece.node); } else { log.pieces.push(piece); $('log').append(piece.node); }
  return piece;
}
function extend(piece, bytes) {
  const all = new Uint8Array(piece.bytes.length + bytes.length);
  all.set(piece.bytes);
  all.set(bytes, piece.bytes.length);
  let cut = all.length;
  if (all.length > pieceSize) cut = all.lastIndexOf(newline, pieceSize) + 1 || all.length;
  Object.assign(piece, { bytes: all.subarray(0, cut), to: piece.from + cut });
  paint(piece);
  if (cut < all.length) extend(addPiece({ from: piece.to, bytes: all.subarray(0, 0) }), all.subarray(cut));
}
function drop(piece) {
  log.pieces.splice(log.pieces.indexOf(piece), 1);
  piece.node.remove();
}
const readLog = single(async () => { while (await readOn()); });
/** Loads the next piece if it is near; whether there is more. */
async function readOn() {
  const number = shown, last = log.pieces.at(-1), pre = $('log');
  if (number == null || last && !log.follows && !isNearEnd()) return false;
  const read = await fetchLog(number, last?.to);
  if (shown !== number || log.pieces.at(-1) !== last) return shown != null;
  log.size = read.size;
  pre.dataset.is = 'known';
  if (last && read.from < last.to) startLog();
  if (!last) addPiece(fromLine(read)); else if (read.bytes.length) extend(last, read.bytes);
  while (log.pieces.length > mostPieces) { const top = log.pieces[0], high = pre.scrollHeight; drop(top); pre.scrollTop -= high - pre.scrollHeight; }
  if (log.follows) pre.scrollTop = pre.scrollHeight;
  drawPlace();
  return last != null && read.bytes.length >= pieceSize;
}
const isNearEnd = () => $('log').scrollHeight - $('log').scrollTop - $('log').clientHeight < 600;
const readBack = single(async () => {
  const number = shown, first = log.pieces[0], pre = $('log');
  if (number == null || !first?.from || pre.scrollTop > 600) return;
  const from = Math.max(0, first.from - pieceSize), read = fromLine(await fetchLog(number, from, first.from - from));
  if (shown !== number || log.pieces[0] !== first || !read.bytes.length) return;
  const high = pre.scrollHeight, top = pre.scrollTop;
  addPiece(read, true);
  pre.scrollTop = top + pre.scrollHeight - high;
  while (log.pieces.length > mostPieces) drop(log.pieces.at(-1));
  drawPlace();
});
async function showLog(from, back = 0) {
  const number = shown, begin = Math.max(0, from - back), read = fromLine(await fetchLog(number, begin));
  if (shown !== number) return null;
  log.pieces = [];
  $('log').replaceChildren();
  log.size = read.size;
  log.follows = false;
  const piece = addPiece(read);
  $('log').scrollTop = 0;
  drawPlace();
  return piece;
}
function drawPlace() {
  const [first, last] = [log.pieces[0], log.pieces.at(-1)], isWhole = first && !first.from && last.to >= log.size;
  put($('log-place'), !first || isWhole ? '' : `${bytes(first.from)} to ${bytes(last.to)} of ${bytes(log.size)}`);
  $('log-at').hidden = !first || isWhole;
  $('log-at').max = log.size;
  if (document.activeElement !== $('log-at')) $('log-at').value = last?.to ?? 0;
  if ($('follow').checked !== log.follows) $('follow').checked = log.follows;
  $('log').dataset.empty = log.pieces.every((piece) => !piece.bytes.length);
}
let touched = 0;
for (const kind of ['wheel', 'touchmove', 'keydown']) $('log').addEventListener(kind, () => { touched = Date.now(); }, { passive: true });
$('log').onpointerdown = () => { touched = Infinity; };
addEventListener('pointerup', () => { if (touched === Infinity) touched = Date.now(); });
$('log').onscroll = () => {
  // Only scrolling by hand counts.
  if (Date.now() - touched < 1000) log.follows = $('log').scrollHeight - $('log').scrollTop - $('log').clientHeight < 30 && (log.pieces.at(-1)?.to ?? 0) >= log.size;
  if ($('follow').checked !== log.follows) $('follow').checked = log.follows;
  readBack();
  if (isNearEnd()) readLog();
};
$('log-at').onchange = () => showLog(Number($('log-at').value), 1024);
$('follow').onchange = () => {
  log.follows = $('follow').checked;
  if (!log.follows) return;
  if ((log.pieces.at(-1)?.to ?? 0) < log.size - pieceSize) { log.pieces = []; $('log').replaceChildren(); }
  readLog();
};
/** The next match of the search, after or before the current one. */
async function search(isBack) {
  const text = $('find').value, number = shown;
  if (!text) return;
  if (log.text !== text) Object.assign(log, { text, at: null });
  let from = log.at == null ? (isBack ? log.size : 0) : isBack ? log.at : log.at + 1;
  put($('found'), 'searching');
  for (;;) {
    const reply = await ask(`/jobs/${number}/find?text=${encodeURIComponent(text)}&from=${from}${isBack ? '&back=1' : ''}`).catch(() => null);
    if (!reply?.ok || shown !== number) return put($('found'), '');
    const { at, next } = await reply.json();
    if (at != null) { log.at = at; break; }
    if (next == null) return put($('found'), 'not found');
    from = next;
  }
  const piece = await showLog(log.at, 8192);
  if (!piece) return;
  // Which of those in the piece it is.
  const before = decoder.decode(piece.bytes.subarray(0, log.at - piece.from)), low = text.toLowerCase();
  let nth = before.toLowerCase().split(low).length - 1;
  const walk = document.createTreeWalker(piece.node, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const data = node.data.toLowerCase();
    for (let at = data.indexOf(low); at >= 0; at = data.indexOf(low, at + 1)) {
      if (nth--) continue;
      const found = make('mark', {}, node.data.substr(at, text.length)), rest = node.splitText(at);
      rest.data = rest.data.slice(text.length);
      rest.before(found);
      $('log').scrollTop += found.getBoundingClientRect().top - $('log').getBoundingClientRect().top - $('log').clientHeight / 3;
      return put($('found'), `at ${bytes(log.at)}`);
    }
  }
  put($('found'), `at ${bytes(log.at)}`);
}
$('find').onkeydown = (event) => { if (event.key === 'Enter') { event.preventDefault(); search(event.shiftKey); } };
$('find-on').onclick = () => search(false);
$('find-back').onclick = () => search(true);
$('save').onclick = async () => {
  const number = shown, parts = [];
  try {
    for (let from = 0, size = 1; from < size;) {
      const read = await fetchLog(number, from, 1 << 20);
      if (!read.bytes.length) break;
      parts.push(read.bytes);
      from += read.bytes.length;
      size = read.size;
      put($('found'), bytes(from));
    }
  } catch { return tell('A part of the log could not be read.'); }
  put($('found'), '');
  const link = make('a', { href: URL.createObjectURL(new Blob(parts, { type: 'text/plain' })), download: `job-${number}.log` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

function drawJob() {
  const known = jobs.get(shown), job = known?.command !== undefined || !picture ? known ?? past.get(shown) : picture.job;
  if (!job) return;
  const panel = $('job'), within = (name) => panel.querySelector(name);
  put($('job-title'), `${job.number} ${name(job)}`);
  const chip = within('.chip');
  chip.className = `chip ${mood(job)}`;
  put(chip, fate(job));
  put(within('.sub'), job.subtitle || job.definition || '');
  within('.bar').className = `bar ${mood(job)}`;
  fill(within('.bar'), job);
  const said = numbers(job, present()), done = job.progress && job.state !== 'queued' ? amount(job.progress) : '';
  put(within('.nums'), [said, !said.includes(done) && done].filter(Boolean).join(' · '));
  const why = job.prompt?.question ?? job.message ?? job.warning ?? job.stopReason?.message ?? cause(job);
  put(within('.said'), why ?? '');
  within('.said').hidden = !why;
  drawActs(job);
  if (picture) drawFacts({ ...picture.job, ...job });
}
function drawActs(job) {
  const box = $('job').querySelector('.acts'), buttons = offers(box, (what) => { asking = what; drawJob(); });
  const button = (words, verb, kind) => buttons.act(words, kind, () => act(job.number, verb));
  if (!readOnly && !job.outcome) {
    if (asking === 'stop' && job.state !== 'stalled' || asking === 'rename' && job.state !== 'queued') asking = null;
    if (asking === 'rename') buttons.act('Rename', 'main', () => act(job.number, `rename?title=${encodeURIComponent(box.querySelector('input').value)}`));
    else if (asking === 'stop') button('Stop the job', 'stop', 'harm');
    else if (asking) button(job.state === 'stopping' ? 'Kill it now' : 'Cancel the job', job.state === 'stopping' ? 'kill' : 'cancel', 'harm');
    if (asking) {
      buttons.ask('Keep it', '', null);
    } else {
      if (job.state === 'stalled') button('Continue', 'continue', 'main');
      if (['running', 'stalled'].includes(job.state)) button('Pause', 'pause');
      if (job.state === 'paused' && !job.pendingReason) {
        button('Resume', 'resume', 'main');
        button('Resume in 10 min', 'pause?for=600');
        button('Resume in 1 h', 'pause?for=3600');
        if (job.paused?.until) button('Stay paused', 'pause');
      }
      if (job.state === 'queued') {
        button('Make it the next', 'first');
        buttons.ask('Rename…', '', 'rename');
      }
      buttons.ask(job.state === 'stopping' ? 'Kill…' : job.state === 'stalled' ? 'Stop…' : 'Cancel…', 'harm', job.state === 'stalled' ? 'stop' : 'cancel');
    }
  } else if (!readOnly && job.outcome && job.outcome !== 'succeeded') {
    button('Try again', 'redo');
  }
  drawOffers(box, buttons, job.number, asking === 'rename' ? job.title : null);
}
function drawFacts(job) {
  const facts = {
    Identifier: job.identifier, On: place(job), 'Name there': job.engineJob, Command: typed(job.command), Folder: job.directory, Submitted: job.submitted && moment(job.submitted),
    Started: job.started && moment(job.started), Ended: job.ended && moment(job.ended), Attempts: job.attempt > 1 ? job.attempt : null, Group: job.group,
    'Exit code': job.exitCode, Signal: job.signal && signal(job.signal), Process: job.pid, Priority: job.priority !== 'normal' ? job.priority : null,
    Requires: job.requires?.join(', '), After: job.after?.join(', '), 'Not before': job.earliest && moment(job.earliest),
    'Processor time': job.cpuSeconds != null ? clock(job.cpuSeconds) : null, 'Most memory': job.maxResidentBytes ? bytes(job.maxResidentBytes) : null,
    'Progress seen in': job.progress && `its ${({ page: 'reports', osc: 'signs to the taskbar', output: 'output', file: 'input' })[job.progress.source] ?? job.progress.source}${job.progress.recogniser ? ` (${job.progress.recogniser})` : ''}`, Log: job.log,
  };
  const entries = Object.entries(facts).filter(([, value]) => value != null && value !== '').map(([name, value]) => [name, String(value)]);
  const key = JSON.stringify(entries);
  if (drawFacts.key === key) return;
  drawFacts.key = key;
  $('facts').replaceChildren(...entries.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

// ---- Hands

/** Each job, group and tab has an address, for Back and links. */
let steps = 0;
function go(path) {
  if (location.hash === `#${path}`) return route();
  steps++;
  location.hash = path;
}
function route() {
  const [, kind = '', what = ''] = location.hash.slice(1).split('/');
  const number = kind === 'jobs' && Number(what) ? Number(what) : null;
  const at = ['groups', 'batches'].includes(kind) && what ? [kind, decodeURIComponent(what)] : null;
  if (number == null) $('job').close();
  if (!at) $('group').close();
  if (number != null) open(number);
  else if (at) openGroup(...at);
  else choose(kind === 'history' ? 'then' : 'now');
}
/** Closing is like Back. */
function back() {
  if (steps > 0) { steps--; history.back(); } else { history.replaceState(null, '', tab === 'then' ? '#/history' : '#/now'); route(); }
}
/** The address of what is seen; who opens it needs the key, which is not in it. */
for (const button of document.querySelectorAll('.copy')) button.onclick = async () => {
  await navigator.clipboard.writeText(location.href).then(() => put($('spoken'), 'Link copied'), () => tell(location.href));
  button.classList.add('done');
  setTimeout(() => button.classList.remove('done'), 2000);
};
addEventListener('hashchange', async () => {
  // The whole address was pasted into this page.
  if (await exchange() && await isWelcome()) { tell(null); follow(true); }
  route();
});

// ---- One group, or the jobs of one submission

let group = null;
function openGroup(kind, what) {
  group = { kind, what, asking: false };
  $('members').replaceChildren();
  if (kind === 'groups') recount(fold(`group:${what}`, { name: what, title: what }));
  drawGroup();
  if (!$('group').open) $('group').showModal();
}
function drawGroup() {
  const of = group.kind === 'groups' ? folds.get(`group:${group.what}`) : [...folds.values()].find((each) => !each.name && each.begin === Number(group.what));
  const within = (name) => $('group').querySelector(name);
  put($('group-title'), of?.title ?? group.what);
  if (!of) return put(within('.nums'), 'No job of it is known.');
  const chip = within('.chip');
  chip.className = `chip ${mood(of)}`;
  put(chip, fate(of));
  within('.bar').className = `bar ${mood(of)}`;
  fill(within('.bar'), of);
  put(within('.nums'), [foldSentence(of), numbers(of, present())].filter(Boolean).join(' · '));
  const path = of.name ? `/groups/${encodeURIComponent(of.name)}` : `/ranges/${of.begin}-${of.begin + Math.max(of.most, 1) - 1}`;
  const box = within('.acts'), buttons = offers(box, (what) => { group.asking = what; drawGroup(); });
  const button = (words, verb, kind) => buttons.act(words, kind, () => post(`${path}/${verb}`));
  if (!readOnly && group.asking && of.live) {
    button(of.live === 1 ? 'Cancel the job' : `Cancel ${of.live} jobs`, 'cancel', 'harm');
    buttons.ask('Keep them', '', false);
  } else if (!readOnly) {
    if (of.running > of.paused) button('Pause all', 'pause');
    if (of.paused) button('Resume all', 'resume', 'main');
    const failed = of.members.filter(hasFailed);
    if (failed.length) buttons.act(`Try ${failed.length} failed again`, '', () => post(...failed.map((job) => `/jobs/${job.number}/redo`)));
    if (of.live) buttons.ask('Cancel…', 'harm', true);
  }
  drawOffers(box, buttons, of.number);
  // Failed, live, others.
  const rank = (job) => hasFailed(job) ? 0 : job.outcome ? 3 : job.state === 'queued' ? 2 : 1;
  const members = [...of.members].sort((a, b) => rank(a) - rank(b) || a.number - b.number), seen = members.slice(0, 300);
  const key = JSON.stringify([seen.map((job) => [job.number, fate(job), sentence(job)]), members.length]);
  if (group.key === key) return;
  group.key = key;
  $('members').replaceChildren(...seen.map((job) => make('li', {}, make('button', { onclick: () => go(`/jobs/${job.number}`) },
    make('span', { class: 'number' }, String(job.number)), make('bdi', { class: 'title' }, name(job)), make('bdi', { class: 'sub' }, hasFailed(job) ? sentence(job) : ''),
    make('span', { class: `chip ${mood(job)}` }, fate(job))))), ...(members.length > seen.length ? [make('li', {}, `and ${members.length - seen.length} more`)] : []));
}

function choose(name) {
  tab = name;
  marked.clear();
  for (const each of ['now', 'then']) {
    $(each).hidden = each !== name;
    mark($(`tab-${each}`), 'aria-selected', each === name);
    $(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }
  scrollTo(0, 0);
  if (name === 'then') fetchPast();
  isSorted = false;
  drawNow();
}
for (const name of ['now', 'then']) $(`tab-${name}`).onclick = () => go(name === 'now' ? '/now' : '/history');
document.querySelector('[role=tablist]').onkeydown = (event) => {
  if (!['ArrowLeft', 'ArrowRight'].includes(event.key)) return;
  const next = tab === 'now' ? 'then' : 'now';
  go(next === 'now' ? '/now' : '/history');
  $(`tab-${next}`).focus();
};
const ranges = [...document.querySelectorAll('.ranges button')];
function range(value) {
  hours = value;
  for (const each of ranges) {
    mark(each, 'aria-checked', Number(each.dataset.hours) === value);
    each.tabIndex = Number(each.dataset.hours) === value ? 0 : -1;
  }
  draw();
}
ranges.forEach((button, index) => {
  button.onclick = () => range(Number(button.dataset.hours));
  button.onkeydown = (event) => {
    const next = ranges[index + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? NaN)];
    if (next) { next.focus(); next.click(); }
  };
});
$('filter').oninput = () => { isSorted = false; draw(); };
$('unfilter').onclick = () => { $('filter').value = ''; isSorted = false; draw(); $('filter').focus(); };
for (const panel of [$('job'), $('group')]) {
  panel.querySelector('.close').onclick = () => panel.close();
  panel.onclick = (event) => { if (event.target === panel) panel.close(); };
}
$('job').onclose = () => { shown = null; picture = null; if (/^#\/jobs\//.test(location.hash)) back(); };
$('group').onclose = () => { group = null; if (/^#\/(groups|batches)\//.test(location.hash)) back(); };
// Another page got a new key.
addEventListener('storage', (event) => { if (event.newValue && event.newValue !== key) { key = event.newValue; follow(false); } });
addEventListener('resize', () => { draw(); look(); });
document.addEventListener('visibilitychange', shift);
/** Why a job waits changes without an event of it: of those on the screen it is asked. */
const fetchReasons = single(async () => {
  const seen = tab === 'now' ? [...live.rows.keys()].map((number) => jobs.get(number)).filter((job) => job?.state === 'queued' && job.engine) : [];
  if (!seen.length) return;
  const reply = await ask(`/reasons?of=${seen.map((job) => job.number)}`);
  if (reply.ok) for (const told of await reply.json()) Object.assign(jobs.get(told.number) ?? {}, { pendingReason: told.pendingReason });
  draw();
});
setInterval(() => {
  if (source?.readyState === 1 && Date.now() - heardAt > silence) source.onerror();
  if (document.hidden || isLost()) return;
  if (++look.count % 5 === 0) fetchReasons();
  if (jobs.size || tab === 'then') draw();
  const job = jobs.get(shown);
  if (shown != null && job && !job.outcome) { readLog(); if (picture && look.count % 3 === 0) look(); }
}, 1000);
look.count = 0;

await exchange();
if (await isWelcome()) follow(true);
route();
if (document.hidden) shift();
