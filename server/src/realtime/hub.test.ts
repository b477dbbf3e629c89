/** Who gets which batch, against a model: random comings, goings and deliveries over fake links. */
import type { StreamId, TabId, Uid } from '@tunemate/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Caller } from '../access/caller.ts';
import { createLog } from '../system/logging.ts';
import { accept } from '../system/ports.ts';
import { helloAdmission } from './connection.ts';
import { Hub } from './hub.ts';
import { createTurns } from './turns.ts';
import type { Link, LinkListener } from './link.ts';

const log = createLog('silent');
const people = 4;
const streams = ['room:a', 'room:b', 'user:c'] as StreamId[];

/** A link that keeps the frames sent to it, the very buffers. */
function fakeLink(n: number) {
  let listener: LinkListener | null = null;
  const frames: Buffer[] = [];
  const link = {
    id: `link ${String(n)}`,
    owner: { session: { uid: `uid ${String(n)}`, sessionId: 's' }, address: '' },
    isOpen: true,
    unsent: { bytes: 0, frames: 0 },
    stuckMs: null,
    heardAtMs: 0,
    listen: (to: LinkListener) => void (listener = to),
    send: (frame: Buffer) => void (link.isOpen && frames.push(frame)),
    end() {
      link.isOpen = false;
      listener?.onEnd('lost');
    },
    close: () => link.end(),
    terminate: () => link.end(),
    flushed: () => Promise.resolve(),
  };
  return { link, frames };
}

function setUp() {
  let opened: (link: Link) => void = () => undefined;
  const server = { onLink: (to: typeof opened) => void (opened = to), close: () => Promise.resolve() };
  const hub = new Hub(server, log, () => undefined);
  const deps = {
    probe: () => null,
    dispatch: () => Promise.resolve({ result: accept({}), isViolation: false }),
    log,
    limitScale: 0,
    mostTogether: 1,
    admission: helloAdmission(),
    opened: () => Promise.resolve(accept({})),
    closed: () => Promise.resolve(),
  };
  hub.open(deps, createTurns(0));
  const links = Array.from({ length: people }, (_, n) => fakeLink(n));
  for (const { link } of links) opened(link as unknown as Link);
  return { hub, links };
}

const callerOf = (n: number): Caller => ({
  uid: `uid ${String(n)}` as Uid,
  sessionId: 's',
  connectionId: `link ${String(n)}`,
  tabId: 't' as TabId,
  address: '',
});
const numberIn = (frame: Buffer) => Number(/"from":(\d+)/.exec(frame.toString())?.[1]);

const step = fc.record({
  act: fc.constantFrom('join', 'join', 'leave', 'expel all', 'end', 'deliver', 'deliver', 'ephemeral'),
  who: fc.nat({ max: people - 1 }),
  stream: fc.nat({ max: streams.length - 1 }),
});

test('each follower gets each batch once and in order, others none, and no stream outlives its followers (WIRE-72)', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { hub, links } = setUp();
      const follows = links.map(() => new Set<StreamId>());
      const expected: number[][] = links.map(() => []);
      const isGone = links.map(() => false);
      for (const [number, { act, who, stream: at }] of steps.entries()) {
        const stream = streams[at] as StreamId;
        const all = follows.filter((each) => each.has(stream));
        if (act === 'join') {
          hub.join(callerOf(who), stream);
          if (!(isGone[who] ?? true)) follows[who]?.add(stream);
        } else if (act === 'leave') {
          hub.leave(callerOf(who), stream);
          follows[who]?.delete(stream);
        } else if (act === 'expel all') {
          hub.expel(stream, null);
          for (const each of all) each.delete(stream);
        } else if (act === 'end') {
          links[who]?.link.end();
          isGone[who] = true;
          follows[who]?.clear();
        } else {
          const to = act === 'deliver' ? [stream] : streams;
          follows.forEach((each, n) => to.some((one) => each.has(one)) && expected[n]?.push(number));
          if (act === 'deliver') hub.deliver({ stream, from: number, changes: [] });
          else hub.sendEphemeral(streams, { type: 'x', from: number } as never);
        }
        for (const each of streams) expect(hub.size(each)).toBe(follows.filter((some) => some.has(each)).length);
      }
      expect(links.map(({ frames }) => frames.map(numberIn))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('a batch is encoded once for all who follow (WIRE-72)', () => {
  const { hub, links } = setUp();
  const [stream] = streams as [StreamId];
  for (const n of links.keys()) hub.join(callerOf(n), stream);
  hub.deliver({ stream, from: 1, changes: [] });
  expect(new Set(links.map(({ frames }) => frames[0])).size).toBe(1);
});
