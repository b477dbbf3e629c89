/** Presence of people one has a chat with and nothing else in common. */
import { ownStream } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { describeEachDialect } from '../../../testkit/src/dialects.ts';
import { newId, openSocketWorld, type Person, type Tab, valueOf } from '../../../testkit/src/socket-world.ts';

const statesSeen = (watcher: Tab, of: Person): string[] =>
  watcher
    .changes(ownStream(watcher.uid))
    .flatMap((change) =>
      change.type === 'presence/changed' && change.presence.uid === of.uid ? [change.presence.state] : [],
    );

describeEachDialect('presence of chat partners', (makeDatabaseUrl) => {
  async function stage() {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const [mara, ivo, eve] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Eve')];
    valueOf(await mara.ask('chats/send', { clientId: newId(), uid: ivo.uid, text: 'hello' }));
    return { w, mara, ivo, eve };
  }

  test('PRES-40 two people with a chat see each other come and go live; a stranger sees nothing', async () => {
    const { w, mara, ivo, eve } = await stage();
    ivo.leave();
    await expect.poll(() => statesSeen(mara, ivo)).toEqual(['offline']);
    const back = await w.connect(ivo);
    await expect.poll(() => statesSeen(mara, ivo)).toEqual(['offline', 'online']);
    mara.leave();
    await expect.poll(() => statesSeen(back, mara)).toEqual(['offline']);
    expect(statesSeen(eve, ivo)).toEqual([]);
    await w.close();
  });

  test('PRES-41 a block in either direction ends it for both, and its lifting brings it back', async () => {
    const { w, mara, ivo, eve } = await stage();
    valueOf(await eve.ask('chats/send', { clientId: newId(), uid: ivo.uid, text: 'me too' }));
    valueOf(await mara.ask('chats/block', { uid: ivo.uid, isBlocked: true }));
    ivo.leave();
    await expect.poll(() => statesSeen(eve, ivo)).toEqual(['offline']);
    const back = await w.connect(ivo);
    await expect.poll(() => statesSeen(eve, ivo)).toEqual(['offline', 'online']);
    mara.leave();
    await expect.poll(() => w.stateOf(mara)).toBe('offline');
    const again = await w.connect(mara);
    // The block itself shows them as gone (PRES-42); what they do after it does not show.
    expect([statesSeen(mara, ivo), statesSeen(back, mara)]).toEqual([['offline'], []]);
    valueOf(await again.ask('chats/block', { uid: ivo.uid, isBlocked: false }));
    back.leave();
    await expect.poll(() => statesSeen(again, ivo)).toEqual(['online', 'offline']);
    await w.close();
  });

  test('PRES-42 a block shows each as gone to the other, at once, and its lifting as here', async () => {
    const { w, mara, ivo, eve } = await stage();
    valueOf(await mara.ask('chats/block', { uid: ivo.uid, isBlocked: true }));
    await expect.poll(() => [statesSeen(mara, ivo), statesSeen(ivo, mara)]).toEqual([['offline'], ['offline']]);
    valueOf(await ivo.ask('chats/block', { uid: mara.uid, isBlocked: true }));
    valueOf(await mara.ask('chats/block', { uid: ivo.uid, isBlocked: false }));
    expect([statesSeen(mara, ivo), statesSeen(ivo, mara)]).toEqual([['offline'], ['offline']]);
    valueOf(await ivo.ask('chats/block', { uid: mara.uid, isBlocked: false }));
    const both = ['offline', 'online'];
    await expect.poll(() => [statesSeen(mara, ivo), statesSeen(ivo, mara)]).toEqual([both, both]);
    valueOf(await mara.ask('chats/block', { uid: eve.uid, isBlocked: true }));
    expect([statesSeen(mara, eve), statesSeen(eve, mara)]).toEqual([[], []]);
    await w.close();
  });
});
