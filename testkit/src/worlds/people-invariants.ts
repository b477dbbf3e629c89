/**
 * Invariants that hold after any schedule: checked on the tables, and by replaying the changes that each
 * person received, which must lead to exactly what is stored.
 */
import {
  type PairId,
  type PrivateMessage,
  type UserChange,
  userStream,
  type RoomKind,
  type Uid,
} from '@tunemate/protocol';
import { allMessages, bitOf } from '../../../server/src/chats/messages-store.ts';
import { ownPeopleOf } from './own-people.ts';
import { firstName, type ScheduleRun } from './people-schedule.ts';
import type { PeopleWorld } from './people-world.ts';

/** Everything that is wrong, in words; empty when all is well. */
export async function brokenInvariants(world: PeopleWorld, run: ScheduleRun): Promise<string[]> {
  const stayed = run.people.filter((uid) => !run.gone.has(uid));
  const problems = await Promise.all([
    listProblems(world, run.people),
    soulmateProblems(world, run.people),
    streamProblems(world, run.people),
    ...stayed.map((uid) => replayProblems(world, run, uid)),
    chatProblems(world, run),
    acknowledgedProblems(world, run),
    changeProblems(world, run),
  ]);
  return problems.flat();
}

async function listProblems({ record: { db } }: PeopleWorld, people: readonly Uid[]): Promise<string[]> {
  const problems: string[] = [];
  for (const table of ['tunemates', 'audio_connections'] as const) {
    const all = await db.selectFrom(table).select(['uid', 'mate', 'position']).where('uid', 'in', people).execute();
    for (const [uid, rows] of Map.groupBy(all, (row) => row.uid)) {
      if (rows.length > 50) problems.push(`${table} of ${uid} holds ${rows.length}`);
      if (new Set(rows.map(({ mate }) => mate)).size !== rows.length)
        problems.push(`${table} of ${uid} repeats someone`);
      if (new Set(rows.map(({ position }) => position)).size !== rows.length)
        problems.push(`${table}: equal positions`);
      if (rows.some(({ mate }) => mate === uid)) problems.push(`${uid} met themselves`);
    }
  }
  const notices = await db.selectFrom('notifications').select('uid').where('uid', 'in', people).execute();
  for (const [uid, { length }] of Map.groupBy(notices, (row) => row.uid)) {
    if (length > 20) problems.push(`${uid} has ${length} notifications`);
  }
  return problems;
}

async function soulmateProblems({ record: { db } }: PeopleWorld, people: readonly Uid[]): Promise<string[]> {
  const rows = await db.selectFrom('users').select(['uid', 'soulmate']).where('uid', 'in', people).execute();
  const soulmateOf = new Map(rows.map(({ uid, soulmate }) => [uid, soulmate]));
  return rows
    .filter(({ uid, soulmate }) => soulmate !== null && soulmateOf.get(soulmate) !== uid)
    .map(({ uid, soulmate }) => `soulmate(${uid}) is ${soulmate}, whose soulmate is ${soulmateOf.get(soulmate ?? '')}`);
}

async function streamProblems({ record }: PeopleWorld, people: readonly Uid[]): Promise<string[]> {
  const streams = people.map(userStream);
  const heads = await record.heads(streams);
  const entries = await record.db
    .selectFrom('stream_entries')
    .select(['stream', 'seq'])
    .where('stream', 'in', streams)
    .orderBy('seq')
    .execute();
  return streams
    .filter((stream) => {
      const own = entries.filter((entry) => entry.stream === stream);
      return own.length !== (heads.get(stream) ?? 0) || own.some(({ seq }, index) => seq !== index + 1);
    })
    .map((stream) => `the stream ${stream} has gaps before ${heads.get(stream)}`);
}

/**
 * The state of a tab that has followed the person's stream from the start, began with these tunemates, and has
 * received these new names.
 */
function replay(changes: readonly UserChange[], introduced: readonly Uid[], renames: ScheduleRun['renames']) {
  const mates = new Map(introduced.map((uid) => [uid, { name: firstName, kinds: new Set<RoomKind>(['video']) }]));
  const notices = new Map<string, boolean>();
  let soulmate: { uid: Uid; name: string } | null = null;
  const rename = ({ uid, name }: { uid: Uid; name: string }): void => {
    const mate = mates.get(uid);
    if (mate) mate.name = name;
    if (soulmate?.uid === uid) soulmate = { uid, name };
  };
  const renameAfter = (seq: number): void => renames.filter(({ afterSeq }) => afterSeq === seq).forEach(rename);
  renameAfter(0);
  for (const [index, change] of changes.entries()) {
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
    if (change.type === 'notifications/added') {
      notices.set(change.notification.id, false);
      for (const id of change.removed) notices.delete(id);
    }
    if (change.type === 'notifications/removed') notices.delete(change.id);
    if (change.type === 'notifications/read') for (const id of notices.keys()) notices.set(id, true);
    renameAfter(index + 1);
  }
  return {
    soulmate: soulmate && `${soulmate.uid} ${soulmate.name}`,
    mates: [...mates].map(([uid, { name, kinds }]) => `${uid} ${name} ${[...kinds].sort().join(' ')}`).sort(),
    notices: [...notices].map(([id, isRead]) => `${id} ${isRead}`).sort(),
  };
}

async function replayProblems(world: PeopleWorld, { people, renames }: ScheduleRun, uid: Uid): Promise<string[]> {
  const { soulmate, tunemates, notifications } = await ownPeopleOf(world, uid);
  const stored = {
    soulmate: soulmate && `${soulmate.uid} ${soulmate.name}`,
    mates: tunemates.map((mate) => `${mate.uid} ${mate.name} ${mate.metIn.toSorted().join(' ')}`).sort(),
    notices: notifications.map(({ id, isRead }) => `${id} ${isRead}`).sort(),
  };
  const broadcast = replay(
    await world.changesOf(uid),
    people.filter((mate) => mate !== uid),
    renames.filter(({ to }) => to === uid),
  );
  if (JSON.stringify(broadcast) === JSON.stringify(stored)) return [];
  return [`${uid} received ${JSON.stringify(broadcast)} and has ${JSON.stringify(stored)}`];
}

async function chatProblems({ record: { db } }: PeopleWorld, { people }: ScheduleRun): Promise<string[]> {
  const problems: string[] = [];
  const sides = await db.selectFrom('conversations').selectAll().where('uid', 'in', people).execute();
  const pairIds = [...new Set(sides.map((side) => side.pair_id))];
  if (pairIds.length === 0) return [];
  const all = await db
    .selectFrom('private_messages')
    .select(['pair_id', 'number', 'sender', 'timestamp_ms', 'is_deleted', 'hidden_from'])
    .where('pair_id', 'in', pairIds)
    .orderBy('number')
    .execute();
  for (const side of sides) {
    const messages = all.filter((message) => message.pair_id === side.pair_id);
    const where = `${side.pair_id} of ${side.uid}`;
    if (messages.some(({ number }, index) => number !== index + 1)) problems.push(`${where} has gaps`);
    if (side.last_number !== messages.length) problems.push(`${where} ends at ${side.last_number}`);
    const bit = bitOf(side.pair_id, side.uid as Uid);
    const shown = messages.filter(({ hidden_from }) => (hidden_from & bit) === 0);
    const unread = shown.filter(
      ({ sender, number, is_deleted }) => sender === side.other && number > side.read_up_to && is_deleted === 0,
    ).length;
    const last = side.shown_number ?? side.last_number;
    if (last !== (shown.at(-1)?.number ?? 0)) problems.push(`${where} shows ${last} as its last`);
    if (side.unread !== unread) problems.push(`${where} counts ${side.unread} unread of ${unread}`);
    if (side.read_up_to > side.delivered_up_to) problems.push(`${where} read what was not delivered`);
    const times = messages.map((message) => message.timestamp_ms);
    if (times.some((time, index) => time < (times[index - 1] ?? 0))) problems.push(`${where} goes back in time`);
  }
  return problems;
}

/** What each person received of each message, the newest for each, is what the server shows them of it. */
async function changeProblems(world: PeopleWorld, { people, gone }: ScheduleRun): Promise<string[]> {
  const problems: string[] = [];
  for (const uid of people.filter((each) => !gone.has(each))) {
    const received = new Map<string, PrivateMessage>();
    for (const change of await world.changesOf(uid)) {
      if (change.type !== 'chats/messageSent' && change.type !== 'chats/messageChanged') continue;
      received.set(`${change.message.pairId} ${change.message.number}`, change.message);
    }
    const sides = await world.record.db.selectFrom('conversations').select('pair_id').where('uid', '=', uid).execute();
    for (const { pair_id } of sides) {
      for await (const message of allMessages(world.record.db, uid, pair_id as PairId)) {
        const known = received.get(`${pair_id} ${message.number}`);
        // What a quote shows follows from the message that it names.
        if (JSON.stringify({ ...known, reply: null }) === JSON.stringify({ ...message, reply: null })) continue;
        problems.push(`${uid} knows ${JSON.stringify(known)} for ${JSON.stringify(message)}`);
      }
    }
  }
  return problems;
}

async function acknowledgedProblems({ record: { db } }: PeopleWorld, run: ScheduleRun): Promise<string[]> {
  const sent = await db
    .selectFrom('private_messages')
    .select(['pair_id', 'number', 'sender', 'client_id'])
    .where('sender', 'in', run.people)
    .execute();
  return run.acknowledged.flatMap(({ pairId, sender, clientId, number }) => {
    const found = sent.filter((message) => message.sender === sender && message.client_id === clientId);
    const isKept = found.length === 1 && found[0]?.pair_id === pairId && found[0].number === number;
    return isKept ? [] : [`an acknowledged message of ${sender} is there ${found.length} times`];
  });
}
