/**
 * One random schedule of requests about people: four who know each other send them, several at a time,
 * on all processes, with stale ids, repeats and lists on the brink of their cap. A seed decides who asks for what.
 */
import { pairIdOf } from '@tunemate/domain';
import { type ClientId, userStream, type RoomKind, roomKinds, type Uid } from '@tunemate/protocol';
import { knownBy } from '../../../server/src/presence/people-updates.ts';
import { updateProfile } from '../../../server/src/accounts/users-store.ts';
import { personOf } from '../../../server/src/storage/people.ts';
import { newClientId } from '../answers.ts';
import { connect } from '../../../server/src/tunemates/tunemates.ts';
import { callerOf } from './people.ts';
import type { PeopleProcess, PeopleWorld } from './people-world.ts';
import { seededRandom } from '../seeded-ids.ts';

/** What happened, for the checker. */
export interface ScheduleRun {
  readonly people: readonly Uid[];
  /** Accounts that ended on the way. */
  readonly gone: ReadonlySet<Uid>;
  /** Messages that were acknowledged: sender, client id, number. */
  readonly acknowledged: readonly { pairId: string; sender: Uid; clientId: ClientId; number: number }[];
  /** New names as people received them, each with the number of their own stream that came before it. */
  readonly renames: readonly { to: Uid; afterSeq: number; uid: Uid; name: string }[];
}

/** The first name of each person. */
export const firstName = 'Person';
const rounds = 5;
const actsPerRound = 4;

/** Runs the schedule of `seed`. Rejects if any request fails otherwise than by a refusal. */
export async function runSchedule(world: PeopleWorld, seed: number): Promise<ScheduleRun> {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const people = await Promise.all(Array.from({ length: 4 }, () => world.addPerson(firstName)));
  await introduce(world, people);
  await fillLists(world, people[0] as Uid, 45 + below(3));
  const clientIds = Array.from({ length: 6 }, newClientId);
  const run: Run = {
    random,
    below,
    pick,
    people,
    clientIds,
    gone: new Set(),
    acknowledged: [],
    renames: [],
    notices: [],
  };

  for (let round = 0; round < rounds; round += 1) {
    world.clock.advance(1000);
    await Promise.all(Array.from({ length: actsPerRound }, () => act(run, pick(world.processes))));
    run.notices.push(...(await noticesOf(world, people)));
  }
  if (random() < 0.2) {
    const leaver = pick(people);
    run.gone.add(leaver);
    const others = Array.from({ length: 3 }, () => act(run, pick(world.processes)));
    await Promise.all([...others, removePerson(pick(world.processes), leaver)]);
    await removePerson(world, leaver);
  }
  return run;
}

/** A schedule on its way: what decides the next act, and what has happened so far. */
interface Run extends ScheduleRun {
  random(): number;
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
  readonly gone: Set<Uid>;
  readonly acknowledged: ScheduleRun['acknowledged'][number][];
  readonly renames: ScheduleRun['renames'][number][];
  /** Few, so that some are used twice. */
  readonly clientIds: readonly ClientId[];
  /** Notifications that a person had after some round. */
  readonly notices: { readonly uid: Uid; readonly id: string }[];
}

/** One random act of one random person. */
function act(run: Run, process: PeopleProcess): Promise<unknown> {
  const { random, below, pick, people } = run;
  const { handlers } = process;
  const me = pick(people);
  const uid = random() < 0.05 ? me : pick(people.filter((each) => each !== me));
  const caller = callerOf(me);
  // Mostly one that is there, sometimes one that was, and now and then another person's.
  const known = random() < 0.8 ? run.notices.slice(-4) : run.notices;
  const notice = known.length > 0 ? pick(known) : { uid: me, id: 'none' };
  const reader = random() < 0.9 ? callerOf(notice.uid) : caller;
  const clientId = random() < 0.3 ? pick(run.clientIds) : newClientId();
  const pairId = uid === me ? `${me}_${me}` : pairIdOf(me, uid);
  const marks = { deliveredUpTo: below(6), readUpTo: below(6) };
  const acts: (() => Promise<unknown>)[] = [
    () => meet(run, process, pick(roomKinds), me, uid),
    () => meet(run, process, pick(roomKinds), people[0] as Uid, uid),
    () => handlers['tunemates/remove'](caller, { uid }),
    () => rename(run, process, me, `Person ${below(1000)}`),
    ...repeat(4, () => handlers['soulmate/ask'](caller, { uid, clientId })),
    ...repeat(5, () => handlers['soulmate/accept'](reader, { id: notice.id })),
    () => handlers['soulmate/decline'](reader, { id: notice.id }),
    ...repeat(2, () => handlers['soulmate/part'](caller, {})),
    ...repeat(2, () => handlers['notifications/invite'](caller, { uid, clientId })),
    () => handlers['notifications/dismiss'](reader, { id: notice.id }),
    () => handlers['notifications/markRead'](caller, {}),
    () => handlers['chats/block'](caller, { uid, isBlocked: random() < 0.1 }),
    ...repeat(3, () => send(run, handlers, me, uid, clientId)),
    ...repeat(2, () => handlers['chats/mark'](caller, { pairId, ...marks })),
    ...repeat(4, () => changeMessage(run, handlers, caller, { pairId, number: 1 + below(3), clientId })),
  ];
  return pick(acts)();
}

type Caller = ReturnType<typeof callerOf>;

/** One act on a message that may be there. */
function changeMessage(
  { random, below, pick }: Run,
  handlers: PeopleWorld['handlers'],
  caller: Caller,
  { pairId, number, clientId }: { pairId: string; number: number; clientId: ClientId },
): Promise<unknown> {
  const of = { pairId, number };
  const isOn = random() < 0.6;
  return pick<() => Promise<unknown>>([
    () => handlers['chats/edit'](caller, { ...of, clientId, text: `edit ${below(100)}`, edits: 1 + below(3) }),
    () => handlers['chats/delete'](caller, of),
    () => handlers['chats/hide'](caller, { ...of, isHidden: isOn }),
    () => handlers['chats/react'](caller, { ...of, clientId, emoji: pick(['🔥', '🎵', '❤️', '😮']), isOn }),
  ])();
}

async function meet({ gone }: Run, { record }: PeopleProcess, kind: RoomKind, a: Uid, b: Uid): Promise<void> {
  if (gone.has(a) || gone.has(b)) return;
  await record.write([userStream(a), userStream(b)], (writing) => connect(writing, kind, a, b));
}

/** As the account screen does it. */
async function rename(run: Run, { record }: PeopleProcess, uid: Uid, name: string): Promise<void> {
  if (run.gone.has(uid)) return;
  await record.write([userStream(uid)], (writing) => updateProfile(writing.db, uid, { name }));
  const watchers = [...((await knownBy(record.db, [uid])).get(uid)?.keys() ?? [])];
  const heads = await record.heads(watchers.map(userStream));
  // Read last, so that it is no older than what those streams hold.
  const person = await personOf(record.db, uid);
  if (!person) return;
  for (const to of watchers) run.renames.push({ to, afterSeq: heads.get(userStream(to)) ?? 0, uid, name: person.name });
}

async function send(
  run: Run,
  handlers: PeopleWorld['handlers'],
  sender: Uid,
  uid: Uid,
  clientId: ClientId,
): Promise<void> {
  const outcome = await handlers['chats/send'](callerOf(sender), { uid, text: `to ${uid}`, clientId });
  if (!outcome.ok) return;
  const { pairId, number } = outcome.value.message;
  run.acknowledged.push({ pairId, sender, clientId, number });
}

async function removePerson({ accountHooks }: Pick<PeopleProcess, 'accountHooks'>, uid: Uid): Promise<void> {
  for (const { onDeleting } of accountHooks) await onDeleting?.(uid);
}

/** All have met in a video room, before the first stream began. */
async function introduce({ record: { db } }: PeopleWorld, people: readonly Uid[]): Promise<void> {
  const rows = people.flatMap((uid) =>
    people.filter((mate) => mate !== uid).map((mate, index) => ({ uid, mate, position: 100 + index, added_at_ms: 0 })),
  );
  await db.insertInto('tunemates').values(rows).execute();
}

/**
 * Both lists of one person hold so many people whom no other account knows; the audio list gets those whom the other
 * one has.
 */
async function fillLists({ record: { db } }: PeopleWorld, uid: Uid, count: number): Promise<void> {
  const rows = Array.from({ length: count + 3 }, (_, position) => {
    return { uid, mate: String(position).padStart(22, '0'), position, added_at_ms: 0 };
  });
  await db.insertInto('tunemates').values(rows.slice(3)).execute();
  await db.insertInto('audio_connections').values(rows).execute();
}

/** The notifications that these people have now. */
async function noticesOf({ record }: PeopleWorld, people: readonly Uid[]): Promise<{ uid: Uid; id: string }[]> {
  const rows = await record.db
    .selectFrom('notifications')
    .select(['uid', 'id'])
    .where('uid', 'in', [...people])
    .orderBy('id')
    .execute();
  return rows.map(({ uid, id }) => ({ uid: uid as Uid, id }));
}

function repeat<T>(times: number, item: T): T[] {
  return Array.from({ length: times }, () => item);
}
