/**
 * The page that says what one process carries, what several carry, and where it ends: made of the tables of
 * `bench/results` alone. A figure that is not there any more stops it.
 */

/** The tables that the page is made of, as text. */
export interface ScaleSources {
  load: string;
  /** Null until an audience was measured. */
  audience: string | null;
}

const n = (value: number, digits = 2): string => Number(value.toPrecision(digits)).toLocaleString('en-US');

/** Column `column` of the row whose first cell begins so. */
function cell(table: string, begins: string, column = 1): string {
  const row = table.split('\n').find((line) => line.startsWith(`| ${begins}`));
  const found = row?.split('|')[column + 1]?.trim();
  if (found === undefined) throw new Error(`No figure begins with: ${begins}`);
  return found;
}

/** The number that stands before these words, or after them where they end with a colon or a space. */
function number(text: string, words: RegExp): number {
  const found = words.exec(text)?.[1];
  if (found === undefined) throw new Error(`${String(words)} is not in: ${text}`);
  return Number(found.replaceAll(',', ''));
}

function figuresOf({ load, audience }: ScaleSources) {
  const crowd = cell(load, '10000 live verified sockets');
  const returning = cell(load, '1000 people join one room, returning');
  const chat = cell(load, 'room of 200, 500 durable messages');
  const chatOfOne = cell(load, 'room of 200, 300 durable messages');
  const action = cell(load, "host's action to 1000 in one room");
  const rooms = cell(load, '500 rooms x 20, 500 actions');
  const pairs = cell(load, '200 pairs, 1000 durable');
  const crash = cell(load, 'kill -9, 10000');
  const actionOfTwo = cell(load, "… host's action to 1000");
  const chatOfTwo = cell(load, '… room of 200, 300 messages');
  const joinOfTwo = cell(load, 'two processes, PostgreSQL and Redis: 1000 join');
  const largest = cell(load, "host's action to 5000 in one room");
  return {
    when: load.match(measuredAt)?.map(whenOf) ?? [],
    probesPercent: number(cell(load, 'idle cost of 10000'), /\/ ([\d.]+) % of a core/),
    crashMb: number(crash, /; ([\d.]+) MB/),
    memoryMb: number(crowd, /([\d.]+) MB/),
    returningCpuS: number(returning, /([\d.]+) CPU s/),
    messageP99: number(chat, /p99 to all ([\d.]+) ms/),
    messageCpuMs: number(chat, /([\d.]+) CPU ms each/),
    messageCpuMsAt300: number(chatOfOne, /([\d.]+) CPU ms each/),
    deliveriesCpuMs: number(action, /^([\d.]+)/),
    actionsP99: number(rooms, /p99 ([\d.]+) ms/),
    actionCpuMs: number(rooms, /([\d.]+) CPU ms an action/),
    pairsP99: number(pairs, /ack p99 ([\d.]+) ms/),
    backS: number(crash, /, ([\d.]+) s;/),
    deliveriesCpuMsOfTwo: number(actionOfTwo, /^([\d.]+)/),
    messageCpuMsOfTwo: number(chatOfTwo, /([\d.]+) CPU ms each/),
    threeCarry: number(cell(load, 'three processes, a room of 100', 3), /carry ([\d.]+)x/),
    joinSecondsOfTwo: number(joinOfTwo, /([\d.]+) s/),
    crowd:
      audience === null
        ? { people: 5000, p99: number(largest, /p99 ([\d.]+) ms/), cpuMs: number(largest, /^([\d.]+)/), coming: null }
        : crowdIn(audience),
  };
}

const measuredAt = /\bat \w+ on [\d-]+\./g;

/** The commit and the day. */
function whenOf(result: string): string {
  const when = /\bat (\w+ on [\d-]+)\./.exec(result)?.[1];
  if (when === undefined) throw new Error('A result does not say when it was measured.');
  return when;
}

/** The largest room that was measured. */
function crowdIn(audience: string) {
  const lineOf = (words: string): string => audience.split('\n').find((line) => line.includes(words)) ?? '';
  const coming = lineOf('come in with a seat');
  const toAll = lineOf("host's action, one a second");
  return {
    people: number(coming, /\| ([\d,]+) come in/),
    p99: number(toAll, /p99 ([\d.]+) ms/),
    cpuMs: number(toAll, /([\d.]+) CPU ms per 1,000/),
    coming: {
      seconds: number(coming, /\| ([\d.]+) s,/),
      megabytes: number(cell(audience, 'memory over the empty server'), /([\d.]+) MB/),
      when: whenOf(audience),
    },
  };
}

/** Padded as the formatter writes tables. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) => `| ${cells.map((each, at) => each.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

const sourcesIn = (hasAudience: boolean): string =>
  ['load.md', ...(hasAudience ? ['audience.md'] : [])]
    .map((file) => `[${file}](../bench/results/${file})`)
    .join(' and ');

/** Assumed, not measured: people in rooms of ten who talk and whose hosts act. */
const evening = { perRoom: 10, messagesPerMinute: 1, secondsPerAction: 60, cellPeople: 10_000 };

export function scalePage(sources: ScaleSources): string {
  const f = figuresOf(sources);
  const { perRoom, secondsPerAction, cellPeople } = evening;
  const messages = cellPeople / 60;
  const actions = cellPeople / perRoom / secondsPerAction;
  const messageCores = (messages * f.messageCpuMs) / 1000;
  const actionCores = (actions * f.actionCpuMs) / 1000;
  const comingCores = (cellPeople * f.returningCpuS) / 1000 / 600;
  const { crowd } = f;
  const sending = (crowd.people * crowd.cpuMs) / 1000;
  const dearer = [f.deliveriesCpuMsOfTwo / f.deliveriesCpuMs, f.messageCpuMsOfTwo / f.messageCpuMsAt300] as const;
  return `# Scale

What one process carries, what several carry, and where it ends. \`npm run bench -- scale\` writes this page from ${sourcesIn(crowd.coming !== null)}; a test compares them. Load.md was measured at ${f.when.join(' and, its second table, at ')}. ${crowd.coming === null ? '' : `Audience.md was measured at ${crowd.coming.when}. `}All of it ran on 2 shared cores, the load included.

## One process, SQLite

${table([
  ['what', 'measured', 'of one core'],
  [
    'people connected, in rooms of 10',
    `10,000, ${n(f.memoryMb, 3)} MB over the empty process`,
    `coming back: ${n(f.returningCpuS, 3)} CPU ms each`,
  ],
  [
    'messages in a room of 200',
    `500 a second, p99 ${n(f.messageP99, 3)} ms`,
    `500 x ${n(f.messageCpuMs)} ms = ${n((500 * f.messageCpuMs) / 10)} %`,
  ],
  [
    'actions in 500 rooms of 20',
    `500 a second, p99 ${n(f.actionsP99, 3)} ms`,
    `500 x ${n(f.actionCpuMs)} ms = ${n((500 * f.actionCpuMs) / 10)} %`,
  ],
  ['private messages', `1,000 a second, p99 ${n(f.pairsP99, 3)} ms`, ''],
  ...(crowd.coming === null
    ? []
    : [
        [
          `all in one room of ${n(crowd.people, 5)}`,
          `${n(crowd.coming.seconds, 3)} s, ${n(crowd.coming.megabytes, 3)} MB`,
          `${n(crowd.people / crowd.coming.seconds, 3)} a second`,
        ],
      ]),
  [
    `a host's action to ${n(crowd.people, 5)} in one room`,
    `p99 ${n(crowd.p99, 3)} ms`,
    `${n(crowd.people / 1000, 3)} x ${n(crowd.cpuMs, 3)} ms = ${n(sending, 3)} ms`,
  ],
  ['back after kill -9', `10,000 within ${n(f.backS, 3)} s`, ''],
])}

**The wall that comes first** is the core on which JavaScript runs, and not memory. It is met when everybody comes at once: 10,000 people who return need ${n(10 * f.returningCpuS, 3)} CPU seconds, and after a crash the last was back ${n(f.backS, 3)} s later. In one large room it is met by sending: a frame to ${n(crowd.people, 5)} takes ${n(sending, 3)} ms of the core, so that ${n(1000 / sending)} frames a second fill it. That is why an audience gets one frame a second, and actions at once.

## Several processes, PostgreSQL and Redis

Two were measured, with the database on the same two cores: 1,000 people were let in within ${n(f.joinSecondsOfTwo, 3)} s. A delivery costs ${n(f.deliveriesCpuMsOfTwo, 3)} CPU ms per 1,000 instead of ${n(f.deliveriesCpuMs, 3)} (${n(dearer[0])}x), a message ${n(f.messageCpuMsOfTwo, 3)} instead of ${n(f.messageCpuMsAt300, 3)} (${n(dearer[1])}x). So on paper N processes, each with a core of its own and a database beside them, carry N / ${n(dearer[1])} times the messages of one: two ${(2 / dearer[1]).toFixed(1)} times as many, four ${(4 / dearer[1]).toFixed(1)}. Add processes so that one may die, and for people beyond one core; not to make a small server quicker. Three with a room on each, as a balancer places them, carried ${n(f.threeCarry)} times the messages of one for the same work.

## An evening on paper

Assumed: rooms of ${String(perRoom)}, one message a minute from each person, one action a minute from each host, everybody comes within ten minutes. For ${n(cellPeople, 5)} people:

- messages: ${n(cellPeople, 5)} / 60 = ${n(messages, 3)} a second x ${n(f.messageCpuMs)} ms = ${n(messageCores * 100)} % of a core
- actions: ${n(cellPeople, 5)} / ${String(perRoom)} / ${String(secondsPerAction)} = ${n(actions, 2)} a second x ${n(f.actionCpuMs)} ms = ${n(actionCores * 100)} %
- coming: ${n(cellPeople, 5)} x ${n(f.returningCpuS, 3)} ms / 600 s = ${n(comingCores * 100)} %
- being connected, with pings and probes of the clock: ${n(f.probesPercent)} %

Together ${n((messageCores + actionCores + comingCores) * 100 + f.probesPercent)} % of a core, and ${n(f.memoryMb, 3)} MB over the empty process. The costs of a message and an action are those of rooms of 200 and 20, so this errs upwards.

## A town

${n(cellPeople, 5)} people at once: one process, SQLite on a local disk, 2 cores and 2 GB (${n(f.crashMb, 3)} MB were the most, after a crash), nginx beside it for media (\`MEDIA_URL\`), a backup each night. \`PEOPLE_PER_ROOM=10000\` where a whole town listens to one room. Nothing else is needed, and nothing else is as simple to run.

## A country

On paper; nobody has run it. A cell is one town as above, with its own address, database and accounts. ${n(1_000_000, 7)} people at once are ${n(1_000_000, 7)} / ${n(cellPeople, 5)} = ${n(1_000_000 / cellPeople, 3)} cells. A cell that fails takes ${n((100 * cellPeople) / 1_000_000)} % of the people with it, who are back within about ${n(f.backS, 2)} s. The price: people of different cells do not meet, and a room holds at most ${n(cellPeople, 5)} people. Rooms that span cells are not built.
`;
}
