/** Bad input to private chats, class by class: it is refused, the server goes on, and nothing is sent to others. */
import { limits } from '@tunemate/protocol';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { limits as runLimits } from '@tunemate/testkit/extent';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type SocketWorld, type Tab, userChangeTypes } from '@tunemate/testkit/worlds/socket-world';

const [ok, I, N] = ['ok', 'input/invalid', 'access/not-found'];
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describeEachDialect('bad input to private chats', (makeDatabaseUrl) => {
  let w: SocketWorld;
  let mara: Tab;
  let ivo: Tab;
  let heardBefore: [number, number];
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    for (const [from, to] of [
      [mara, ivo],
      [ivo, mara],
    ] as const) {
      valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text: 'hello' }));
    }
    for (const tab of [mara, ivo])
      await vi.waitUntil(() => tab.changes().length === 2, { timeout: runLimits.node.poll });
  });
  afterAll(async () => {
    expect(w.app.log.filter(({ event }) => event === 'request.failed')).toEqual([]);
    expect([...mara.gaps, ...ivo.gaps]).toEqual([]);
    await w.close();
  });
  beforeEach(() => {
    heardBefore = [mara.changes().length, ivo.changes().length];
  });

  /** Expects this answer, a server that goes on, and no change for either person. */
  async function expectCode(name: string, payload: unknown, code: string | undefined): Promise<void> {
    expect(codeOf(await mara.send(name, payload))).toBe(code);
    for (const tab of [mara, ivo]) expect(codeOf(await tab.ask('clock/probe', {}))).toBe(ok);
    expect([mara.changes().length, ivo.changes().length]).toEqual(heardBefore);
  }
  const said = (text: unknown, more: object = {}) => ({ clientId: newClientId(), uid: ivo.uid, text, ...more });
  const pairId = () => [mara.uid, ivo.uid].sort().join('_');

  test.each([
    ['empty', ''],
    ['only space', ' \n\t\u3000 '],
    ['of invisible characters', '\u200b\u2060\ufeff'],
    ['a number', 7],
    ['null', null],
    ['missing', undefined],
    ['true', true],
    ['a list', ['hi']],
    ['an object with a toString', { toString: 'x', length: 3 }],
    ['an operator', { $ne: null }],
    ['33 levels deep', deep(33)],
    ['of 2,001 characters', 'x'.repeat(limits.messageLength + 1)],
    ['of 2,001 emoji', '🎧'.repeat(limits.messageLength + 1)],
    ['with a NUL', 'a\0b'],
    ['with half a character', 'a\ud800'],
    ['with the other half', '\udc00a'],
    ['with a bell', 'a\u0007b'],
  ])('a private message that is %s is not sent', async (_what, text) => {
    await expectCode('chats/send', said(text), I);
  });

  test.each([
    ['2,000 emoji', '🎧'.repeat(limits.messageLength)],
    ['markup', '<script>alert(1)</script><svg onload=x><a href="javascript:alert(1)">x</a>&#x3c;{{7*7}}'],
    ['a line separator', 'a\u2028b\u2029c'],
    ['names of prototypes', '__proto__ constructor toString'],
    ['a family', '👩‍👩‍👧 e\u0301 ﷽'],
    ['SQL', `'; drop table private_messages; --`],
  ])('%s comes back as it was written, to both', async (_what, text) => {
    const { message } = valueOf(await mara.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text }));
    expect(message.text).toBe(text);
    for (const tab of [mara, ivo]) await expect.poll(() => tab.changes().at(-1)).toMatchObject({ message: { text } });
    const { messages } = valueOf(await ivo.ask('chats/open', { uid: mara.uid }));
    expect(messages.at(-1)).toEqual(message);
    valueOf(await ivo.ask('chats/send', { clientId: newClientId(), uid: mara.uid, text: 'yes' }));
    await expect.poll(() => mara.changes().at(-1)).toMatchObject({ message: { text: 'yes' } });
  });

  test.each([
    ['a sender', () => ({ sender: ivo.uid })],
    ['a time', () => ({ timestamp: 1 })],
    ['a number', () => ({ number: 1 })],
    ['who got it', () => ({ deliveredTo: [ivo.uid] })],
    ['who read it', () => ({ readBy: [ivo.uid] })],
    ['a chat', () => ({ pairId: pairId() })],
    ['an image of its own', () => ({ image: { imageId: 'x', width: 1, height: 1 } })],
    ['a prototype', () => JSON.parse('{"__proto__":{"admin":1}}') as object],
  ])('a message that brings %s is refused', async (_what, more) => {
    // Built as text would be: a spread would lose the prototype's name.
    const payload = JSON.parse(
      `${JSON.stringify(said('hi')).slice(0, -1)},${JSON.stringify(more()).slice(1)}`,
    ) as object;
    await expectCode('chats/send', payload, I);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  test.each([
    ['oneself', () => mara.uid, I],
    ['a person who never was', () => 'z'.repeat(22), N],
    ['a name with an underscore', () => `${'z'.repeat(10)}_${'z'.repeat(11)}`, N],
    ['a pair', () => pairId(), N],
    ['a prototype', () => '__proto__', N],
    ['101 characters', () => 'z'.repeat(101), I],
    ['a number', () => 7, I],
    ['a list', () => [ivo.uid], I],
    ['an empty uid', () => '', N],
  ])('there is no chat with %s', async (_what, uidOf, code) => {
    const uid = uidOf();
    await expectCode('chats/send', { ...said('hi'), uid }, code);
    await expectCode('chats/open', { uid }, code);
    await expectCode('chats/block', { uid, isBlocked: true }, code);
  });

  test('a message to a deleted or unverified account gets the same refusal as one to an unknown person', async () => {
    const [gone, unverified] = [await w.person('Gone'), await w.person('Uma', { isVerified: false })];
    await w.db.updateTable('users').set({ deleted_at_ms: 1 }).where('uid', '=', gone.uid).execute();
    for (const { uid } of [gone, unverified, { uid: 'z'.repeat(22) }]) {
      await expectCode('chats/send', { ...said('hi'), uid }, N);
      await expectCode('chats/open', { uid }, N);
    }
  });

  test.each([
    ['no number', 'x'],
    ['half a message', 1.5],
    ['before the first', -1],
    ['a list', [1]],
    ['missing', undefined],
    ['endless', Number.MAX_VALUE],
  ])('a mark or a page at %s is invalid', async (_what, number) => {
    await expectCode('chats/mark', { pairId: pairId(), deliveredUpTo: number, readUpTo: 0 }, I);
    await expectCode('chats/mark', { pairId: pairId(), deliveredUpTo: 0, readUpTo: number }, I);
    await expectCode(
      'chats/mark',
      { pairId: pairId(), deliveredUpTo: 0, readUpTo: 0, seenRevision: number ?? null },
      I,
    );
    await expectCode('chats/earlierMessages', { pairId: pairId(), before: number }, I);
    await expectCode('chats/delete', { pairId: pairId(), number }, I);
    await expectCode('chats/hide', { pairId: pairId(), number, isHidden: true }, I);
    await expectCode('chats/send', said('hi', { replyTo: number ?? null }), I);
    const change = { pairId: pairId(), number, clientId: newClientId() };
    await expectCode('chats/edit', { ...change, text: 'x', edits: 1 }, I);
    await expectCode('chats/react', { ...change, emoji: '🔥', isOn: true }, I);
  });

  test.each([
    ['a client id of its own making', { clientId: '1' }],
    ['no client id', { clientId: undefined }],
    ['an image that is no id', { imageId: { $ne: null } }],
    ['an image with an endless name', { imageId: 'x'.repeat(41) }],
  ])('a message with %s is invalid', async (_what, more) => {
    await expectCode('chats/send', said('hi', more), I);
  });

  test('a message with an image that never was, or that is a path, is not found', async () => {
    for (const imageId of ['none', '../../tunemate.sqlite']) await expectCode('chats/send', said('', { imageId }), N);
  });

  test('one client id from two tabs at once is one message; another text or person under it is a conflict (CHAT-8)', async () => {
    const again = await w.connect(mara);
    const payload = said('once') as { clientId: string; uid: string; text: string };
    const [first, second] = await Promise.all([mara, again].map((tab) => tab.ask('chats/send', payload)));
    expect(first).toEqual(second);
    await expect.poll(() => ivo.changes().length).toBe(heardBefore[1] + 1);
    heardBefore = [heardBefore[0] + 1, heardBefore[1] + 1];
    await expect.poll(() => mara.changes().length).toBe(heardBefore[0]);
    await expectCode('chats/send', { ...payload, text: 'twice' }, 'input/conflict');
    const eve = await w.person('Eve');
    await expectCode('chats/send', { ...payload, uid: eve.uid }, 'input/conflict');
    again.leave();
  });

  test('an endless or compressed upload, or one for an unknown person, is refused and the server goes on', async () => {
    const headers = { 'content-type': 'image/png', origin: w.app.url, cookie: mara.cookie };
    const url = `http://127.0.0.1:${String(w.app.app.port)}/api/chats/images?with=${ivo.uid}`;
    const chunk = new Uint8Array(64 * 1024);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    const unending: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: endless, duplex: 'half' };
    const long = await fetch(url, unending).then(
      ({ status }) => status,
      // Shut while we still wrote.
      () => 413,
    );
    expect(long).toBe(413);
    for (const other of ['', '__proto__', pairId(), 'z'.repeat(22)]) {
      const nowhere = await fetch(url.replace(ivo.uid, other), { method: 'POST', headers, body: chunk });
      expect([other, nowhere.status]).toEqual([other, 404]);
    }
    const packed = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: chunk,
    });
    expect(packed.status).toBe(413);
    expect(codeOf(await mara.ask('clock/probe', {}))).toBe(ok);
    expect(userChangeTypes(ivo)).toHaveLength(heardBefore[1]);
  });
});
