/** A new name reaches every screen that shows it: with the rename itself, and whatever else happens at that moment. */
import { type OwnChange, ownStream, type Uid } from '@tunemate/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachDialect } from '../../../testkit/src/dialects.ts';
import { newId, openSocketWorld, type SocketWorld, type Tab, valueOf } from '../../../testkit/src/socket-world.ts';

describeEachDialect('a new name', (makeDatabaseUrl) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  const arrive = (...names: string[]) => Promise.all(names.map((name) => w.arrive(name)));

  async function rename(who: Tab, name: string): Promise<void> {
    const visitor = w.app.visitor();
    visitor.setCookie(who.cookie);
    valueOf((await visitor.call('PATCH /api/accounts/me', { name })).result);
  }

  async function write(from: Tab, to: Tab): Promise<void> {
    valueOf(await from.ask('chats/send', { clientId: newId(), uid: to.uid, text: 'hello' }));
  }

  async function bond(a: Tab, b: Tab): Promise<void> {
    await write(a, b);
    valueOf(await a.ask('soulmate/ask', { clientId: newId(), uid: b.uid }));
    const { notifications } = (await w.connect(b)).snapshot;
    valueOf(await b.ask('soulmate/accept', { id: notifications[0]?.id ?? '' }));
  }

  const ownChanges = (tab: Tab) => tab.changes(ownStream(tab.uid)) as OwnChange[];
  const newNamesSeen = (tab: Tab) => ownChanges(tab).filter(({ type }) => type === 'accounts/renamed');

  test('ACCT-37 is told to tunemates of both kinds, the soulmate, chat partners and rooms, and to nobody else', async () => {
    const [mara, ivo, ada, theo, ines, sami, eve] = await arrive('Mara', 'Ivo', 'Ada', 'Theo', 'Ines', 'Sami', 'Eve');
    if (!mara || !ivo || !ada || !theo || !ines || !sami || !eve) throw new Error('somebody is missing');
    const room = await w.room(mara, 'audio');
    await w.seat(mara, ivo, room);
    await w.seat(ada, mara, await w.room(ada, 'video'));
    valueOf(await ivo.ask('rooms/enter', room));
    await bond(mara, theo);
    await write(ines, mara);
    await write(sami, mara);
    valueOf(await mara.ask('chats/block', { uid: sami.uid, isBlocked: true }));

    await rename(mara, 'Mara Lind');
    const news = { type: 'accounts/renamed', uid: mara.uid, name: 'Mara Lind' };
    for (const tab of [ivo, ada, theo, ines]) await expect.poll(() => newNamesSeen(tab)).toEqual([news]);
    const inRoom = { type: 'rooms/participantRenamed', uid: mara.uid, name: 'Mara Lind' };
    await expect.poll(() => ivo.changes()).toContainEqual(inRoom);
    expect([mara, sami, eve].flatMap(newNamesSeen)).toEqual([]);
    expect((await w.connect(theo)).snapshot.soulmate).toMatchObject({ uid: mara.uid, name: 'Mara Lind' });
    expect((await w.connect(ada)).snapshot.tunemates).toMatchObject([{ uid: mara.uid, name: 'Mara Lind' }]);
    expect([mara, ivo, ada, theo, ines, sami].flatMap(({ gaps }) => gaps)).toEqual([]);
  });

  test('ACCT-37 is what a new tunemate ends up with, whichever of rename and accept comes first', async () => {
    const [mara, ...guests] = await arrive('Mara', 'Ivo', 'Ada', 'Theo', 'Ines');
    if (!mara) throw new Error('nobody is here');
    const room = await w.room(mara, 'video');
    for (const [round, guest] of guests.entries()) {
      valueOf(await guest.ask('rooms/askToJoin', room));
      const name = `Mara ${String(round)}`;
      await Promise.all([rename(mara, name), mara.ask('rooms/acceptRequest', { ...room, uid: guest.uid })]);
      await expect.poll(() => nameKnownTo(guest, mara.uid)).toBe(name);
    }
  });

  /** The name that a tab shows of a tunemate, by what it was told. */
  function nameKnownTo(tab: Tab, uid: Uid): string | undefined {
    let known: string | undefined;
    for (const change of ownChanges(tab)) {
      if (change.type === 'tunemates/added' && change.tunemate.uid === uid) known = change.tunemate.name;
      if (change.type === 'accounts/renamed' && change.uid === uid && known !== undefined) known = change.name;
    }
    return known;
  }
});
