/** A server dies between the rows of two people. Either both have changed or none, and what was answered holds. */
import { setTimeout as pause } from 'node:timers/promises';
import { roomTables } from '../../server/src/storage/schema.ts';
import { openDatabase } from '../../server/src/storage/database.ts';
import { newClientId } from '@tunemate/testkit/answers';
import { connect } from '@tunemate/testkit/worlds/crowd';
import { isSoon } from './scenario.ts';
import { type Fault, type FaultScene, wrongUnless } from './fault.ts';
import type { Page } from './page.ts';
import { killAndRestart } from './process-faults.ts';

type Db = ReturnType<typeof openDatabase>['db'];

/** Within this time after a request it may be anywhere in its transaction. */
const withinMs = 15;

/** Runs `change`, and kills a server somewhere within it. */
async function killedWithin(scene: FaultScene, change: Promise<unknown>): Promise<void> {
  await pause(withinMs * scene.random());
  await killAndRestart(scene);
  await change;
}

async function matesOf(db: Db, people: readonly Page[]): Promise<(string | null)[]> {
  const rows = await db.selectFrom('users').select(['uid', 'soulmate']).execute();
  const mates = new Map(rows.map(({ uid, soulmate }) => [uid, soulmate]));
  return people.map(({ person }) => mates.get(person.uid) ?? null);
}

/** The two become a couple and part again, with a kill within each. */
async function couple(scene: FaultScene, db: Db, a: Page, b: Page): Promise<string[]> {
  await a.connection.requestUntilAnswered('soulmate/ask', { clientId: newClientId(), uid: b.person.uid });
  const asked = () =>
    db
      .selectFrom('notifications')
      .select('id')
      .where('uid', '=', b.person.uid)
      .where('type', '=', 'soulmate')
      .execute();
  await isSoon(async () => (await asked()).length > 0);
  const [notice] = await asked();
  if (!notice) return ['the question never came'];
  await killedWithin(scene, b.connection.requestUntilAnswered('soulmate/accept', { id: notice.id }));
  const together = await matesOf(db, [a, b]);
  await killedWithin(scene, a.connection.requestUntilAnswered('soulmate/part', {}));
  const parted = await matesOf(db, [a, b]);
  return [
    ...wrongUnless(together.join() === [b.person.uid, a.person.uid].join(), `half a couple: ${together.join()}`),
    ...wrongUnless(
      parted.every((mate) => mate === null),
      `half parted: ${parted.join()}`,
    ),
  ];
}

/** A guest is let in, with a kill within: a member and both lists, or nothing. */
async function letIn(scene: FaultScene, db: Db): Promise<string[]> {
  const { setUp, scenario } = scene;
  const { room, host } = scenario;
  const newcomer = setUp.people.at(-1);
  if (!newcomer) return [];
  const member = await connect(setUp.url, newcomer);
  await member.ask('rooms/askToJoin', room);
  member.line.disconnect();
  const accept = host.page.connection.requestUntilAnswered('rooms/acceptRequest', { ...room, uid: newcomer.uid });
  await killedWithin(scene, accept);
  const answer = await accept;
  const list = room.kind === 'video' ? 'tunemates' : 'audio_connections';
  const pair = [newcomer.uid, host.page.person.uid];
  const rows = await db.selectFrom(list).select('uid').where('uid', 'in', pair).where('mate', 'in', pair).execute();
  const { participants, rooms } = roomTables[room.kind];
  const live = await db
    .selectFrom(rooms)
    .select('room_id')
    .where('code', '=', room.code)
    .where('is_active', '=', 1)
    .execute();
  const members = await db
    .selectFrom(participants)
    .select('room_id')
    .where('uid', '=', newcomer.uid)
    .where(
      'room_id',
      'in',
      live.map(({ room_id }) => room_id),
    )
    .execute();
  return wrongUnless(
    answer.ok ? rows.length === 2 && members.length === 1 : members.length === 0,
    `let in: ${answer.ok ? 'ok' : answer.error.code}, ${String(members.length)} members, ${String(rows.length)} rows of the lists`,
  );
}

export const rowFaults: readonly Fault[] = [
  {
    id: 'half-written',
    what: 'kill -9 between the rows of two people',
    // A person who is accepted does not come back.
    mayShowOffline: true,
    async run(scene) {
      const [a, b] = [scene.scenario.host.page, scene.scenario.guests[0]?.page];
      if (!b) return ['no person is there'];
      const { db, close } = openDatabase(scene.setUp.databaseUrl);
      try {
        return [...(await couple(scene, db, a, b)), ...(await letIn(scene, db))];
      } finally {
        await close();
      }
    },
  },
];
