/** What reaches a person from people whom they never answered, at the limits of a real installation. */
import { pairIdOf } from '@tunemate/domain';
import { userStream } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { expect, test } from 'vitest';

test('of people whom a person never answered they receive twenty acts at once and ten a second together, and no typing', async () => {
  const w = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
  const bob = await w.arrive('Bob');
  const strangers = await Promise.all(['Ada', 'Eve', 'Mia', 'Noor', 'Sam'].map((name) => w.arrive(name)));
  for (const one of strangers)
    valueOf(await one.ask('chats/send', { uid: bob.uid, clientId: newClientId(), text: 'hi' }));
  const react = async (one: Tab, isOn: boolean, number = 1) =>
    codeOf(
      await one.ask('chats/react', {
        ...{ pairId: pairIdOf(one.uid, bob.uid), number, clientId: newClientId(), emoji: '👍', isOn },
      }),
    );
  const acts = async (times: number): Promise<number> => {
    let done = 0;
    for (let n = 0; n < times; n += 1) {
      for (const one of strangers) if ((await react(one, n % 2 === 0)) === 'ok') done += 1;
    }
    return done;
  };
  const received = () => bob.changes(userStream(bob.uid)).filter(({ type }) => type === 'chats/messageChanged').length;
  expect(await acts(8)).toBe(20);
  await expect.poll(received).toBe(20);
  const [ada] = strangers as [Tab];
  for (const one of strangers) valueOf(await one.ask('chats/typing', { uid: bob.uid }));
  // Once answered, a person has the limits of people who know each other.
  valueOf(await bob.ask('chats/send', { uid: ada.uid, clientId: newClientId(), text: 'hello' }));
  valueOf(await ada.ask('chats/typing', { uid: bob.uid }));
  await expect.poll(() => bob.ephemeral.filter(({ type }) => type === 'chats/typing')).toHaveLength(1);
  expect(bob.ephemeral.at(-1)).toEqual({ type: 'chats/typing', uid: ada.uid });
  expect([await react(ada, true, 2), await react(ada, false, 2)]).toEqual(['ok', 'ok']);
});

test('twenty people whom a person never answered cause ten packets a second together, whatever they do', async () => {
  const w = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
  const bob = await w.arrive('Bob');
  const strangers = await Promise.all(Array.from({ length: 20 }, (_, n) => w.arrive(`Stranger ${String(n)}`)));
  for (const one of strangers)
    valueOf(await one.ask('chats/send', { uid: bob.uid, clientId: newClientId(), text: 'hi' }));
  const messages = () => bob.changes(userStream(bob.uid)).filter(({ type }) => type === 'chats/messageSent');
  await expect.poll(messages).toHaveLength(strangers.length);
  let packets = 0;
  for (const kind of ['entries', 'ephemeral'] as const) bob.socket.on(kind, () => void (packets += 1));
  const acts = [
    (one: Tab, isOn: boolean) =>
      one.ask('chats/setTimer', { pairId: pairIdOf(one.uid, bob.uid), days: isOn ? 1 : null }),
    (one: Tab) => one.ask('soulmate/ask', { uid: bob.uid, clientId: newClientId() }),
    (one: Tab) => one.ask('soulmate/takeBack', { uid: bob.uid }),
    (one: Tab, isOn: boolean) => one.ask('chats/block', { uid: bob.uid, isBlocked: isOn }),
  ];
  const seconds = 2;
  for (let second = 0; second <= seconds; second += 1) {
    for (const act of acts) for (const isOn of [true, false]) for (const one of strangers) await act(one, isOn);
    if (second < seconds) w.clock.advance(1000);
  }
  // What was told before has arrived with it.
  const [ada] = strangers as [Tab];
  valueOf(await bob.ask('chats/arrange', { pairId: pairIdOf(ada.uid, bob.uid), isPinned: true }));
  await expect.poll(() => bob.changes(userStream(bob.uid)).at(-1)?.type).toBe('chats/arranged');
  const own = 1;
  // A first block is never refused, and told.
  expect(packets - own - strangers.length).toBeLessThanOrEqual(20 + 10 * seconds);
});

test('a stranger notices nothing of the person they write to before that person answers', async () => {
  const w = await openSocketWorld();
  const [ada, bob] = [await w.arrive('Ada'), await w.arrive('Bob')];
  const pairId = pairIdOf(ada.uid, bob.uid);
  const send = async (from: Tab, to: Tab) =>
    valueOf(await from.ask('chats/send', { uid: to.uid, clientId: newClientId(), text: 'hi' }));
  const marksSeen = () => ada.changes(userStream(ada.uid)).filter(({ type }) => type === 'chats/marked');
  const typingSeen = () => ada.ephemeral.filter(({ type }) => type === 'chats/typing');
  const shown = async () => {
    const opened = valueOf(await ada.ask('chats/open', { uid: bob.uid }));
    const [row] = valueOf(await ada.ask('chats/list', {})).conversations;
    const states = [opened.presence?.state, row?.presence?.state];
    return [...states, opened.marks.find(({ uid }) => uid === bob.uid)?.deliveredUpTo];
  };
  await send(ada, bob);
  valueOf(await bob.ask('chats/mark', { pairId, deliveredUpTo: 1, readUpTo: 0 }));
  await send(ada, bob);
  valueOf(await bob.ask('chats/mark', { pairId, deliveredUpTo: 2, readUpTo: 2 }));
  valueOf(await bob.ask('chats/typing', { uid: ada.uid }));
  expect(await shown()).toEqual([undefined, undefined, 0]);
  expect([marksSeen(), typingSeen()]).toEqual([[], []]);
  await send(bob, ada);
  // What was received and read before is told with the answer.
  await expect
    .poll(marksSeen)
    .toMatchObject([{ marks: { uid: bob.uid, deliveredUpTo: 2, readUpTo: 2 }, unread: null }]);
  valueOf(await bob.ask('chats/typing', { uid: ada.uid }));
  await expect.poll(typingSeen).toEqual([{ type: 'chats/typing', uid: bob.uid }]);
  expect(await shown()).toEqual(['online', 'online', 2]);
});
