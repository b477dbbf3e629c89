/** What the operator's log says of a room's evening: who did what, by ids; no code, and no word of what was said. */
import { roomKinds } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { expect, test } from 'vitest';

test.each(roomKinds)('the log names each step of a room of kind %s', async (kind) => {
  const w = await openSocketWorld();
  const [mara, ada, ivo] = [await w.arrive('Mara'), await w.arrive('Ada'), await w.arrive('Ivo')];
  const { room, roomId } = await w.roomWith(mara, kind);
  valueOf(await ada.ask('rooms/askToJoin', room));
  valueOf(await mara.ask('rooms/rejectRequest', { ...room, uid: ada.uid }));
  valueOf(await mara.ask('rooms/set', { ...room, settings: { admits: 'everybody' } }));
  valueOf(await ivo.ask('rooms/askToJoin', room));
  valueOf(await mara.ask('rooms/set', { ...room, settings: { isLocked: true } }));
  valueOf(await mara.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'a secret' }));
  valueOf(await mara.ask('rooms/offerHosting', { ...room, uid: ivo.uid, leaves: false }));
  valueOf(await ivo.ask('rooms/answerHosting', { ...room, takes: true, tabId: ivo.tabId }));
  valueOf(await ivo.ask('rooms/removeParticipant', { ...room, uid: mara.uid, forGood: true }));
  valueOf(await ivo.ask('rooms/enter', room));
  valueOf(await ivo.ask('rooms/leave', { ...room, ends: true }));
  const ofRoom = w.app.log.filter(({ event }) => event.startsWith('room.'));
  expect(ofRoom.map(({ event, fields }) => ({ event, ...fields }))).toEqual([
    { event: 'room.created', kind, roomId, uid: mara.uid },
    { event: 'room.request-answered', kind, roomId, verdict: 'rejected' },
    { event: 'room.settings-changed', kind, roomId, admits: 'everybody' },
    { event: 'room.came-in', kind, roomId, admits: 'everybody' },
    { event: 'room.settings-changed', kind, roomId, isLocked: true },
    { event: 'room.handed-over', kind, roomId, from: mara.uid, to: ivo.uid },
    { event: 'room.participant-removed', kind, roomId, forGood: true },
    { event: 'room.host-presence', kind, roomId, isHostHere: true },
    { event: 'room.ended', kind, roomId, reason: 'host-left' },
  ]);
  const everything = JSON.stringify(w.app.log);
  for (const secret of ['a secret', room.code]) expect(everything).not.toContain(secret);
});
