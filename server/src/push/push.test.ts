/** Web push from the outside: a push service on this machine that decrypts what it gets, and people on real sockets. */
import type { PushNews, Uid } from '@tunemate/protocol';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import webPush from 'web-push';
import { createDeviceKeys, type PushServer, startPushServer } from '@tunemate/testkit/fakes/push-device';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { isPublicAddress } from '../system/outside.ts';
import { pushClient, readPushAddress, contactOf, serviceOf } from './push.ts';

describe('web push', () => {
  let world: SocketWorld;
  let service: PushServer;
  beforeAll(async () => {
    service = await startPushServer();
    world = await openSocketWorld();
  });
  afterAll(async () => {
    await world.close();
    await service.close();
  });

  function visitorOf(person: Person) {
    const visitor = world.app.visitor();
    visitor.setCookie(person.cookie);
    return visitor;
  }
  let devices = 0;
  async function subscribe(person: Person) {
    devices += 1;
    const path = `/device-${String(devices)}`;
    const browser = createDeviceKeys();
    const payload = { endpoint: `${service.url}${path}`, keys: browser.keys };
    valueOf((await visitorOf(person).call('POST /api/push/subscribe', payload)).result);
    return {
      endpoint: payload.endpoint,
      path,
      requests: () => service.at(path),
      news: () => service.at(path).map(({ body }) => JSON.parse(browser.open(body)) as PushNews),
    };
  }
  const stored = async (person: Person) =>
    (await world.db.selectFrom('push_subscriptions').select('endpoint').where('uid', '=', person.uid).execute()).length;
  const refusalsOf = async (endpoint: string) => {
    const row = await world.db
      .selectFrom('push_subscriptions')
      .select('keys')
      .where('endpoint', '=', endpoint)
      .executeTakeFirst();
    return row && ((JSON.parse(row.keys) as { refusals?: number }).refusals ?? 0);
  };
  const write = async (from: Awaited<ReturnType<SocketWorld['arrive']>>, to: Person, text = 'a secret line') =>
    valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text }));

  test('a person without the app open gets a push on each device with the sender, without the text', async () => {
    const [mara, ivo] = [await world.arrive('Mara'), await world.person('Ivo')];
    const [phone, desk] = [await subscribe(ivo), await subscribe(ivo)];
    await write(mara, ivo);
    await expect
      .poll(() => [phone.news(), desk.news()])
      .toEqual(Array.from({ length: 2 }, () => [{ type: 'message', uid: mara.uid, name: 'Mara' }]));
    const [sent] = phone.requests();
    expect(sent?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' });
    const { publicKey } = valueOf((await visitorOf(ivo).call('GET /api/push/key', {})).result);
    expect(sent?.headers.authorization).toMatch(/^vapid t=/);
    expect(sent?.headers.authorization).toContain(`k=${publicKey}`);
  });

  test('a soulmate request, an invitation and a join request each name the sender and the room', async () => {
    const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
    const eve = await world.arrive('Eve');
    const room = await world.room(ivo, 'audio');
    await world.letIn(ivo, mara, room);
    await world.leave(ivo);
    const phone = await subscribe(ivo);
    valueOf(await mara.ask('soulmate/ask', { clientId: newClientId(), uid: ivo.uid }));
    valueOf(await mara.ask('notifications/invite', { clientId: newClientId(), uid: ivo.uid }));
    valueOf(await eve.ask('rooms/askToJoin', room));
    await expect.poll(() => phone.news().length).toBe(3);
    const from = { uid: mara.uid, name: 'Mara' };
    const broadcast = phone.news().sort((a, b) => (a.type < b.type ? -1 : 1));
    expect(broadcast).toEqual([
      // A guest's leads to asking, which is what the list of notifications offers.
      { type: 'invitation', ...from, room: null },
      { type: 'joinRequest', uid: eve.uid, name: 'Eve', ...room },
      { type: 'soulmate', ...from, room: null },
    ]);
  });

  test('the invitation of a host names the room that it lets into', async () => {
    const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
    const room = await world.room(mara, 'audio');
    await world.letIn(mara, ivo, room);
    await world.leave(ivo);
    const phone = await subscribe(ivo);
    valueOf(await mara.ask('notifications/invite', { clientId: newClientId(), uid: ivo.uid, room }));
    await expect.poll(() => phone.news()).toEqual([{ type: 'invitation', uid: mara.uid, name: 'Mara', room }]);
  });

  test('nothing is pushed while the app is open, to a device that unsubscribed, or for a repeated send', async () => {
    // Each sends one message, so that a push that should not have been sent shows by its sender.
    const [mara, lena, kim] = [await world.arrive('Mara'), await world.arrive('Lena'), await world.arrive('Kim')];
    const ivo = await world.person('Ivo');
    const [phone, old] = [await subscribe(ivo), await subscribe(ivo)];
    valueOf((await visitorOf(ivo).call('POST /api/push/unsubscribe', { endpoint: old.endpoint })).result);
    const pushed = () => phone.news().map((news) => news.name);
    const tab = await world.connect(ivo);
    await write(mara, ivo, 'while open');
    await world.leave(tab);
    const again = { clientId: newClientId(), uid: ivo.uid, text: 'while away' };
    valueOf(await lena.ask('chats/send', again));
    await expect.poll(pushed).toContain('Lena');
    valueOf(await lena.ask('chats/send', again));
    await write(kim, ivo, 'while away');
    await expect.poll(pushed).toContain('Kim');
    expect(pushed()).toEqual(['Lena', 'Kim']);
    expect(old.news()).toEqual([]);
  });

  test.each([404, 410])('a device whose push service answers %i is deleted, others stay', async (status) => {
    const [mara, ivo] = [await world.arrive('Mara'), await world.person('Ivo')];
    const [gone, kept] = [await subscribe(ivo), await subscribe(ivo)];
    service.statuses.set(gone.path, status);
    service.statuses.set(kept.path, 503);
    await write(mara, ivo);
    await expect.poll(() => stored(ivo)).toBe(1);
    await expect.poll(() => kept.requests().length).toBe(1);
  });

  test('messages of a muted chat are not pushed, those of other chats are (CHAT-33)', async () => {
    const [mara, noor, ivo] = [await world.arrive('Mara'), await world.arrive('Noor'), await world.arrive('Ivo')];
    const { message } = await write(mara, ivo);
    valueOf(await ivo.ask('chats/arrange', { pairId: message.pairId, isMuted: true }));
    await world.leave(ivo);
    const phone = await subscribe(ivo);
    await write(mara, ivo);
    await write(noor, ivo);
    await expect.poll(phone.news).toEqual([{ type: 'message', uid: noor.uid, name: 'Noor' }]);
  });

  test('what is done to messages is silent: edits, reactions and deletions push nothing', async () => {
    const [mara, noor, ivo] = [await world.arrive('Mara'), await world.arrive('Noor'), await world.arrive('Ivo')];
    const sent = await write(ivo, mara);
    const { message } = await write(mara, ivo);
    await world.leave(ivo);
    const phone = await subscribe(ivo);
    const of = (number: number) => ({ pairId: message.pairId, number, clientId: newClientId() });
    valueOf(await mara.ask('chats/react', { ...of(sent.message.number), emoji: '🔥', isOn: true }));
    valueOf(await mara.ask('chats/edit', { ...of(message.number), text: 'another line', edits: 1 }));
    const { pairId, number } = message;
    valueOf(await mara.ask('chats/delete', { pairId, number }));
    // By the time of a later push an earlier one has reached the device.
    await write(noor, ivo);
    await expect.poll(phone.news).toEqual([{ type: 'message', uid: noor.uid, name: 'Noor' }]);
  });

  test('a device that its service refuses three times in a row is let go, and one that took a push between is not', async () => {
    const ivo = await world.person('Ivo');
    const [lost, kept] = [await subscribe(ivo), await subscribe(ivo)];
    const answers = [403, 401, 201, 403, 403];
    for (const [at, status] of answers.entries()) {
      service.statuses.set(lost.path, at === 2 ? 401 : status);
      service.statuses.set(kept.path, status);
      await write(await world.arrive(`Mara ${String(at)}`), ivo);
      await expect.poll(() => kept.requests().length).toBe(at + 1);
      const refusals = () => Promise.all([lost, kept].map(async (of) => (await refusalsOf(of.endpoint)) ?? 'none'));
      await expect.poll(refusals).toEqual([at < 2 ? at + 1 : 'none', [1, 2, 0, 1, 2][at]]);
    }
    expect(lost.requests()).toHaveLength(3);
    expect(await stored(ivo)).toBe(1);
  });

  const vapid = 'the key is of another subscription';
  test.each<[string, number, string, 'gone' | 'refused' | 'kept']>([
    ['Mozilla', 410, '{"code":410,"errno":106,"error":"Gone"}', 'gone'],
    ['Google', 404, 'push subscription has unsubscribed or expired.', 'gone'],
    ['Mozilla', 401, `{"code":401,"errno":109,"message":"${vapid}"}`, 'refused'],
    ['Google', 403, `the VAPID credentials do not correspond: ${vapid}`, 'refused'],
    ['Google', 400, '<H1>UnauthorizedRegistration</H1>', 'refused'],
    ['Apple', 400, '{"reason":"VapidPkHashMismatch"}', 'refused'],
    ['Apple', 403, '{"reason":"BadJwtToken"}', 'kept'],
    ['Apple', 413, '{"reason":"PayloadTooLarge"}', 'kept'],
    ['Microsoft', 429, '', 'kept'],
    ['a service that never ends its answer', 503, 'x'.repeat(100_000), 'kept'],
  ])('what %s means by %i %s', async (_service, status, reason, then) => {
    const ivo = await world.person('Ivo');
    const phone = await subscribe(ivo);
    service.statuses.set(phone.path, status);
    service.reasons.set(phone.path, reason);
    const from = world.app.log.length;
    await write(await world.arrive('Mara'), ivo);
    await expect.poll(() => phone.requests().length).toBe(1);
    const is = { gone: 'none', refused: 1, kept: 0 }[then];
    await expect.poll(async () => (await refusalsOf(phone.endpoint)) ?? 'none').toBe(is);
    if (then === 'refused') return;
    const said = () => world.app.log.slice(from).map(({ event }) => event);
    await expect.poll(said).toContain(then === 'kept' ? 'push.not-sent' : 'push.device-expired');
  });

  test('a device gets no pushes once its session has ended', async () => {
    const [mara, ivo] = [await world.arrive('Mara'), await world.person('Ivo')];
    const [phone, desk] = [await subscribe(ivo), await subscribe(await world.signIn(ivo))];
    valueOf((await visitorOf(ivo).call('POST /api/accounts/sign-out', {})).result);
    await write(mara, ivo);
    await expect.poll(() => stored(ivo)).toBe(1);
    const pushed = () => desk.news().map((news) => news.name);
    await expect.poll(pushed).toEqual(['Mara']);
    // By the time of a second push the first has reached whichever device it was sent to.
    await write(await world.arrive('Lena'), ivo);
    await expect.poll(pushed).toEqual(['Mara', 'Lena']);
    expect(phone.requests()).toEqual([]);
  });

  test('a subscription is refused signed out, unverified, with invalid keys or with a private address', async () => {
    const ivo = await world.person('Ivo');
    const { keys } = createDeviceKeys();
    const good = { endpoint: 'https://push.example.com/x', keys };
    const ask = async (visitor: ReturnType<typeof visitorOf>, payload: unknown) =>
      (await visitor.send('POST /api/push/subscribe', payload)).status;
    expect(await ask(world.app.visitor(), good)).toBe(401);
    expect(await ask(visitorOf(await world.person('Uma', { isVerified: false })), good)).toBe(403);
    for (const endpoint of [
      'http://push.example.com/x',
      'https://10.0.0.7/x',
      'https://[::1]/x',
      'file:///etc/passwd',
    ]) {
      expect([endpoint, await ask(visitorOf(ivo), { endpoint, keys })]).toEqual([endpoint, 422]);
    }
    expect(await ask(visitorOf(ivo), { ...good, keys: { ...keys, auth: 'A'.repeat(30) } })).toBe(422);
    expect(await stored(ivo)).toBe(0);
  });

  test('a deleted account leaves no device behind', async () => {
    const visitor = await world.app.member('Leaver');
    const { keys } = createDeviceKeys();
    valueOf((await visitor.call('POST /api/push/subscribe', { endpoint: `${service.url}/leaver`, keys })).result);
    const count = async () =>
      (await world.db.selectFrom('push_subscriptions').select('uid').where('endpoint', 'like', '%/leaver').execute())
        .length;
    expect(await count()).toBe(1);
    valueOf((await visitor.call('POST /api/accounts/delete', { password: 'three green bicycles' })).result);
    expect(await count()).toBe(0);
  });
});

describe('addresses of push services', () => {
  test.each([
    'http://push.example.com/',
    'http://127.0.0.1:80/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://localhost/',
    'https://10.1.2.3/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://someone:secret@push.example.com/',
    'nonsense',
  ])('%s is no address of a push service', (address) => {
    expect(readPushAddress(address, false)).toBeNull();
  });

  test('an https address outside private networks is, and plain http to this machine in tests only', () => {
    expect(readPushAddress('https://fcm.googleapis.com/fcm/send/x', false)).not.toBeNull();
    expect(readPushAddress('http://127.0.0.1:9/x', true)).not.toBeNull();
    expect(isPublicAddress('8.8.8.8') && isPublicAddress('2606:4700::1111')).toBe(true);
  });

  test('an address that is not allowed any more has expired; one that leads nowhere is tried again', async () => {
    const keys = webPush.generateVAPIDKeys();
    const client = pushClient({ keys, contact: () => 'mailto:a@tunes.example', allowLoopback: false });
    const device = { ...createDeviceKeys().keys, uid: 'i'.repeat(22) as Uid, sessionId: 's' };
    const send = (endpoint: string) =>
      client.send({ endpoint, ...device }, { type: 'message', uid: 'u'.repeat(22) as Uid, name: 'Mara' });
    expect(await send('http://127.0.0.1:1/device')).toBe('expired');
    await expect(send('https://nobody.invalid/device')).rejects.toThrow('the name has no address');
  });
});

describe('contact', () => {
  test.each([
    ['https://music.example.org', 'Tunemate <tunemate@example.org>', 'https://music.example.org'],
    ['http://localhost:3000', 'Tunemate <tunemate@example.org>', 'mailto:tunemate@example.org'],
    ['http://localhost:3000', 'tunemate@example.org', 'mailto:tunemate@example.org'],
    ['https://tunes.tailnet.ts.net', 'tunemate@localhost', 'https://tunes.tailnet.ts.net'],
    // Apple's service takes no message that names one of these.
    ['https://music.local', 'Tunemate <tunemate@example.org>', 'mailto:tunemate@example.org'],
    ['https://192.168.1.7:8443', 'tunemate@example.org', 'mailto:tunemate@example.org'],
    ['https://nas', 'Tunemate <tunemate@localhost>', 'mailto:tunemate@example.com'],
    ['http://localhost:3000', 'Tunemate <music@house.lan>', 'mailto:tunemate@example.com'],
  ])('push services reach the operator of %s with mails from %s at %s', (publicUrl, mailFrom, contact) => {
    expect(contactOf(publicUrl, mailFrom)).toBe(contact);
  });
});

/** Push services that take messages and never answer: what is left for all others. */
describe('slow services', () => {
  let world: SocketWorld;
  let slow: PushServer;
  let fast: PushServer;
  beforeAll(async () => {
    [slow, fast] = [await startPushServer({ isSilent: true }), await startPushServer()];
    world = await openSocketWorld();
  });
  afterAll(async () => {
    await slow.close();
    await fast.close();
    await world.close();
  });

  let devices = 0;
  /** A person who is away, with one device at this service. */
  async function away(service: PushServer): Promise<Person & { path: string }> {
    const person = await world.person('Ivo');
    const path = `/device-${String((devices += 1))}`;
    const { sessionId, uid } = person;
    const keys = JSON.stringify({ ...createDeviceKeys().keys, sessionId });
    const row = { endpoint: `${service.url}${path}`, uid, keys, created_at_ms: world.clock.now() };
    await world.db.insertInto('push_subscriptions').values(row).execute();
    return { ...person, path };
  }
  const write = async (from: Tab, to: Person) =>
    valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text: 'hello' }));
  const droppedCount = () => world.app.log.filter(({ event }) => event === 'push.dropped').length;

  test('one push service that does not answer holds 100 places, and one person 10; others are notified as before', async () => {
    // However long this takes here, none of the ten seconds passes after which a push is given up.
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    onTestFinished(() => patience.mockRestore());
    const before = droppedCount();
    const mara = await world.arrive('Mara');
    const one = await away(slow);
    const senders = await Promise.all(
      Array.from({ length: 12 }, (_, index) => world.arrive(`Sender ${String(index)}`)),
    );
    for (const sender of senders) await write(sender, one);
    await expect.poll(() => droppedCount() - before).toBe(2);
    await expect.poll(() => slow.at(one.path).length).toBe(10);

    const crowd: (Person & { path: string })[] = [];
    for (let index = 0; index < 95; index += 1) crowd.push(await away(slow));
    // The number of new chats with strangers a day is limited.
    for (const [index, person] of crowd.entries()) await write(senders[index % senders.length] ?? mara, person);
    await expect.poll(() => droppedCount() - before).toBe(2 + 5);
    await expect.poll(() => [one, ...crowd].flatMap(({ path }) => slow.at(path)).length).toBe(100);

    const ivo = await away(fast);
    await write(mara, ivo);
    await expect.poll(() => fast.at(ivo.path).length).toBe(1);
  });

  test('all hosts of one registered domain are one push service', () => {
    expect(serviceOf('https://a.b.push.example.com/x')).toBe(serviceOf('https://c.example.com:8443/y'));
    expect(serviceOf('https://a.example.com/x')).not.toBe(serviceOf('https://a.example.org/x'));
    expect(serviceOf('http://127.0.0.1:1/x')).not.toBe(serviceOf('http://127.0.0.1:2/x'));
  });
});
