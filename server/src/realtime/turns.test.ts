/** In which order the requests of several people are served, and how much of the process one person gets. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Uid } from '@tunemate/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Asker, createTurns, type Lane } from './turns.ts';

const [mara, ivo] = ['mara' as Uid, 'ivo' as Uid];
/** Each alone in a network. */
const at = (uid: Uid): Asker => ({ uid, network: uid });

// Only work takes time: what the machine does beside this process would count as work of the person who is served meanwhile.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Keeps the process busy, as a statement of SQLite does. */
const work = (ms: number): void => void vi.advanceTimersByTime(ms);

/** Lets time pass until this is served. */
async function pass(until: Promise<unknown>, stepMs = 10): Promise<void> {
  let isServed = false;
  void until.then(() => (isServed = true));
  while (!isServed) {
    vi.advanceTimersByTime(stepMs);
    await nextTurn();
  }
}

function record(inTurn = createTurns(1)) {
  const served: string[] = [];
  const ask = (uid: Uid, what: string, of: { ms?: number; lane?: Lane; network?: string } = {}) =>
    inTurn({ uid, network: of.network ?? uid }, of.lane ?? 'ordered', async () => {
      await Promise.resolve();
      work(of.ms ?? 0.1);
      served.push(what);
    });
  return { served, ask, inTurn };
}

test('a person who asks a hundred times at once lets another pass after one request (WIRE-68)', async () => {
  const { served, ask } = record();
  const many = Array.from({ length: 100 }, (_, n) => ask(mara, `mara ${String(n)}`));
  await nextTurn();
  const before = served.length;
  await ask(ivo, 'ivo');
  expect(served.indexOf('ivo') - before).toBeLessThanOrEqual(1);
  await Promise.all(many);
  expect(served.filter((each) => each !== 'ivo')).toEqual(many.map((_, n) => `mara ${String(n)}`));
});

test('a tab that asks again with each answer lets others pass as well', async () => {
  const { served, ask } = record();
  const chain = (async () => {
    for (let n = 0; n < 200; n += 1) await ask(mara, 'mara');
  })();
  await nextTurn();
  const before = served.length;
  await ask(ivo, 'ivo');
  expect(served.indexOf('ivo') - before).toBeLessThanOrEqual(1);
  await chain;
});

test('requests of one person are never under way together, those of two people are', async () => {
  const inTurn = createTurns(1);
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const begun: string[] = [];
  const ask = (uid: Uid, what: string, gate: Promise<void>) =>
    inTurn(at(uid), 'ordered', async () => {
      begun.push(what);
      await gate;
    });
  const all = [
    ask(mara, 'mara 1', gates[0].promise),
    ask(mara, 'mara 2', gates[1].promise),
    ask(ivo, 'ivo', gates[1].promise),
  ];
  for (let n = 0; n < 5; n += 1) await nextTurn();
  expect(begun).toEqual(['mara 1', 'ivo']);
  gates[0].resolve();
  gates[1].resolve();
  await Promise.all(all);
  expect(begun).toEqual(['mara 1', 'ivo', 'mara 2']);
});

test('a search that waits for a service outside holds up neither other requests nor a few more searches', async () => {
  const { served, ask, inTurn } = record();
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const searches = Array.from({ length: 10 }, () =>
    inTurn(at(mara), 'outside', async () => {
      begun += 1;
      await gate.promise;
    }),
  );
  await ask(mara, 'mara');
  expect(served).toEqual(['mara']);
  for (let n = 0; n < 10; n += 1) await nextTurn();
  expect(begun).toBe(4);
  gate.resolve();
  await Promise.all(searches);
  expect(begun).toBe(10);
});

test('a person who has used up their share of the process waits for it, and others do not (WIRE-68)', async () => {
  // A share of a thousandth: 0.8 ms at once, and four seconds of waiting for each beyond it.
  const { served, ask } = record(createTurns(0.001));
  await ask(mara, 'mara 1', { ms: 30 });
  const late = ask(mara, 'mara 2', { ms: 30 });
  for (let n = 0; n < 20; n += 1) await ask(ivo, 'ivo', { ms: 0.001 });
  expect(served).toEqual(['mara 1', ...Array.from({ length: 20 }, () => 'ivo')]);
  await pass(late, 10_000);
});

test('waiting costs nothing of the share', async () => {
  const { served, ask, inTurn } = record(createTurns(0.05));
  // Far more than the share of a twentieth would allow, if it were work.
  await pass(inTurn(at(mara), 'ordered', () => new Promise((resolve) => setTimeout(resolve, 200))));
  await Promise.all([ask(mara, 'mara'), ask(mara, 'mara')]);
  expect(served).toEqual(['mara', 'mara']);
});

test('a request that fails frees the turn', async () => {
  const { served, ask, inTurn } = record();
  await expect(inTurn(at(mara), 'ordered', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await ask(mara, 'mara');
  expect(served).toEqual(['mara']);
});

test('work that throws before it waits is rejected, and the next of its lane is served', async () => {
  const { served, ask, inTurn } = record();
  await expect(
    inTurn(at(mara), 'ordered', () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  await ask(mara, 'next');
  expect(served).toEqual(['next']);
});

test('of twenty people of one network who ask at full pace, one request is served between two of a person elsewhere', async () => {
  const { served, ask } = record();
  const people = Array.from({ length: 20 }, (_, n) => `p${String(n)}` as Uid);
  const many = people.flatMap((uid) => Array.from({ length: 20 }, () => ask(uid, 'home', { network: '192.0.2.1' })));
  await nextTurn();
  const before = served.length;
  for (let n = 0; n < 10; n += 1) await ask(ivo, 'ivo');
  const between = served.slice(before, served.lastIndexOf('ivo')).filter((each) => each === 'home');
  expect(between.length).toBeLessThanOrEqual(20);
  await Promise.all(many);
  expect(served).toHaveLength(410);
});

test('a network has a share of the process while others ask, however many people of it ask', async () => {
  // Of a twentieth: 75 ms at once, and 50 ms of waiting for each beyond it.
  const { served, ask } = record(createTurns(0.05));
  const home = { network: '192.0.2.1', ms: 20 };
  // Alone it may use more than its share, and each person uses less than their own.
  await Promise.all(Array.from({ length: 6 }, (_, n) => ask(`p${String(n)}` as Uid, 'home', home)));
  await ask(ivo, 'ivo');
  const late = ask('p6' as Uid, 'late', home);
  for (let n = 0; n < 5; n += 1) {
    await nextTurn();
    await ask(ivo, 'ivo', { ms: 0.001 });
  }
  expect(served).not.toContain('late');
  await pass(late);
});

test('of one network few requests are under way together while others ask, and all of them when no other does', async () => {
  const inTurn = createTurns(1);
  const gate = Promise.withResolvers<void>();
  let underWay = 0;
  const ask = (person: string, network: string) =>
    inTurn({ uid: person as Uid, network }, 'ordered', async () => {
      underWay += 1;
      await gate.promise;
    });
  const together = async (network: string): Promise<number> => {
    underWay = 0;
    all.push(...Array.from({ length: 20 }, (_, n) => ask(`${network} ${String(n)}`, network)));
    for (let n = 0; n < 50; n += 1) await nextTurn();
    return underWay;
  };
  const all: Promise<void>[] = [];
  expect(await together('192.0.2.1')).toBe(20);
  expect(await together('192.0.2.2')).toBe(4);
  gate.resolve();
  await Promise.all(all);
  expect(underWay).toBe(20);
});

test('a network waits for what its answers weigh, and others do not', async () => {
  const { served, ask, inTurn } = record();
  const long = { uid: mara, network: '192.0.2.1' };
  // Two seconds beyond what a network has at once.
  await inTurn(long, 'ordered', (weighs) => Promise.resolve(weighs(32 * 1024 * 1024)));
  const late = ask('noor' as Uid, 'noor', { network: '192.0.2.1' });
  await ask(ivo, 'ivo');
  expect(served).toEqual(['ivo']);
  await pass(late);
  expect(served).toEqual(['ivo', 'noor']);
});
