/** The settings of a room: who receives which, and what the one request takes. */
import { hostStream, initialSettings, roomStream, type Uid } from '@tunemate/protocol';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chosenSettings } from './settings.ts';

describeEachDialect('the settings of a room', (makeDatabaseUrl) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  test('several are one request and one change, and what only the host sees reaches no guest', async () => {
    const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const { room, roomId } = await w.roomWith(mara, 'video', ivo);
    const settings = { isLocked: true, slowSeconds: 5, admits: 'invited' } as const;
    valueOf(await mara.ask('rooms/set', { ...room, settings }));
    const toMembers = { type: 'rooms/set', settings: { isLocked: true, slowSeconds: 5 } };
    for (const tab of [mara, ivo]) await expect.poll(() => tab.changes(roomStream(roomId)).at(-1)).toEqual(toMembers);
    const toHost = { type: 'rooms/set', settings: { admits: 'invited' } };
    await expect.poll(() => mara.changes(hostStream(roomId)).at(-1)).toEqual(toHost);
    expect(ivo.changes(hostStream(roomId))).toEqual([]);
    const [ofHost, ofGuest] = [
      valueOf(await mara.ask('rooms/enter', room)),
      valueOf(await ivo.ask('rooms/enter', room)),
    ];
    expect(ofHost.hostSettings).toEqual({ admits: 'invited', friendsSee: true });
    expect(ofGuest.hostSettings).toBeNull();
    expect(ofGuest.room).toMatchObject({ isLocked: true, slowSeconds: 5, remoteUse: 'host' });
    expect(JSON.stringify(ofGuest)).not.toContain('admits');
  });

  test('takes no setting that another request changes, none that does not exist, and may be empty', async () => {
    const mara = await w.arrive('Mara');
    const room = await w.room(mara, 'audio');
    const set = (settings: object) => mara.send('rooms/set', { ...room, settings });
    expect(codeOf(await set({ remoteHolders: [mara.uid] }))).toBe('input/invalid');
    expect(codeOf(await set({ color: 'red' }))).toBe('input/invalid');
    expect(codeOf(await set({ slowSeconds: 7 }))).toBe('input/invalid');
    expect(codeOf(await set({}))).toBe('ok');
  });
});

test('an export has what the host chose, and names no person', () => {
  const chosen = { isLocked: true, remoteUse: 'lent' } as const;
  expect(chosenSettings({ ...initialSettings, ...chosen, remoteHolders: ['A'.repeat(22) as Uid] })).toEqual(chosen);
  expect(chosenSettings(initialSettings)).toEqual({});
});
