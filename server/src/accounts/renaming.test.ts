/** A rename reaches every screen that shows the name, also amid concurrent writes. */
import { type UserChange, userStream } from '@tunemate/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

describeEachDialect('a new name', (makeDatabaseUrl) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  const arrive = (...names: string[]) => Promise.all(names.map((name) => w.arrive(name)));

  async function rename(tab: Tab, name: string): Promise<void> {
    const visitor = w.app.visitor();
    visitor.setCookie(tab.cookie);
    valueOf((await visitor.call('PATCH /api/accounts/me', { name })).result);
  }

  async function write(from: Tab, to: Tab): Promise<void> {
    valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text: 'hello' }));
  }

  async function linkSoulmates(a: Tab, b: Tab): Promise<void> {
    await write(a, b);
    valueOf(await a.ask('soulmate/ask', { clientId: newClientId(), uid: b.uid }));
    const { notifications } = (await w.connect(b)).snapshot;
    valueOf(await b.ask('soulmate/accept', { id: notifications[0]?.id ?? '' }));
  }

  const userChanges = (tab: Tab) => tab.changes(userStream(tab.uid)) as UserChange[];
  /** The names of a user that a tab received outside of rooms. */
  const namesSent = (tab: Tab, of: Tab) => [
    ...new Set(
      tab.ephemeral.flatMap((each) =>
        each.type === 'people/changed' && each.person.uid === of.uid ? [each.person.name] : [],
      ),
    ),
  ];

  test('is sent to tunemates of both kinds, the soulmate, chat partners and rooms, and to no one else', async () => {
    const [mara, ivo, ada, theo, ines, sami, eve] = await arrive('Mara', 'Ivo', 'Ada', 'Theo', 'Ines', 'Sami', 'Eve');
    if (!mara || !ivo || !ada || !theo || !ines || !sami || !eve) throw new Error('a user is missing');
    const room = await w.room(mara, 'audio');
    await w.letIn(mara, ivo, room);
    await w.letIn(ada, mara, await w.room(ada, 'video'));
    valueOf(await ivo.ask('rooms/enter', room));
    await linkSoulmates(mara, theo);
    await write(ines, mara);
    await write(sami, mara);
    valueOf(await mara.ask('chats/block', { uid: sami.uid, isBlocked: true }));

    await rename(mara, 'Mara Lind');
    for (const tab of [ivo, ada, theo, ines]) await expect.poll(() => namesSent(tab, mara)).toContain('Mara Lind');
    const inRoom = { type: 'rooms/participantRenamed', uid: mara.uid, name: 'Mara Lind' };
    await expect.poll(() => ivo.changes()).toContainEqual(inRoom);
    // Despite a block the name is sent, because their chat shows it.
    const renamed = { type: 'people/changed', person: { uid: mara.uid, name: 'Mara Lind', presence: null } };
    await expect.poll(() => sami.ephemeral.at(-1)).toEqual(renamed);
    expect([mara, eve].flatMap((tab) => namesSent(tab, mara))).toEqual([]);
    expect((await w.connect(theo)).snapshot.soulmate).toMatchObject({ uid: mara.uid, name: 'Mara Lind' });
    expect((await w.connect(ada)).snapshot.tunemates).toMatchObject([{ uid: mara.uid, name: 'Mara Lind' }]);
    expect([mara, ivo, ada, theo, ines, sami].flatMap(({ gaps }) => gaps)).toEqual([]);
  });

  test('reaches a new tunemate, whether the rename or the accept comes first', async () => {
    const [mara, ...guests] = await arrive('Mara', 'Ivo', 'Ada', 'Theo', 'Ines');
    if (!mara) throw new Error('Mara is missing');
    const room = await w.room(mara, 'video');
    for (const [round, guest] of guests.entries()) {
      valueOf(await guest.ask('rooms/askToJoin', room));
      const name = `Mara ${String(round)}`;
      await Promise.all([rename(mara, name), mara.ask('rooms/acceptRequest', { ...room, uid: guest.uid })]);
      await expect.poll(() => nameKnownTo(guest, mara)).toBe(name);
    }
  });

  /** The name that a tab shows of a tunemate, by the changes it received, which are never older than the list. */
  function nameKnownTo(tab: Tab, mate: Tab): string | undefined {
    const added = userChanges(tab).flatMap((each) => (each.type === 'tunemates/added' ? [each.tunemate] : []));
    const listed = added.findLast(({ uid }) => uid === mate.uid)?.name;
    return listed === undefined ? undefined : (namesSent(tab, mate).at(-1) ?? listed);
  }

  test('is limited to five an hour; the sixth is refused, other settings are not', async () => {
    const limited = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
    const mara = await limited.person('Mara');
    const visitor = limited.app.visitor();
    visitor.setCookie(mara.cookie);
    const change = async (changes: { name?: string; readReceipts?: boolean }) =>
      codeOf((await visitor.call('PATCH /api/accounts/me', changes)).result);
    for (let n = 0; n < 5; n += 1) expect(await change({ name: `Mara ${String(n)}` })).toBe('ok');
    expect(await change({ name: 'Mara again' })).toBe('limit/too-many');
    // The same name again, and a setting that is not shown to others.
    expect([await change({ name: 'Mara 4' }), await change({ readReceipts: false })]).toEqual(['ok', 'ok']);
    limited.clock.advance(12 * 60_000);
    expect(await change({ name: 'Mara again' })).toBe('ok');
    await limited.close();
  });
});
