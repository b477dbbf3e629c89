/** What requests to join cost once their rooms have ended. */
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { expect, test } from 'vitest';

test('requests that waited in 50 rooms which have ended cost the timers no statement', async () => {
  const statements: string[] = [];
  const w = await openSocketWorld({ onStatement: (statement) => statements.push(statement) });
  const [host, asker] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  for (let n = 0; n < 50; n += 1) {
    const room = {
      kind: 'audio',
      code: valueOf(await host.ask('rooms/create', { clientId: newClientId(), kind: 'audio', name: 'Radio' })).code,
    } as const;
    valueOf(await asker.ask('rooms/askToJoin', room));
    valueOf(await host.ask('rooms/leave', room));
  }
  await w.pass(70_000);
  statements.length = 0;
  await w.pass(5000);
  const reads = statements.filter((each) => /from "audiorooms" where "room_id" = /.test(each));
  expect(reads).toEqual([]);
  await w.close();
});
