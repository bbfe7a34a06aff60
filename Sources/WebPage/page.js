// The page of jobrun: jobs as the runner's feed tells them, drawn only as far as they are seen.
// What jobs and people wrote is set as text, never as markup.

const $ = (id) => document.getElementById(id);
const jobs = new Map();        // number → job, of those that have not ended, and those that just have
const past = new Map();        // number → job that has ended
const groups = new Map();      // name → the line of a group, which is drawn as a job's
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
/** The time alone for today's. */
const brief = (text) => new Date(text).toLocaleString('en-GB', {
  ...(new Date(text).toDateString() === new Date().toDateString() ? {} : { weekday: 'short', day: 'numeric', month: 'short' }), hour: '2-digit', minute: '2-digit',
});
const moment = (text) => new Date(text).toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' });
/** A title of which nothing can be seen names nothing. */
const name = (job) => /[^\p{C}\p{Z}]/u.test(job.title) ? job.title : job.identifier;
const percent = (job) => {
  const p = job.progress;
  if (!p || p.fraction == null) return null;
  // What is only recognised is not whole before the job has ended, whatever its counts.
  return p.completed >= p.total && p.fraction >= 1 ? 100 : Math.min(99, Math.floor(p.fraction * 100));
};
const mood = (job) => ({ succeeded: 'good', cancelled: 'left', interrupted: 'left' }[job.outcome]
  ?? (job.outcome ? 'bad' : { queued: 'queued', stalled: 'warned', stopping: 'warned', paused: 'left' }[job.state] ?? 'going'));
const fate = (job) => job.outcome ?? (job.state === 'queued' ? 'waiting' : job.state === 'stalled' ? 'asks' : job.state === 'launching' ? 'starting' : job.state);
const ran = (job, now) => {
  const from = time(job.started);
  return from == null ? null : ((time(job.ended) ?? now) - from) / 1000 - (job.paused?.seconds ?? 0);
};

/** What stands below the bar: how much, how fast, how long. */
function numbers(job, now) {
  if (job.members) return groupNumbers(job, now);
  if (job.outcome) {
    const length = ran(job, now);
    return [length == null ? 'never started' : `ran ${clock(length)}`, job.ended && `ended ${brief(job.ended)}`].filter(Boolean).join(' · ');
  }
  if (job.state === 'queued') {
    const begins = job.pendingReason?.code === 'notBefore' && job.earliest && `not before ${brief(job.earliest)}`;
    return [job.position && `${job.position}. in line`, begins || job.pendingReason?.message].filter(Boolean).join(' · ');
  }
  const p = job.progress, parts = [];
  if (p) {
    const share = percent(job);
    if (share != null) parts.push(`${share} %`);
    if (job.state === 'running') {
      parts.push(rate(p));
      if (p.eta != null) parts.push(left(p.eta - (now - job.heard) / 1000));
    }
    if (parts.filter(Boolean).length < 2) parts.push(amount(p));
    if (p.note) parts.push(p.note);
  }
  if (job.state === 'paused') parts.push(job.pendingReason?.message);
  if (parts.filter(Boolean).length < 2) parts.push(clock(ran(job, now) ?? 0));
  return parts.filter(Boolean).join(' · ');
}
const signals = ' HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM'.split(' ');
const signal = (number) => signals[number] ? `SIG${signals[number]}` : `signal ${number}`;
const cause = (job) => job.exitCode ? `exit code ${job.exitCode}` : job.signal ? `killed by ${signal(job.signal)}` : null;
const sentence = (job) => job.members ? groupSentence(job) : job.prompt ? 'Stalled. Continue?' : (job.outcome ? job.message ?? job.stopReason?.message ?? cause(job) : null)
  ?? job.warning ?? job.stopReason?.message ?? (job.subtitle || job.definition || job.command?.join(' ') || job.group || '');

// ---- What is drawn

function make(tag, attributes = {}, ...children) {
  const svg = ['svg', 'path', 'rect', 'text', 'polyline', 'polygon', 'circle', 'title'].includes(tag);
  const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') element.onclick = value;
    else if (value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
/** Touches the document only where something has changed. */
function put(element, text) { if (element.textContent !== text) element.textContent = text; }
function mark(element, name, value) {
  if (value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}
function fill(bar, job) {
  const share = percent(job);
  bar.classList.toggle('unknown', share == null && !job.outcome && ['running', 'launching'].includes(job.state));
  bar.classList.toggle('none', Boolean(job.outcome && job.outcome !== 'succeeded' && share == null));
  bar.style.setProperty('--share', job.outcome === 'succeeded' ? 1 : job.progress?.fraction ?? 0);
  mark(bar, 'aria-valuenow', share);
  mark(bar, 'aria-valuemin', share == null ? null : 0);
  mark(bar, 'aria-valuemax', share == null ? null : 100);
}

/** A long list of which only what is seen is in the document. */
class LongList {
  /** `isNested`: jobs of a group stand below its line. */
  constructor(list, isNested) {
    this.list = list;
    this.isNested = isNested;
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
      // What has the keyboard stays, as long as there is such a job.
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
      // In the order in which they are heard and reached by the keyboard.
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
    parts.open = make('button', { class: 'open', onclick: () => press(number) }, parts.number, parts.title);
    parts.element = make('li', { class: 'row' }, parts.open, parts.chip, parts.bar, parts.sub, parts.nums);
    return parts;
  }

  write(row, job, now) {
    const asks = job.state === 'stalled' && !readOnly && !job.members;
    const kind = job.members ? ' group' : this.isNested && job.group ? ' member' : '';
    const style = `row ${mood(job)}${asks ? ' asks' : ''}${kind}`;
    if (row.element.className !== style) row.element.className = style;
    put(row.number, !job.members ? String(job.number) : isOpen(job) ? '▾' : '▸');
    mark(row.number, 'aria-hidden', job.members ? 'true' : null);
    mark(row.open, 'aria-expanded', job.members ? isOpen(job) : null);
    put(row.title, name(job));
    put(row.chip, fate(job));
    put(row.sub, sentence(job));
    put(row.nums, numbers(job, now));
    fill(row.bar, job);
    mark(row.bar, 'aria-label', `Progress of ${job.members ? `group ${job.title}` : `job ${job.number}`}`);
    mark(row.bar, 'aria-hidden', job.state === 'queued' || job.outcome ? 'true' : null);
    if (asks && !row.ask) {
      row.ask = make('div', { class: 'ask' },
        make('button', { class: 'main', 'aria-label': `Continue job ${job.number}`, onclick: () => act(job.number, 'continue') }, 'Continue'),
        make('button', { class: 'harm', 'aria-label': `Stop job ${job.number}`, onclick: () => act(job.number, 'stop') }, 'Stop'));
      row.element.append(row.ask);
    } else if (!asks && row.ask) {
      row.ask.remove();
      row.ask = null;
    }
  }

  /** Arrow keys go from job to job. */
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
const live = new LongList($('live'), true);
const ended = new LongList($('ended'), false);

// ---- Groups

const wanted = () => $('filter').value.trim().toLowerCase();
/** With a filter all that it finds is seen. */
const isOpen = (group) => group.isOpen || wanted() !== '';
function groupOf(name) {
  let group = groups.get(name);
  if (!group) groups.set(name, group = { number: `group:${name}`, title: name, isOpen: false, ended: {}, pace: [] });
  return group;
}
/** Asks the runner, at most once a second, how those have ended that belong to what lives. */
function recount(group) {
  if (group.isDue) return;
  group.isDue = true;
  setTimeout(async () => {
    group.isDue = false;
    const reply = await ask(`/groups/${encodeURIComponent(group.title)}`).catch(() => null);
    if (!reply?.ok) return;
    // How fast it is shows from here on.
    if (!group.isCounted) group.pace = [];
    group.isCounted = true;
    group.ended = await reply.json();
    draw();
  }, group.members ? 1000 : 0);
}
/** Brings the lines of groups up to date with their jobs. */
function gather() {
  for (const group of groups.values()) Object.assign(group, { members: [], live: 0, running: 0, paused: 0, asking: 0, done: 0, first: Infinity, position: Infinity });
  for (const job of jobs.values()) {
    if (!job.group) continue;
    const group = groupOf(job.group);
    group.members.push(job);
    group.first = Math.min(group.first, job.number);
    if (job.outcome) continue;
    group.live++;
    if (job.state === 'queued') group.position = Math.min(group.position, job.position ?? Infinity);
    else group.running++;
    if (job.state === 'stalled') group.asking++;
    if (job.state === 'paused') group.paused++;
    group.done += job.progress?.fraction ?? 0;
  }
  const now = present();
  for (const group of groups.values()) {
    const { succeeded = 0, failed = 0, cancelled = 0 } = group.ended, over = succeeded + failed + cancelled;
    group.over = over;
    group.done += over;
    group.total = Math.max(1, over + group.live);
    group.outcome = group.live ? null : failed ? 'failed' : cancelled ? 'cancelled' : 'succeeded';
    group.state = group.asking ? 'stalled' : !group.running ? 'queued' : group.running > group.paused ? 'running' : 'paused';
    if (group.running) group.position = 0;
    group.progress = { unit: 'items', completed: over, total: group.total, fraction: group.done / group.total };
    // How fast it was in the last two minutes.
    if (!(now - group.pace.at(-1)?.[0] < 1000)) group.pace.push([now, group.done]);
    if (now - group.pace[0][0] > 120e3) group.pace.shift();
  }
}
function groupNumbers(group, now) {
  const parts = [`${percent(group)} %`], [at, done] = group.pace[0];
  if (group.running) parts.push(`${group.running} running`);
  if (group.live > group.running) parts.push(`${group.live - group.running} waiting`);
  if (group.live && group.done > done && now - at > 5000) parts.push(left((group.total - group.done) * (now - at) / 1000 / (group.done - done)));
  return parts.join(' · ');
}
function groupSentence(group) {
  const { failed, cancelled } = group.ended;
  return [`${group.over} of ${group.total} jobs ended`, failed && `${failed} failed`, cancelled && `${cancelled} cancelled`].filter(Boolean).join(' · ');
}
function press(number) {
  const group = groups.get(String(number).replace(/^group:/, ''));
  if (group?.number !== number) return open(number);
  group.isOpen = !group.isOpen;
  isSorted = false;
  drawNow();
}

// ---- Now

let isSorted = false, isDue = false, order = [];
const rank = (job) => job.outcome ? 1 : { stalled: 0, queued: 2 }[job.state] ?? 1;
const seat = (job) => job.state === 'queued' ? job.position ?? Infinity : 0;
const precede = (a, b) => rank(a) - rank(b) || seat(a) - seat(b) || (a.first ?? a.number) - (b.first ?? b.number);
const matches = (job, text) => !text || [job.title, job.definition, job.group].some((each) => each?.toLowerCase().includes(text)) || String(job.number) === text;

/** The lines of *Now*: of a group that is not opened only the jobs that ask. */
function sorted() {
  const text = wanted(), found = new Map(), lines = [];
  for (const job of jobs.values()) {
    if (!matches(job, text)) continue;
    if (!job.group) lines.push(job);
    else if (found.has(job.group)) found.get(job.group).push(job);
    else { found.set(job.group, [job]); lines.push(groupOf(job.group)); }
  }
  return lines.sort(precede).flatMap((line) => !line.members ? [line]
    : [line, ...found.get(line.title).filter((job) => isOpen(line) || job.state === 'stalled').sort(precede)]);
}

/** Draws soon, and not more often than a person can see. */
function draw() {
  if (isDue) return;
  isDue = true;
  // Nothing is drawn for a page that is not seen, but its title goes on.
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
    $('idle').hidden = order.length > 0 || newest == null;
  } else {
    drawPast();
  }
  let running = 0, waiting = 0, asking = 0;
  for (const job of jobs.values()) {
    if (job.outcome) continue;
    if (job.state === 'queued') waiting++; else if (job.state === 'stalled') asking++; else running++;
  }
  const words = [asking && `${asking} ${asking === 1 ? 'asks' : 'ask'}`, running && `${running} running`, waiting && `${waiting} waiting`].filter(Boolean).join(' · ');
  put($('counts'), words);
  // What is not heard of is not told, either.
  const title = words && !rests ? `${words} · jobrun` : 'jobrun';
  if (document.title !== title) document.title = title;
  if (shown != null) drawJob();
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
  // The same object: it stands in the order that is drawn, too.
  const job = Object.assign(before ?? {}, line.job, { heard: now });
  jobs.set(job.number, job);
  if (job.group && ['submitted', 'snapshot', 'ended'].includes(line.event)) {
    const group = groupOf(job.group);
    if (line.event === 'ended') {
      const how = { succeeded: 'succeeded', cancelled: 'cancelled' }[job.outcome] ?? 'failed';
      group.ended[how] = (group.ended[how] ?? 0) + 1;
    }
    recount(group);
  }
  if (line.event === 'ended') {
    past.set(job.number, job);
    put($('spoken'), `Job ${job.number}, ${job.title}, ${job.outcome}`);
    // It stays where it was for a moment, to be seen.
    setTimeout(() => { if (jobs.get(job.number)?.outcome) { jobs.delete(job.number); isSorted = false; draw(); } }, 5000);
  } else if (job.outcome) {
    jobs.delete(job.number);
  }
  if (shown === job.number && line.event !== 'progress') look();
  draw();
}

// ---- The way to jobrun web

// A cookie would be shown to what other users of the machine serve on other ports of it: this is the page's own.
let key = null;
try { key = localStorage.getItem('key'); } catch { /* Without it, each page needs the whole address. */ }
const ask = (path, options = {}) => fetch(path, { ...options, headers: { 'X-Key': key ?? '', ...options.headers } });

/** The token of the address is exchanged, and does not stay there. */
async function exchange() {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, '', '/');
  const reply = await fetch('/session', { method: 'POST', headers: { 'X-Token': token } }).catch(() => null);
  if (!reply?.ok) return;
  key = await reply.text();
  try { localStorage.setItem('key', key); } catch { /* Known as long as this page is. */ }
}

// ---- The feed

let source = null, tries = 0, rests = false;
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
    isSorted = false;
    look();
    draw();
  });
  source.onopen = () => {
    tries = 0;
    if ($('link').dataset.state === 'gone') tell(null);
    state('live', 'live');
  };
  source.onmessage = (event) => {
    newest = event.lastEventId || newest;
    for (const line of event.data.split('\n')) take(JSON.parse(line));
  };
  source.onerror = () => {
    if ($('link').dataset.state !== 'gone') state('waiting', 'reconnecting');
    // Some browsers try for ever, and say nothing of it.
    if (source.readyState !== EventSource.CLOSED && ++tries < 4) return;
    source.close();
    setTimeout(async () => { if (await isWelcome()) follow(false); }, Math.min(5000, 250 * 2 ** tries++));
  };
}

/**
 * A browser has six connections to one origin, and each feed takes one: of the pages that are not seen one
 * goes on listening, for its title tells of questions; the others rest until they are seen.
 */
let wake = null;
function show() {
  wake?.();
  wake = null;
  if (document.hidden) {
    // What was to be drawn with the next frame would wait for ever.
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
  follow(false);
  draw();
}

/** Whether this page may ask; says what is to be done if not. */
async function isWelcome() {
  let reply;
  try {
    reply = await ask(`/then?since=${present() + 60000}`);
  } catch {
    state('gone', 'jobrun web has ended');
    tell('jobrun web does not answer any more: this is how all was then.');
    setTimeout(async () => { if (await isWelcome()) follow(false); }, 3000);
    return false;
  }
  if (reply.status === 403) {
    state('gone', 'not connected');
    tell('Open the address that jobrun web has printed, with all that follows its #.');
    return false;
  }
  if (reply.ok) {
    const there = await reply.json();
    readOnly = there.readOnly;
    ahead = time(there.now) - Date.now();
  }
  return true;
}
function tell(words) {
  put($('notice'), words ?? '');
  $('notice').hidden = !words;
}
async function act(number, verb) {
  try {
    const reply = await ask(`/jobs/${number}/${verb}`, { method: 'POST' });
    tell(reply.ok ? null : (await reply.json()).error?.message ?? `it was refused (${reply.status})`);
  } catch { tell('jobrun web does not answer any more.'); }
}

// ---- Then

let hours = null, only = null;   // how far back, and the only outcome that is shown
async function fetchPast() {
  const reply = await ask(`/then?since=${present() - 24 * 3600e3}`).catch(() => null);
  if (!reply?.ok) return;
  for (const job of (await reply.json()).jobs) past.set(job.number, job);
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
  const list = [...past.values()].filter((job) => time(job.ended) >= from && matches(job, text)).sort((a, b) => time(b.ended) - time(a.ended) || b.number - a.number);
  // Always in the same order, so that what is about to be pressed stays where it is.
  const counts = { succeeded: 0, failed: 0, expired: 0, refused: 0, cancelled: 0, interrupted: 0 };
  for (const job of list) counts[job.outcome]++;
  for (const outcome in counts) if (!counts[outcome]) delete counts[outcome];
  if (!counts[only]) only = null;
  ended.show(only ? list.filter((job) => job.outcome === only) : list);
  $('nothing').hidden = list.length > 0;
  const words = Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(' · ');
  const going = [...jobs.values()].filter((job) => !job.outcome && job.started && matches(job, text));
  const key = `${list.length} ${list[0]?.number} ${going.length} ${hours} ${innerWidth} ${Math.floor(present() / 10000)}`;
  if ($('tally').textContent === words && drawPast.key === key) return;
  drawPast.key = key;
  drawTally(counts);
  drawTimeline([...list, ...going], from, words);
}

/** How many ended how; each shows only those, and all when it is pressed again. */
function drawTally(counts) {
  const buttons = [...$('tally').querySelectorAll('button')], names = Object.keys(counts);
  if (buttons.map((each) => each.dataset.outcome).join() !== names.join()) {
    $('tally').replaceChildren(...names.flatMap((outcome, index) => [...(index ? [' · '] : []),
      make('button', { 'data-outcome': outcome, onclick: () => { only = only === outcome ? null : outcome; drawPast.key = null; drawPast(); } })]));
  }
  for (const button of $('tally').querySelectorAll('button')) {
    const outcome = button.dataset.outcome;
    put(button, `${counts[outcome]} ${outcome}`);
    mark(button, 'aria-pressed', only === outcome);
  }
}

/** Round times of the clock between two instants; days where they are further apart than that. */
function ticks(from, to, most) {
  const day = 86400e3, week = 7 * day, span = to - from;
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
  const step = 1000 * steps.find((each) => span / 1000 / each < most) || week * Math.ceil(span / week / most);
  const offset = new Date(from).getTimezoneOffset() * 60000, result = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) {
    // At noon it is that day, also where the clocks were changed meanwhile.
    const date = new Date(step < day ? at : at + day / 2);
    result.push([at, step >= day ? `${date.getDate()}. ${date.getMonth() + 1}.`
      : `${two(date.getHours())}:${two(date.getMinutes())}${step < 60000 ? `:${two(date.getSeconds())}` : ''}`]);
  }
  return result;
}

/** A bar for each job, as many rows as ran at once. */
function drawTimeline(all, since, words) {
  const width = $('timeline').clientWidth - 28, to = present(), lanes = [], bars = [];
  // Nothing is shown of a time in which nothing was.
  const first = all.reduce((least, job) => Math.min(least, time(job.started ?? job.ended)), to);
  const from = Math.max(since, first - (to - first) / 50);
  const x = (at) => Math.max(0, Math.min(width, (at - from) / (to - from) * width));
  for (const job of all.filter((each) => each.started).sort((a, b) => time(a.started) - time(b.started))) {
    const begin = time(job.started), end = time(job.ended) ?? to;
    let lane = lanes.findIndex((each) => each.end <= begin);
    if (lane < 0) lane = lanes.push({ end: from, drawn: -1 }) - 1;
    const row = lanes[lane];
    const wait = [x(Math.max(time(job.submitted), row.end)), x(begin)];
    row.end = Math.max(row.end, end);
    // What failed is seen, however short it was; of several in one place one stands for all.
    const isBad = mood(job) === 'bad';
    if (lane >= 48 || x(end) < row.drawn + 1 && (!isBad || row.isBad)) continue;
    row.isBad = isBad;
    row.drawn = Math.max(x(end), x(begin) + 2);
    bars.push({ job, lane, wait, from: x(begin), to: row.drawn });
  }
  const rows = Math.min(48, Math.max(1, lanes.length)), thick = rows > 12 ? 10 : 18, height = rows * thick + 22;
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': `Timeline: ${words || 'nothing'}` });
  for (const [at, label] of ticks(from, to, width / 80)) {
    svg.append(make('path', { class: 'tick', d: `M${x(at)} 0V${height - 16}` }));
    if (x(at) > 16 && x(at) < width - 16) svg.append(make('text', { class: 'middle', x: x(at), y: height - 3 }, label));
  }
  for (const bar of bars.sort((a, b) => (mood(a.job) === 'bad') - (mood(b.job) === 'bad'))) {
    const y = bar.lane * thick + 2, size = { y, height: thick - 4, rx: 3 };
    if (bar.wait[1] - bar.wait[0] > 3) svg.append(make('rect', { class: 'wait', x: bar.wait[0], width: bar.wait[1] - bar.wait[0], ...size }));
    svg.append(make('rect', { class: `job ${mood(bar.job)}`, x: bar.from, width: bar.to - bar.from, ...size, onclick: () => open(bar.job.number) },
      make('title', {}, `${bar.job.number} ${bar.job.title}, ${fate(bar.job)}`)));
  }
  $('timeline').replaceChildren(svg);
}

// ---- One job

let shown = null, picture = null, logNext = null, asksFirst = false;
function open(number) {
  shown = number;
  picture = null;
  logNext = null;
  asksFirst = false;
  $('log').replaceChildren();
  $('curve').hidden = true;
  drawJob();
  $('job').showModal();
  $('job').querySelector('.inside').scrollTop = 0;
  look();
}
/** One at a time; asked for meanwhile, it is done once more: two at once would lose what the first brings. */
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
  const reply = number != null && await ask(`/jobs/${number}`).catch(() => null);
  if (!reply?.ok) return;
  const read = await reply.json();
  if (shown !== number) return;
  picture = read;
  picture.job.heard = present();
  drawJob();
  drawCurve();
  readLog();
});
const readLog = single(async () => { while (await readPiece()); });
/** Whether there is more. */
async function readPiece() {
  const number = shown, from = logNext;
  const reply = number != null && await ask(`/jobs/${number}/log${from == null ? '' : `?from=${from}`}`).catch(() => null);
  if (!reply?.ok) return false;
  const text = await reply.text(), pre = $('log');
  // Another job is shown by now, or this one afresh.
  if (shown !== number || logNext !== from) return shown != null;
  const start = Number(reply.headers.get('X-From'));
  if (from != null && start < from) pre.replaceChildren();
  logNext = Number(reply.headers.get('X-Next'));
  if (!text) return false;
  const follows = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 40;
  // What steers terminals is left out; of a line that was drawn over, the last state counts.
  const plain = text.replace(/\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|.)/g, '').replace(/[^\n]*\r(?!\n)/g, '').replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');
  pre.append(plain);
  while (pre.childNodes.length > 64) pre.firstChild.remove();
  if (follows) pre.scrollTop = pre.scrollHeight;
  return logNext - start >= 65536;
}

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
  const acts = [];
  const button = (words, verb, kind) => acts.push([words, kind, () => { asksFirst = false; act(job.number, verb); drawJob(); }]);
  const choose = (words, asks, kind) => acts.push([words, kind, () => { asksFirst = asks; drawJob(); $('job').querySelector('.acts button')?.focus(); }]);
  if (!readOnly && !job.outcome) {
    if (asksFirst) {
      button(job.state === 'stopping' ? 'Kill it now' : 'Cancel the job', job.state === 'stopping' ? 'kill' : 'cancel', 'harm');
      choose('Let it go on', false);
    } else {
      if (job.state === 'stalled') { button('Continue', 'continue', 'main'); button('Stop', 'stop', 'harm'); }
      if (['running', 'stalled'].includes(job.state)) button('Pause', 'pause');
      if (job.state === 'paused') button('Resume', 'resume', 'main');
      choose(job.state === 'stopping' ? 'Kill…' : 'Cancel…', true, 'harm');
    }
  } else if (!readOnly && job.outcome && job.outcome !== 'succeeded') {
    button('Try again', 'redo');
  }
  const key = JSON.stringify(acts.map(([words]) => words)) + job.number;
  if (drawActs.key === key) return;
  drawActs.key = key;
  $('job').querySelector('.acts').replaceChildren(...acts.map(([words, kind, onclick]) => make('button', { class: kind, onclick }, words)));
}
function drawFacts(job) {
  const facts = {
    Identifier: job.identifier, Command: job.command?.join(' '), Folder: job.directory, Submitted: job.submitted && moment(job.submitted),
    Started: job.started && moment(job.started), Ended: job.ended && moment(job.ended), Attempts: job.attempt > 1 ? job.attempt : null, Group: job.group,
    'Exit code': job.exitCode, Signal: job.signal && signal(job.signal), Process: job.pid, Priority: job.priority !== 'normal' ? job.priority : null,
    Requires: job.requires?.join(', '), After: job.after?.join(', '), 'Not before': job.earliest && moment(job.earliest),
    'Processor time': job.cpuSeconds != null ? clock(job.cpuSeconds) : null, 'Most memory': job.maxResidentBytes ? bytes(job.maxResidentBytes) : null,
    Progress: job.progress && `from its ${job.progress.source}${job.progress.recogniser ? `: ${job.progress.recogniser}` : ''}`, Log: job.log,
  };
  const entries = Object.entries(facts).filter(([, value]) => value != null && value !== '').map(([name, value]) => [name, String(value)]);
  const key = JSON.stringify(entries);
  if (drawFacts.key === key) return;
  drawFacts.key = key;
  $('facts').replaceChildren(...entries.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

/** Progress over time, the rate below it, and numbers where something happened. */
function drawCurve() {
  const { job, points } = picture;
  const figure = $('curve');
  const from = Math.min(time(job.started) ?? Infinity, time(points[0]?.at) ?? Infinity);
  const to = Math.max(time(job.ended) ?? present(), time(points.at(-1)?.at) ?? 0);
  figure.hidden = !points.length || !(to > from);
  if (figure.hidden) return;
  const width = figure.clientWidth || 600, wide = width - 44, most = Math.max(1, ...points.map((point) => point.completed));
  const counted = points.some((point) => point.total);
  const x = (at) => 40 + (at - from) / (to - from) * wide, y = (share) => 12 + 118 * (1 - share);
  const share = (point) => point.fraction ?? (counted ? 0 : point.completed / most);
  const svg = make('svg', { viewBox: `0 0 ${width} 200`, height: 200, role: 'img', 'aria-label': `Progress over time, ${points.length} points` });
  for (const [value, label] of counted ? [[0, '0 %'], [0.5, '50 %'], [1, '100 %']] : [[0, '0'], [1, job.progress?.unit === 'bytes' ? bytes(most) : String(most)]]) {
    svg.append(make('path', { class: 'grid', d: `M40 ${y(value)}H${width - 4}` }), make('text', { class: 'end', x: 34, y: y(value) + 4 }, label));
  }
  for (const [at, label] of ticks(from, to, width / 90)) {
    svg.append(make('path', { class: 'tick', d: `M${x(at)} 12V182` }), make('text', { class: 'middle', x: x(at), y: 197 }, label));
  }
  const attempts = [], events = [], rates = [];
  for (const point of points) {
    const at = time(point.at), place = [x(at), y(share(point))];
    if (attempts.at(-1)?.attempt !== point.attempt) {
      // One of which nobody has seen more than its end began where that before it ended, for all one knows.
      const last = point.mark === 'ended' ? attempts.at(-1) : null;
      if (attempts.length) events.push([last?.places.at(-1) ?? place, last?.before[0] ?? at, `attempt ${point.attempt}`]);
      const isFirst = !attempts.length && point.attempt <= 1;
      const origin = isFirst ? [x(from), y(0)] : last?.places.at(-1);
      attempts.push({ attempt: point.attempt, places: origin ? [origin] : [], before: isFirst ? [from, 0] : last?.before });
    }
    const attempt = attempts.at(-1), before = attempt.before;
    if (before) rates.push([before[0], at, Math.max(0, point.completed - before[1]) / Math.max(1, at - before[0])]);
    attempt.before = [at, point.completed];
    attempt.places.push(place);
    const words = { stalled: 'stalled, asked', answered: 'goes on', warned: 'silent', paused: 'paused', resumed: 'resumed', stopping: 'told to stop' }[point.mark];
    if (words) events.push([place, at, words]);
  }
  if (!job.outcome && attempts.length) attempts.at(-1).places.push([x(to), attempts.at(-1).places.at(-1)[1]]);
  const fastest = Math.max(...rates.map((each) => each[2]), 0);
  if (fastest) for (const [begin, end, value] of rates) {
    svg.append(make('rect', { class: 'rate', x: x(begin), y: 182 - 34 * value / fastest, width: Math.max(0.5, x(end) - x(begin)), height: 34 * value / fastest }));
  }
  for (const { places } of attempts) {
    const line = places.map((place) => place.map((value) => value.toFixed(1)).join()).join(' ');
    svg.append(make('polygon', { class: 'area', points: `${places[0][0]},130 ${line} ${places.at(-1)[0]},130` }), make('polyline', { class: 'line', points: line }));
  }
  // Numbers stand beside each other, however close together they belong.
  let label = -Infinity;
  events.slice(0, 24).forEach(([place], index) => svg.append(
    make('path', { class: 'flag', d: `M${place[0]} 12V130` }), make('circle', { class: 'spot', cx: place[0], cy: place[1], r: 3.5 }),
    make('text', { class: 'middle', x: label = Math.max(place[0], label + 13), y: 8 }, String(index + 1))));
  const list = make('ol', {}, ...events.slice(0, 24).map(([, at, words]) => make('li', {}, `${new Date(at).toLocaleTimeString('en-GB')} ${words}`)));
  figure.replaceChildren(svg, make('figcaption', {}, ...(events.length ? [list] : [])));
}

// ---- Hands

function choose(name) {
  tab = name;
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
for (const name of ['now', 'then']) $(`tab-${name}`).onclick = () => choose(name);
document.querySelector('[role=tablist]').onkeydown = (event) => {
  if (!['ArrowLeft', 'ArrowRight'].includes(event.key)) return;
  choose(tab === 'now' ? 'then' : 'now');
  $(`tab-${tab}`).focus();
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
$('close').onclick = () => $('job').close();
$('job').onclose = () => { shown = null; picture = null; };
$('job').onclick = (event) => { if (event.target === $('job')) $('job').close(); };
// Another page of this browser has been opened with a new address.
addEventListener('storage', (event) => { if (event.newValue && event.newValue !== key) { key = event.newValue; follow(false); } });
addEventListener('resize', () => { draw(); if (picture) drawCurve(); });
document.addEventListener('visibilitychange', show);
setInterval(() => {
  if (document.hidden || $('link').dataset.state === 'gone') return;
  if (jobs.size || tab === 'then') draw();
  const job = jobs.get(shown);
  if (shown != null && job && !job.outcome) { readLog(); if (picture && ++look.count % 3 === 0) look(); }
}, 1000);
look.count = 0;

await exchange();
if (await isWelcome()) follow(true);
if (document.hidden) show();
