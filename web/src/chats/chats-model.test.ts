import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { pairId } from '@tunemate/protocol';
import { aLiveConnection } from '../../testing/fake-link.ts';
import { createFakeClock, settle } from '../../testing/fake-clock.ts';
import { aSnapshot, clientId, uidOf, countingClientIds } from '../../testing/connection-fixtures.ts';
import { memoryBrowser, memoryStorage } from '../../testing/memory-storage.ts';
import type { SharedStorage } from '../store/lenient-storage.ts';
import type { Kept } from '../store/kept.ts';
import { createChatsModel, createImages, createPrivateOutbox, createReceipts } from './chats-model.ts';

describe('outbox', () => {
  const me = uidOf('M');
  const theo = uidOf('T');
  const toTheo = { uid: theo };

  /** A browser whose tabs hear of what the others have stored when the test says so. */
  function aBrowser() {
    const told: (() => void)[] = [];
    const changed = (): void => told.splice(0).forEach((tell) => tell());
    return { browser: memoryBrowser((tell) => void told.push(tell)), changed };
  }

  type Tab = Awaited<ReturnType<typeof anOutbox>>;

  /** `tab` tells the client ids of one tab from those of another. */
  async function anOutbox(storage: SharedStorage = memoryStorage(), tab = 0) {
    const clock = createFakeClock();
    const { connection, server, welcome } = aLiveConnection(clock);
    const newClientId = countingClientIds(tab * 1000);
    const kept = () => storage.keys();
    const sent: number[] = [];
    const onSent = ({ number }: { number: number }) => void sent.push(number);
    const outbox = createPrivateOutbox({ connection, clock, storage, self: me, newClientId, onSent });
    await welcome(aSnapshot());
    const payloads = () => server.waiting.filter(({ name }) => name === 'chats/send').map(({ payload }) => payload);
    return { outbox, server, clock, sent, kept, payloads, storage, connection };
  }

  test.each(['', ' \n ', '\u200b'])('a blank message is not sent (%j)', async (text) => {
    const { outbox, payloads } = await anOutbox();
    expect(outbox.send(toTheo, text)).toBe(false);
    expect([outbox.waiting.get(), payloads()]).toEqual([[], []]);
  });

  test('messages to one person are sent one after another, in the order in which they were written', async () => {
    const { outbox, server, sent, payloads, kept } = await anOutbox();
    outbox.send(toTheo, ' one ');
    outbox.send(toTheo, 'two');
    await Promise.resolve();
    await expect.poll(payloads).toMatchObject([{ uid: theo, text: 'one' }]);
    await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
    expect(payloads()).toMatchObject([{ text: 'two' }]);
    await server.answer('chats/send', { ok: true, value: { message: { number: 2 } } });
    expect([sent, outbox.waiting.get(), kept()]).toEqual([[1, 2], [], []]);
  });

  test('a message that was unsent when the page closed is sent by the next page with the same client id', async () => {
    const before = await anOutbox();
    before.outbox.send(toTheo, 'still here');
    const after = await anOutbox(before.storage);
    after.outbox.sendAll();
    await expect
      .poll(after.payloads)
      .toEqual([{ clientId: '00000000-0000-4000-8000-000000000001', uid: theo, text: 'still here' }]);
  });

  test('a refused message stays with its reason, and a retry sends it with the same client id', async () => {
    const { outbox, server, payloads } = await anOutbox();
    outbox.send(toTheo, 'hello');
    await expect.poll(() => payloads().length).toBe(1);
    await server.answer('chats/send', { ok: false, error: { code: 'access/forbidden' } });
    const [failed] = outbox.waiting.get();
    expect(failed?.failure).toEqual({ code: 'access/forbidden' });
    outbox.retry(failed?.clientId ?? '');
    await expect.poll(payloads).toMatchObject([{ clientId: failed?.clientId, text: 'hello' }]);
  });

  test.each(['auth/required', 'auth/email-unverified', 'session/elsewhere', 'client/outdated'] as const)(
    'a message that was refused with %s waits, without being shown as failed, for the next page',
    async (code) => {
      const before = await anOutbox();
      before.outbox.send(toTheo, 'hello');
      await expect.poll(() => before.payloads().length).toBe(1);
      await before.server.answer('chats/send', { ok: false, error: { code } });
      expect(before.outbox.waiting.get()).toMatchObject([{ text: 'hello', failure: null }]);
      const after = await anOutbox(before.storage);
      after.outbox.sendAll();
      await expect.poll(after.payloads).toMatchObject([{ uid: theo, text: 'hello' }]);
    },
  );

  test('a message that could not be sent is so in another tab, too, until that tab discards it', async () => {
    const { browser, changed } = aBrowser();
    const [one, other] = [await anOutbox(browser.openTab()), await anOutbox(browser.openTab())];
    one.outbox.send(toTheo, 'hello');
    await settle();
    await one.server.answer('chats/send', { ok: false, error: { code: 'access/forbidden' } });
    changed();
    expect(other.outbox.waiting.get()).toMatchObject([{ text: 'hello', failure: { code: 'access/forbidden' } }]);
    other.outbox.discard(other.outbox.waiting.get()[0]?.clientId ?? '');
    changed();
    expect(one.outbox.waiting.get()).toEqual([]);
  });

  test('a message goes out behind those that another tab has written and not sent', async () => {
    const { browser } = aBrowser();
    const [one, other] = [await anOutbox(browser.openTab(), 1), await anOutbox(browser.openTab(), 2)];
    one.outbox.send(toTheo, 'first');
    other.outbox.send(toTheo, 'second');
    await settle();
    expect(other.payloads()).toMatchObject([{ text: 'first' }]);
    await other.server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
    expect(other.payloads()).toMatchObject([{ text: 'second' }]);
  });

  test('what a tab had not sent when it was closed is sent by the tab beside it', async () => {
    const { browser, changed } = aBrowser();
    const [closed, beside] = [await anOutbox(browser.openTab()), await anOutbox(browser.openTab())];
    closed.outbox.send(toTheo, 'still here');
    closed.outbox.close();
    changed();
    expect(beside.payloads()).toEqual([]);
    await beside.clock.advanceAsync(3000);
    expect(beside.payloads()).toMatchObject([{ text: 'still here' }]);
  });

  test('messages that an earlier version stored in one list are sent, in their order', async () => {
    const storage = memoryStorage();
    const old = (n: number) => ({ uid: theo, clientId: clientId(n), text: `old ${n}`, image: null, failure: null });
    const unsent = [2, 1].map((n) => ({ ...old(n), writtenAtMs: 1 }));
    storage.setItem(`tunemate/outbox/${me}`, JSON.stringify(unsent));
    const { outbox, payloads, server } = await anOutbox(storage, 1);
    outbox.send(toTheo, 'new');
    await settle();
    expect(payloads()).toMatchObject([{ text: 'old 2' }]);
    await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
    expect(outbox.waiting.get().map(({ text }) => text)).toEqual(['old 1', 'new']);
  });

  test('messages are sent where the browser stores nothing', async () => {
    const { outbox, payloads, server } = await anOutbox(Object.assign(memoryStorage(), { setItem: () => {} }));
    for (const text of ['one', 'two']) outbox.send(toTheo, text);
    await settle();
    await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
    expect([payloads(), outbox.waiting.get()]).toMatchObject([[{ text: 'two' }], [{ text: 'two' }]]);
  });

  test('an exception while a message is taken in, or out of the storage, stops none behind it', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const storage = memoryStorage();
    const remove = storage.removeItem.bind(storage);
    let removals = 0;
    storage.removeItem = (key) => {
      removals += 1;
      if (removals === 1) throw new Error('no removal');
      remove(key);
    };
    const { outbox, payloads, server, sent } = await anOutbox(storage);
    sent.push = () => {
      throw new Error('not taken in');
    };
    for (const text of ['one', 'two']) outbox.send(toTheo, text);
    await settle();
    await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
    // The next message or connection begins again where the storage failed.
    outbox.sendAll();
    await settle();
    await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
    expect(payloads()).toMatchObject([{ text: 'two' }]);
    expect(reported.mock.calls.map(([error]: unknown[]) => (error as Error).message)).toEqual([
      'no removal',
      'not taken in',
    ]);
    vi.unstubAllGlobals();
  });

  const step = fc.record({
    tab: fc.nat(1),
    act: fc.constantFrom(
      'write',
      'write',
      'answer',
      'answer',
      'lose',
      'lose an answer',
      'connect',
      'close',
      'hear',
      'wait',
    ),
  });

  test('two tabs of one writer that are cut off, closed and late to hear of each other keep the order and lose nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { browser, changed } = aBrowser();
        const written: string[] = [];
        const stored = new Map<string, string>();
        let opened = 0;
        const open = () => anOutbox(browser.openTab(), (opened += 1));
        const tabs = [await open(), await open()] as [Tab, Tab];

        /** The server stores a client id once; true when something was asked. */
        async function answer(tab: Tab, isHeard: boolean): Promise<boolean> {
          const [asked] = tab.payloads() as { clientId: string; text: string }[];
          if (asked === undefined) return false;
          if (!stored.has(asked.clientId)) stored.set(asked.clientId, asked.text);
          if (isHeard) await tab.server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
          else tab.server.lose();
          return true;
        }
        async function connect(tab: Tab): Promise<void> {
          await tab.clock.advanceAsync(60_000);
          if (!tab.server.waiting.some(({ name }) => name === 'session/hello')) await tab.server.open();
          if (!tab.server.waiting.some(({ name }) => name === 'session/hello')) return;
          await tab.server.answer('session/hello', { ok: true, value: aSnapshot() });
          tab.outbox.sendAll();
          await settle();
        }

        for (const { tab: index, act } of steps) {
          const tab = tabs[index as 0 | 1];
          if (act === 'write') {
            written.push(String(written.length));
            tab.outbox.send(toTheo, written.at(-1) ?? '');
          } else if (act === 'answer') await answer(tab, true);
          else if (act === 'lose an answer') await answer(tab, false);
          else if (act === 'lose') tab.server.lose();
          else if (act === 'connect') await connect(tab);
          else if (act === 'hear') changed();
          else if (act === 'wait') await tab.clock.advanceAsync(3000);
          else {
            tab.outbox.close();
            tab.connection.stop();
            tabs[index as 0 | 1] = await open();
          }
          await settle();
        }
        for (const tab of tabs) await connect(tab);
        const drain = async (): Promise<boolean> => (await answer(tabs[0], true)) || (await answer(tabs[1], true));
        while (await drain()) changed();
        changed();
        expect([...stored.values()]).toEqual(written);
        expect(tabs.map(({ outbox }) => outbox.waiting.get())).toEqual([[], []]);
      }),
      { numRuns: 200 },
    );
  });

  test('a message over the rate limit waits for as long as the server asks', async () => {
    const { outbox, server, payloads, clock } = await anOutbox();
    outbox.send(toTheo, 'hello');
    await expect.poll(() => payloads().length).toBe(1);
    await server.answer('chats/send', { ok: false, error: { code: 'limit/too-many', retryAfterMs: 900 } });
    expect([payloads(), outbox.waiting.get()[0]?.failure]).toEqual([[], null]);
    await clock.advanceAsync(900);
    expect(payloads()).toHaveLength(1);
  });
});

describe('receipts', () => {
  const withTheo = pairId.parse(`${uidOf('M')}_${uidOf('T')}`);
  const withAda = pairId.parse(`${uidOf('A')}_${uidOf('M')}`);
  const done = { ok: true, value: {} } as const;

  async function setUp() {
    const clock = createFakeClock();
    const { connection, server, welcome } = aLiveConnection(clock);
    await welcome(aSnapshot());
    const receipts = createReceipts(connection, clock);
    const marks = () => server.waiting.filter(({ name }) => name === 'chats/mark').map(({ payload }) => payload);
    return { clock, server, welcome, receipts, marks };
  }

  test('marks made at the same time are combined into one per chat, and sent one chat after another', async () => {
    const { clock, server, receipts, marks } = await setUp();
    receipts.delivered(withTheo, 1);
    receipts.delivered(withAda, 7);
    for (const number of [2, 4, 3]) receipts.delivered(withTheo, number);
    receipts.read(withTheo, 2);
    expect(marks()).toEqual([]);
    await clock.advanceAsync(200);
    expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 4, readUpTo: 2 }]);
    await server.answer('chats/mark', done);
    expect(marks()).toEqual([{ pairId: withAda, deliveredUpTo: 7, readUpTo: 0 }]);
    await server.answer('chats/mark', done);
    await clock.advanceAsync(1000);
    expect(marks()).toEqual([]);
  });

  test('marks never go back, and a mark that changes nothing is not sent', async () => {
    const { clock, server, receipts, marks } = await setUp();
    receipts.read(withTheo, 5);
    await clock.advanceAsync(200);
    await server.answer('chats/mark', done);
    receipts.delivered(withTheo, 5);
    receipts.read(withTheo, 4);
    await clock.advanceAsync(1000);
    expect(marks()).toEqual([]);
    receipts.delivered(withTheo, 6);
    await clock.advanceAsync(200);
    expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 6, readUpTo: 5 }]);
  });

  test('marks made while others are being sent go with the next request', async () => {
    const { clock, server, receipts, marks } = await setUp();
    receipts.read(withTheo, 1);
    await clock.advanceAsync(200);
    receipts.read(withTheo, 2);
    receipts.read(withTheo, 3);
    await clock.advanceAsync(1000);
    expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 1, readUpTo: 1 }]);
    await server.answer('chats/mark', done);
    await clock.advanceAsync(200);
    expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 3, readUpTo: 3 }]);
  });

  test('marks that were lost with the connection are sent on the next one', async () => {
    const { clock, server, welcome, receipts, marks } = await setUp();
    receipts.read(withTheo, 3);
    await clock.advanceAsync(200);
    server.lose();
    await clock.advanceAsync(60_000);
    await welcome(aSnapshot());
    expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 3, readUpTo: 3 }]);
  });

  test('marks over the rate limit are sent again when the server allows it, with their latest numbers', async () => {
    const { clock, server, receipts, marks } = await setUp();
    receipts.read(withTheo, 1);
    await clock.advanceAsync(200);
    await server.answer('chats/mark', { ok: false, error: { code: 'limit/too-many', retryAfterMs: 900 } });
    receipts.read(withTheo, 2);
    await clock.advanceAsync(899);
    expect(marks()).toEqual([]);
    await clock.advanceAsync(1);
    expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 2, readUpTo: 2 }]);
  });

  test('marks that a session that is over did not take are sent once the user has signed in again', async () => {
    const { clock, server, receipts, marks } = await setUp();
    receipts.read(withTheo, 3);
    await clock.advanceAsync(200);
    await server.answer('chats/mark', { ok: false, error: { code: 'auth/required' } });
    receipts.read(withTheo, 3);
    await clock.advanceAsync(200);
    expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 3, readUpTo: 3 }]);
  });
});

test('a recording that is on its way counts as unsent, until the message with it is sent', async () => {
  const clock = createFakeClock();
  const { connection, server, welcome } = aLiveConnection(clock);
  await welcome(aSnapshot());
  const upload = Promise.withResolvers<Response>();
  const kept = { read: () => Promise.resolve(undefined), follow: () => () => undefined } as unknown as Kept;
  const parts = { connection, clock, storage: memoryStorage(), fetch: () => upload.promise, kept };
  const chats = createChatsModel(parts, aSnapshot(), []);
  const sending = chats.sendVoice({ uid: uidOf('T') }, new Blob(['sound'], { type: 'audio/webm' }));
  expect(chats.unsent()).toBe(1);
  upload.resolve(Response.json({ ok: true, value: { voiceId: 'v', durationMs: 1000, waveform: [] } }));
  await sending;
  expect(chats.unsent()).toBe(1);
  await settle();
  await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
  expect(chats.unsent()).toBe(0);
});

describe('images', () => {
  const theo = uidOf('T');
  const answer = { id: 'image', width: 4, height: 3 };

  /** A file that is given up by the system while it is read. */
  function aLostFile(): File {
    const file = new File(['x'], 'lost.png', { type: 'image/png' });
    Object.defineProperty(file, 'type', {
      get() {
        throw new DOMException('The file is gone', 'NotReadableError');
      },
    });
    return file;
  }

  test('an image whose upload ends in an exception stops none behind it, and is under way no more', async () => {
    const sent: unknown[] = [];
    const fetch = () => Promise.resolve(Response.json({ ok: true, value: answer }));
    const images = createImages(fetch, { send: (_to, _text, media) => sent.push(media) > 0 });
    const [lost, next] = [
      images.send(theo, aLostFile()),
      images.send(theo, new File(['x'], 'b.png', { type: 'image/png' })),
    ];
    await expect(lost).rejects.toThrow('The file is gone');
    expect(await next).toEqual({ ok: true, value: answer });
    expect(sent).toEqual([{ image: answer }]);
    expect(images.underWay.get().get(theo)).toBe(0);
  });
});
