/** A planned stop: requests are answered, acknowledged ones are stored, and no client can delay it. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRawSocket } from '@tunemate/testkit/network/raw-socket';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';

test('every request before a stop is answered or refused, acknowledged ones are stored, and all clients get the reason (WIRE-41)', async () => {
  await using dir = await makeTempDir('stopping');
  const databaseUrl = `sqlite:${join(dir.path, 'tunemate.sqlite')}`;
  const w = await openSocketWorld({ databaseUrl });
  const host = await w.arrive('Mara');
  const room = await w.room(host, 'video');
  const said = Array.from({ length: 60 }, (_, n) =>
    host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: String(n) }),
  );
  await said[0];
  const closing = w.close();
  const answers = await Promise.all(said);
  await closing;
  expect(answers.map(codeOf).filter((code) => code !== 'ok' && code !== 'server/unavailable')).toEqual([]);
  expect(host.goodbyes).toEqual([{ code: 'server/unavailable' }]);
  const warned = w.app.log.filter(({ level }) => level === 'warn' || level === 'error');
  // The disk of a busy machine may be slow.
  expect(warned.filter(({ event }) => event !== 'storage.slow')).toEqual([]);

  const again = await openSocketWorld({ databaseUrl, clock: w.clock });
  const back = await again.connect(host);
  const { messages } = valueOf(await back.ask('rooms/enter', room));
  const kept = answers.flatMap((answer) => (answer.ok ? [answer.value.message.text] : []));
  const latest = messages.map(({ text }) => text);
  expect(latest).toEqual(kept.slice(-latest.length));
});

test('what is asked while earlier requests are still served is refused (WIRE-41)', async () => {
  const w = await openSocketWorld();
  const host = await w.arrive('Mara');
  const room = await w.room(host, 'video');
  const say = () => host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'still there?' });
  const earlier = Array.from({ length: 60 }, say);
  await earlier[0];
  const closing = w.close();
  const late: string[] = [];
  while (host.goodbyes.length === 0) {
    void say().then(
      (answer) => late.push(codeOf(answer)),
      () => undefined,
    );
    await pause(1);
  }
  await closing;
  expect(late).toContain('server/unavailable');
});

test('a stop does not wait for connections without a hello or without an answer', async () => {
  const w = await openSocketWorld();
  const ivo = await w.person('Ivo');
  const mute = await openRawSocket(w.app, { cookie: ivo.cookie });
  const deaf = await openRawSocket(w.app, { cookie: ivo.cookie });
  deaf.stopReading();
  await w.close();
  await mute.closed;
  deaf.end();
  await expect(openRawSocket(w.app, { cookie: ivo.cookie })).rejects.toThrow();
});
