/**
 * What must hold of people after any schedule (access R5-R8, R16): checked on the tables, and by replaying what each
 * person was told, which must lead to exactly what is stored.
 */
import { type OwnChange, ownStream, type RoomKind, type Uid } from '@tunemate/protocol';
import type { ScheduleRun } from './people-schedule.ts';
import type { PeopleWorld } from './people-world.ts';

/** Everything that is wrong, in words; empty when all is well. */
export async function brokenInvariants(world: PeopleWorld, run: ScheduleRun): Promise<string[]> {
  const problems: string[] = [];
  for (const uid of run.people) {
    problems.push(...(await listProblems(world, uid)));
    problems.push(...(await soulmateProblems(world, uid)));
    problems.push(...(await streamProblems(world, uid)));
    if (!run.gone.has(uid)) problems.push(...(await replayProblems(world, uid)));
  }
  problems.push(...(await chatProblems(world, run)));
  return problems;
}

async function listProblems({ record: { db } }: PeopleWorld, uid: Uid): Promise<string[]> {
  const problems: string[] = [];
  for (const table of ['tunemates', 'audio_connections'] as const) {
    const rows = await db.selectFrom(table).select(['mate', 'position']).where('uid', '=', uid).execute();
    if (rows.length > 50) problems.push(`${table} of ${uid} holds ${rows.length}`);
    if (new Set(rows.map(({ mate }) => mate)).size !== rows.length) problems.push(`${table} of ${uid} repeats someone`);
    if (new Set(rows.map(({ position }) => position)).size !== rows.length) problems.push(`${table}: equal positions`);
    if (rows.some(({ mate }) => mate === uid)) problems.push(`${uid} met themselves`);
  }
  const notices = await db.selectFrom('notifications').select('id').where('uid', '=', uid).execute();
  if (notices.length > 20) problems.push(`${uid} has ${notices.length} notifications`);
  return problems;
}

async function soulmateProblems({ record: { db } }: PeopleWorld, uid: Uid): Promise<string[]> {
  const soulmateOf = async (whom: string) =>
    (await db.selectFrom('users').select('soulmate').where('uid', '=', whom).executeTakeFirst())?.soulmate ?? null;
  const soulmate = await soulmateOf(uid);
  if (soulmate === null) return [];
  const theirs = await soulmateOf(soulmate);
  return theirs === uid ? [] : [`soulmate(${uid}) is ${soulmate}, whose soulmate is ${theirs}`];
}

async function streamProblems({ record }: PeopleWorld, uid: Uid): Promise<string[]> {
  const entries = await record.entriesAfter(ownStream(uid), 0, 10_000);
  const isContiguous = entries.every(({ seq }, index) => seq === index + 1);
  const head = await record.head(ownStream(uid));
  return isContiguous && head === entries.length ? [] : [`the stream of ${uid} has gaps before ${head}`];
}

/** What a tab knows that has followed the person's stream from the start. */
function replay(changes: readonly OwnChange[]) {
  const mates = new Map<Uid, { name: string; kinds: Set<RoomKind> }>();
  const notices = new Map<string, boolean>();
  let soulmate: { uid: Uid; name: string } | null = null;
  for (const change of changes) {
    if (change.type === 'tunemates/added') {
      const { uid, name, metIn } = change.tunemate;
      mates.set(uid, { name, kinds: new Set(metIn) });
    }
    if (change.type === 'tunemates/removed') {
      const kinds = mates.get(change.uid)?.kinds;
      for (const kind of change.metIn) kinds?.delete(kind);
      if (kinds?.size === 0) mates.delete(change.uid);
    }
    if (change.type === 'soulmate/changed') soulmate = change.soulmate;
    if (change.type === 'accounts/renamed') {
      const { uid, name } = change;
      const mate = mates.get(uid);
      if (mate) mate.name = name;
      if (soulmate?.uid === uid) soulmate = { uid, name };
    }
    if (change.type === 'notifications/added') {
      notices.set(change.notification.id, false);
      for (const id of change.removed) notices.delete(id);
    }
    if (change.type === 'notifications/removed') notices.delete(change.id);
    if (change.type === 'notifications/read') for (const id of notices.keys()) notices.set(id, true);
  }
  return {
    soulmate: soulmate && `${soulmate.uid} ${soulmate.name}`,
    mates: [...mates].map(([uid, { name, kinds }]) => `${uid} ${name} ${[...kinds].sort().join(' ')}`).sort(),
    notices: [...notices].map(([id, isRead]) => `${id} ${isRead}`).sort(),
  };
}

async function replayProblems(world: PeopleWorld, uid: Uid): Promise<string[]> {
  const { db } = world.record;
  const { tunematesOf, notificationsOf, soulmateCardOf } = world.people.snapshot;
  const soulmate = await soulmateCardOf(db, uid);
  const stored = {
    soulmate: soulmate && `${soulmate.uid} ${soulmate.name}`,
    mates: (await tunematesOf(db, uid))
      .map((mate) => `${mate.uid} ${mate.name} ${mate.metIn.toSorted().join(' ')}`)
      .sort(),
    notices: (await notificationsOf(db, uid)).map(({ id, isRead }) => `${id} ${isRead}`).sort(),
  };
  const told = replay(await world.changesOf(uid));
  if (JSON.stringify(told) === JSON.stringify(stored)) return [];
  return [`${uid} was told ${JSON.stringify(told)} and has ${JSON.stringify(stored)}`];
}

async function chatProblems({ record: { db } }: PeopleWorld, run: ScheduleRun): Promise<string[]> {
  const problems: string[] = [];
  const sides = await db
    .selectFrom('conversations')
    .selectAll()
    .where('uid', 'in', [...run.people])
    .execute();
  for (const side of sides) {
    const messages = await db
      .selectFrom('private_messages')
      .select(['number', 'sender', 'client_id', 'timestamp_ms'])
      .where('pair_id', '=', side.pair_id)
      .orderBy('number')
      .execute();
    const where = `${side.pair_id} of ${side.uid}`;
    if (messages.some(({ number }, index) => number !== index + 1)) problems.push(`${where} has gaps`);
    if (side.last_number !== messages.length) problems.push(`${where} ends at ${side.last_number}`);
    const unread = messages.filter(({ sender, number }) => sender === side.other && number > side.read_up_to).length;
    if (side.unread !== unread) problems.push(`${where} counts ${side.unread} unread of ${unread}`);
    if (side.read_up_to > side.delivered_up_to) problems.push(`${where} read what was not delivered`);
    const times = messages.map((message) => message.timestamp_ms);
    if (times.some((time, index) => time < (times[index - 1] ?? 0))) problems.push(`${where} goes back in time`);
  }
  for (const { pairId, sender, clientId, number } of run.acknowledged) {
    const found = await db
      .selectFrom('private_messages')
      .select(['pair_id', 'number'])
      .where('sender', '=', sender)
      .where('client_id', '=', clientId)
      .execute();
    const isKept = found.length === 1 && found[0]?.pair_id === pairId && found[0].number === number;
    if (!isKept) problems.push(`an acknowledged message of ${sender} is there ${found.length} times`);
  }
  return problems;
}
