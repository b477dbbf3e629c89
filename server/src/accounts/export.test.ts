/** What the export of one's own data holds, asked for over HTTP by people who have lived in the app. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, openSocketWorld, type Person, type SocketWorld, valueOf } from '../../../testkit/src/socket-world.ts';

describe('the export of own data', () => {
  let world: SocketWorld;
  beforeAll(async () => {
    world = await openSocketWorld();
  });
  afterAll(() => world.close());

  async function exportOf(person: Person): Promise<Record<string, unknown>> {
    const visitor = world.app.visitor();
    visitor.setCookie(person.cookie);
    return valueOf((await visitor.call('GET /api/accounts/export', {})).result);
  }

  it('DATA-1 holds the chats with both names, tunemates, soulmate, notifications, blocks and rooms of the person', async () => {
    const [mara, ivo, eve] = [await world.arrive('Mara'), await world.arrive('Ivo'), await world.arrive('Eve')];
    const room = await world.room(mara, 'audio', 'Night Shift');
    await world.seat(mara, ivo, room);
    const send = async (from: typeof mara, to: typeof mara, text: string) =>
      valueOf(await from.ask('chats/send', { clientId: newId(), uid: to.uid, text }));
    await send(mara, ivo, 'did you hear that?');
    await send(ivo, mara, 'the bass line!');
    valueOf(await ivo.ask('soulmate/ask', { clientId: newId(), uid: mara.uid }));
    valueOf(await ivo.ask('notifications/invite', { clientId: newId(), uid: mara.uid }));
    valueOf(await mara.ask('chats/block', { uid: eve.uid, isBlocked: true }));

    const mine = await exportOf(mara);
    expect(mine).toMatchObject({
      user: { uid: mara.uid, name: 'Mara' },
      tunemates: [{ uid: ivo.uid, name: 'Ivo', metIn: ['audio'] }],
      soulmate: null,
      blocked: [eve.uid],
      roomsHosted: [{ kind: 'audio', code: room.code, name: 'Night Shift', isActive: true }],
      chats: [
        {
          with: { uid: ivo.uid, name: 'Ivo' },
          messages: [
            { sender: mara.uid, senderName: 'Mara', text: 'did you hear that?' },
            { sender: ivo.uid, senderName: 'Ivo', text: 'the bass line!' },
          ],
        },
      ],
    });
    const received = mine['notifications'] as { id: string; type: string; senderName: string }[];
    expect(received.map(({ type, senderName }) => `${type} by ${senderName}`).sort((a, b) => (a < b ? -1 : 1))).toEqual(
      ['now-playing by Ivo', 'soulmate by Ivo'],
    );
    const request = received.find(({ type }) => type === 'soulmate');
    valueOf(await mara.ask('soulmate/accept', { id: request?.id ?? '' }));
    expect((await exportOf(ivo))['soulmate']).toEqual({ uid: mara.uid, name: 'Mara' });
  });

  it('DATA-2 holds nothing that others keep to themselves: no addresses, no presence, no chats of other people', async () => {
    const [mara, ivo, eve] = [await world.arrive('Mona'), await world.arrive('Igor'), await world.arrive('Ella')];
    valueOf(await mara.ask('chats/send', { clientId: newId(), uid: ivo.uid, text: 'between us two' }));
    valueOf(await eve.ask('chats/send', { clientId: newId(), uid: ivo.uid, text: 'and from me' }));
    const text = JSON.stringify(await exportOf(eve));
    expect(text).toContain('and from me');
    expect(text).not.toContain('between us two');
    expect(text).not.toContain(`${ivo.uid.toLowerCase()}@`);
    expect(text).not.toContain('password');
  });
});
