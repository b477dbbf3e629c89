import { aLiveConnection } from '../../testing/fake-link.ts';
import type { RoomCode, RoomKind, SoulmateCard, Tunemate } from '@tunemate/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { aSnapshot, batchOf, uidOf } from '../../testing/connection-fixtures.ts';
import { createTunematesModel } from './tunemates-model.ts';

function mate(letter: string, metIn: RoomKind[] = ['video']): Tunemate {
  const uid = uidOf(letter);
  return { uid, name: letter, metIn, presence: { uid, state: 'offline', last_changed: 1 } };
}

const personOf = (letter: string, last_changed: number, state: 'online' | 'offline', name = letter): SoulmateCard => ({
  uid: uidOf(letter),
  name,
  presence: { uid: uidOf(letter), state, last_changed },
});

async function setUp(tunemates: Tunemate[]) {
  const clock = createFakeClock();
  const { connection, server, welcome } = aLiveConnection(clock);
  const model = createTunematesModel(connection);
  expect(model.tunemates.get()).toBeNull();
  await welcome(aSnapshot({ tunemates }));
  const names = () => model.tunemates.get()?.map(({ name }) => name);
  const tell = (seq: number, ...changes: Parameters<typeof batchOf>[2]) =>
    server.push(batchOf(`user:${uidOf('M')}`, seq, changes));
  return { model, server, clock, welcome, names, tell };
}

test('the sidebar adds and removes people with each change, each person once', async () => {
  const { names, tell } = await setUp([mate('A'), mate('B')]);
  tell(1, { type: 'tunemates/added', tunemate: mate('C') });
  tell(2, { type: 'tunemates/added', tunemate: mate('A', ['video', 'audio']) });
  expect(names()).toEqual(['A', 'C', 'B']);
  tell(3, { type: 'tunemates/removed', uid: uidOf('B'), metIn: ['video'] });
  expect(names()).toEqual(['A', 'C']);
});

test('a person met in both kinds of room stays until they are removed from both lists', async () => {
  const { names, tell } = await setUp([mate('A', ['video', 'audio'])]);
  tell(1, { type: 'tunemates/removed', uid: uidOf('A'), metIn: ['video'] });
  expect(names()).toEqual(['A']);
  tell(2, { type: 'tunemates/removed', uid: uidOf('A'), metIn: ['audio'] });
  expect(names()).toEqual([]);
});

test('a tunemate is shown online as soon as the server reports it', async () => {
  const { model, server } = await setUp([mate('A'), mate('B')]);
  server.sendEphemeral({ type: 'people/changed', person: personOf('B', 2, 'online') });
  expect(model.tunemates.get()?.map(({ presence }) => presence.state)).toEqual(['offline', 'online']);
});

test('an event about a person that is older than the known state changes nothing', async () => {
  const { model, server, tell } = await setUp([mate('B')]);
  const states = () => model.tunemates.get()?.map(({ presence }) => presence.state);
  server.sendEphemeral({ type: 'people/changed', person: personOf('B', 5, 'online') });
  // A numbered change of the stream, as a block causes it, is always applied.
  tell(1, { type: 'presence/changed', presence: { uid: uidOf('B'), state: 'offline', last_changed: 9 } });
  server.sendEphemeral({ type: 'people/changed', person: personOf('B', 5, 'online') });
  expect(states()).toEqual(['offline']);
  server.sendEphemeral({ type: 'people/changed', person: personOf('B', 9, 'online') });
  expect(states()).toEqual(['online']);
});

test('the new name of a tunemate is shown at once, in the same place', async () => {
  const { names, server } = await setUp([mate('A'), mate('B'), mate('C')]);
  for (const [letter, name] of [
    ['B', 'Bea'],
    ['E', 'Eve'],
  ] as const) {
    server.sendEphemeral({ type: 'people/changed', person: personOf(letter, 1, 'offline', name) });
  }
  expect(names()).toEqual(['A', 'Bea', 'C']);
});

test('inviting and removing name the person; an invitation carries an id of its own', async () => {
  const { model, server } = await setUp([mate('A')]);
  const inviting = model.invite(uidOf('A'));
  await Promise.resolve();
  expect(server.waiting[0]).toMatchObject({ name: 'notifications/invite', payload: { uid: uidOf('A') } });
  await server.answer('notifications/invite', { ok: true, value: {} });
  await expect(inviting).resolves.toMatchObject({ ok: true });
  const removing = model.remove(uidOf('A'));
  await server.answer('tunemates/remove', { ok: false, error: { code: 'access/not-found' } });
  await expect(removing).resolves.toMatchObject({ ok: false });
});

test('what is asked of a person while there is no connection fails after a time, and does not go out later', async () => {
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  onTestFinished(() => timeout.mockRestore());
  const { model, server, clock, welcome } = await setUp([mate('A')]);
  server.lose();
  const asked = [model.invite(uidOf('A')), model.ask(uidOf('A'), { kind: 'audio', code: 'ABC123' as RoomCode })];
  patience.abort();
  await clock.advanceAsync(60_000);
  await welcome(aSnapshot());
  const unanswered = { ok: false, error: { code: 'server/unavailable' } };
  expect(server.waiting.filter(({ name }) => name !== 'session/hello')).toEqual([]);
  expect(await Promise.all(asked)).toEqual([unanswered, unanswered]);
});
