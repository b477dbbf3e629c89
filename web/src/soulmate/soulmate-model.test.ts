import { aLiveConnection } from '../../testing/fake-link.ts';
import type { SoulmateCard } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { aSnapshot, batchOf, uidOf } from '../../testing/connection-fixtures.ts';
import { createSoulmateModel } from './soulmate-model.ts';

const own = `user:${uidOf('M')}`;
const theo: SoulmateCard = {
  uid: uidOf('T'),
  name: 'Theo Brandt',
  presence: { uid: uidOf('T'), state: 'offline', last_changed: 1 },
};

test('the soulmate card shows no soulmate, then the name and presence, then no soulmate again', async () => {
  const { connection, server, welcome } = aLiveConnection(createFakeClock());
  const { soulmate } = createSoulmateModel(connection);
  expect(soulmate.get()).toEqual({ status: 'unknown' });
  await welcome(aSnapshot());
  expect(soulmate.get()).toEqual({ status: 'none' });
  server.push(batchOf(own, 1, [{ type: 'soulmate/changed', soulmate: theo }]));
  expect(soulmate.get()).toEqual({ status: 'bound', soulmate: theo });
  const presence = { uid: theo.uid, state: 'online', last_changed: 2 } as const;
  server.sendEphemeral({ type: 'people/changed', person: { ...theo, presence } });
  expect(soulmate.get()).toMatchObject({ soulmate: { presence: { state: 'online' } } });
  server.push(batchOf(own, 2, [{ type: 'soulmate/changed', soulmate: null }]));
  expect(soulmate.get()).toEqual({ status: 'none' });
});

test('the card shows the new name of the soulmate, and ignores new names of other people', async () => {
  const { connection, server, welcome } = aLiveConnection(createFakeClock());
  const { soulmate } = createSoulmateModel(connection);
  await welcome(aSnapshot({ soulmate: theo }));
  server.sendEphemeral({ type: 'people/changed', person: { ...theo, name: 'Theo Lind' } });
  server.sendEphemeral({ type: 'people/changed', person: { ...theo, uid: uidOf('A'), name: 'Ada' } });
  expect(soulmate.get()).toEqual({ status: 'bound', soulmate: { ...theo, name: 'Theo Lind' } });
});

test('the presence of another person does not change the card', async () => {
  const { connection, server, welcome } = aLiveConnection(createFakeClock());
  const { soulmate } = createSoulmateModel(connection);
  await welcome(aSnapshot({ soulmate: theo }));
  const before = soulmate.get();
  const presence = { uid: uidOf('A'), state: 'online', last_changed: 2 } as const;
  server.push(batchOf(own, 1, [{ type: 'presence/changed', presence }]));
  expect(soulmate.get()).toBe(before);
});

test('a soulmate request is answered by its notification', async () => {
  const { connection, server, welcome } = aLiveConnection(createFakeClock());
  const model = createSoulmateModel(connection);
  await welcome(aSnapshot());
  const accepting = model.accept('n1');
  expect(server.waiting[0]).toMatchObject({ name: 'soulmate/accept', payload: { id: 'n1' } });
  await server.answer('soulmate/accept', { ok: false, error: { code: 'soulmate/taken' } });
  await expect(accepting).resolves.toEqual({ ok: false, error: { code: 'soulmate/taken' } });
});
