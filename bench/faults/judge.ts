/**
 * Holds what all wrote and saw against the database: nothing is lost, doubled or out of order, those in the room
 * agree with each other and with what is stored, and no page saw what is not its user's.
 */
import { openDatabase } from '../../server/src/storage/database.ts';
import { type Db, roomTables } from '../../server/src/storage/schema.ts';
import { type Scenario, isSoon, type Participant } from './scenario.ts';

/** Processes that are silent for so long count as dead; a lost connection is shown later still. */
const shownAfterMs = 25_000;

export interface Judgement {
  /** What the server acknowledged: messages and intents of the host. */
  acknowledged: number;
  /** Messages below which 'Not sent' stood until the writer tried again. */
  failed: number;
  /** Empty when all is well. */
  problems: string[];
}

export interface JudgeOptions {
  /** A person was away for so long that others may see it. */
  readonly mayShowOffline?: boolean;
  /** Messages could not be sent for a reason that the page gives. */
  readonly mayFail?: boolean;
  /** How long the pages may take to agree. */
  readonly inStepWithinMs?: number;
}

/** Waits until everything written is answered, and judges. The traffic must have been stopped. */
export async function judge(scenario: Scenario, databaseUrl: string, options: JudgeOptions = {}): Promise<Judgement> {
  const problems = await unsettled(scenario);
  const database = openDatabase(databaseUrl);
  try {
    problems.push(
      ...(await outOfStep(database.db, scenario, options)),
      ...(await chatProblems(database.db, scenario, options)),
      ...(await privateProblems(database.db, scenario, options)),
      ...(await lopsided(database.db)),
      ...seenByOthers(scenario),
      ...scenario.pages.flatMap(({ person, complaints }) => complaints.map((one) => `${person.name}: ${one}`)),
    );
  } finally {
    await database.close();
  }
  const shown = scenario.participants.reduce((total, { room }) => total + room.offlineShown(), 0);
  // A machine that is busy with other things may take that long to start a process.
  const isShortlyAway = Math.max(...scenario.participants.map(({ page }) => page.longestAwayMs())) < shownAfterMs;
  if (shown > 0 && isShortlyAway && !options.mayShowOffline)
    problems.push(`a person was shown as offline ${String(shown)} times`);
  const acknowledged = scenario.participants.reduce(
    (total, { page, room }) => total + page.written.length + room.said.length + room.queued.length,
    0,
  );
  const failed = scenario.participants.reduce((total, { page }) => total + page.failed.size, 0);
  if (failed > 0 && !options.mayFail) problems.push(`${String(failed)} messages were not sent at first`);
  return { acknowledged, failed, problems };
}

/** Messages that failed are tried again, as people do. */
async function unsettled({ participants }: Scenario): Promise<string[]> {
  const open = ({ page, room }: Participant) => room.waiting() + page.outbox.waiting.get().length;
  const isSettled = await isSoon(() => {
    for (const { page, room } of participants) {
      room.tryAgain();
      for (const { clientId, failure } of page.outbox.waiting.get()) if (failure) page.outbox.retry(clientId);
    }
    return participants.every((participant) => open(participant) === 0);
  });
  if (isSettled) return [];
  return participants
    .filter((participant) => open(participant) > 0)
    .map((participant) => `${String(open(participant))} of ${participant.page.person.name} wait`);
}

async function chatProblems(db: Db, { participants, room }: Scenario, { mayFail }: JudgeOptions): Promise<string[]> {
  // A failed message that is sent again comes after the ones that came through.
  const ordered = (texts: readonly string[]) => (mayFail ? texts.toSorted() : texts);
  const rows = await storedChat(db, room);
  const problems = holesIn('the room', rows);
  for (const { page, room: view } of participants) {
    const own = rows.filter(({ sender }) => sender === page.person.uid).map(({ text }) => text);
    problems.push(...different(`the room’s messages of ${page.person.name}`, ordered(view.said), ordered(own)));
    const storedLike = (read: readonly string[]) =>
      rows.slice(-read.length).map(({ number, text }) => `${String(number)} ${text}`);
    // The last ones may still be on their way to a page that has just come back.
    await isSoon(() => storedLike(view.texts()).join() === view.texts().join());
    const read = view.texts();
    const stored = storedLike(read);
    problems.push(...different(`what ${page.person.name} reads`, stored, read));
  }
  return problems;
}

async function storedChat(db: Db, { kind, code }: Scenario['room']) {
  const { rooms, chat } = roomTables[kind];
  const { room_id } = await db
    .selectFrom(rooms)
    .select('room_id')
    .where('code', '=', code)
    .where('is_active', '=', 1)
    .executeTakeFirstOrThrow();
  return await db
    .selectFrom(chat)
    .select(['number', 'sender', 'text'])
    .where('room_id', '=', room_id)
    .orderBy('number')
    .execute();
}

async function privateProblems(db: Db, { participants }: Scenario, { mayFail }: JudgeOptions): Promise<string[]> {
  const problems: string[] = [];
  const ordered = (texts: readonly string[]) => (mayFail ? texts.toSorted() : texts);
  for (const { page } of participants) {
    const written = page.written.map(({ text }) => text);
    const to = page.written[0]?.to;
    if (to === undefined) continue;
    const pair = [page.person.uid, to].sort().join('_');
    const rows = await db
      .selectFrom('private_messages')
      .select(['number', 'sender', 'text'])
      .where('pair_id', '=', pair)
      .orderBy('number')
      .execute();
    const own = rows.filter(({ sender }) => sender === page.person.uid).map(({ text }) => text);
    // Earlier scenarios of the same two come before.
    problems.push(...holesIn(pair, rows));
    problems.push(
      ...different(`private messages of ${page.person.name}`, ordered(written), ordered(own.slice(-written.length))),
    );
    if (new Set(own.slice(-written.length)).size !== written.length) problems.push(`${pair} has a message twice`);
  }
  return problems;
}

/** All see the same room, and everything that was queued is in it once and in order. */
async function outOfStep(db: Db, { participants, host, room }: Scenario, options: JudgeOptions): Promise<string[]> {
  const views = () =>
    participants.map((participant) => `${participant.room.view()} ${String(participant.room.texts().at(-1))}`);
  const isInStep = await isSoon(() => {
    const [first, ...others] = views();
    return first?.startsWith('{') === true && others.every((view) => view === first);
  }, options.inStepWithinMs);
  if (!isInStep) return [`not in step: ${views().join(' | ')}`];
  const { queue } = JSON.parse(host.room.view()) as { queue: string[] };
  const stored = await db
    .selectFrom(roomTables[room.kind].rooms)
    .select('is_active')
    .where('code', '=', room.code)
    .where('is_active', '=', 1)
    .execute();
  return [
    ...different('the queue', host.room.queued, queue.slice(1)),
    ...(stored.length === 1 ? [] : [`the room is stored ${String(stored.length)} times`]),
  ];
}

/** Two rows say that two people are soulmates; one alone is half a change. */
async function lopsided(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('users').select(['uid', 'soulmate']).where('soulmate', 'is not', null).execute();
  const mates = new Map(rows.map(({ uid, soulmate }) => [uid, soulmate]));
  return rows
    .filter(({ uid, soulmate }) => mates.get(soulmate ?? '') !== uid)
    .map(
      ({ uid, soulmate }) =>
        `${uid} has the soulmate ${String(soulmate)}, who has ${String(mates.get(soulmate ?? ''))}`,
    );
}

function seenByOthers({ pages, participants }: Scenario): string[] {
  return pages.flatMap(({ person, audiences }) => {
    const isInside = participants.some(({ page }) => page.person.uid === person.uid);
    const isTheirs = (audience: string) =>
      audience === '[room]'
        ? isInside
        : audience
            .slice(1, -1)
            .split(/ (?=Listener)/)
            .includes(person.name);
    return [...audiences].filter((audience) => !isTheirs(audience)).map((audience) => `${person.name} saw ${audience}`);
  });
}

function holesIn(what: string, rows: readonly { number: number }[]): string[] {
  const hole = rows.findIndex(({ number }, index) => number !== index + 1);
  return hole < 0 ? [] : [`${what} has no message ${String(hole + 1)}`];
}

function different(what: string, wanted: readonly string[], found: readonly string[]): string[] {
  const at = wanted.findIndex((text, index) => text !== found[index]);
  if (at < 0 && wanted.length === found.length) return [];
  const where = at < 0 ? wanted.length : at;
  return [
    `${what}: at ${String(where)} of ${String(wanted.length)} ${String(found[where])} instead of ${String(wanted[where])}`,
  ];
}
