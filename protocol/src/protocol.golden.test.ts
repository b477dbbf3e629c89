/**
 * Every schema that crosses the wire, as JSON Schema: a change of one fails here, as a reminder to raise the version. The
 * golden file has one line for each request and each change; the longest requests have one for each of their parts.
 * `npx vitest run -u --project=node protocol.golden` writes protocol.golden.json anew. protocol.released.json has a hash
 * of the schemas of each version that was released, where nothing is replaced: a release adds its own.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { errorCode, refusal } from './wire/errors.ts';
import type { RequestDeclaration, RouteDeclaration } from './wire/request.ts';
import { entries, ephemeral } from './wire/streams.ts';
import { protocolVersion } from './wire/frames.ts';
import { httpRequests, socketRequests } from './wire/wire.ts';

const released = JSON.parse(readFileSync(new URL('protocol.released.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

/** A schema on few lines: what every schema says of itself is left out. */
function shapeOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { unrepresentable: 'any', io, reused: 'ref' });
  return shape;
}

/** Everything that may cross the wire, as plain data. */
function wire() {
  const declared = Object.entries<RequestDeclaration | RouteDeclaration>({ ...socketRequests, ...httpRequests });
  const requests = declared.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    requests: Object.fromEntries(
      requests.map(([name, { payload, value }]) => [
        name,
        { payload: shapeOf(payload, 'input'), value: shapeOf(value, 'output') },
      ]),
    ),
    events: Object.fromEntries(
      Object.entries({ entries, ephemeral, refusal, errorCode }).map(([name, each]) => [name, shapeOf(each, 'output')]),
    ),
  };
}

/** As JSON: one line for what `isLine` says, and for anything else a line for each of its parts. */
function inLines(value: unknown, isLine: (json: string) => boolean, indent = ''): string {
  const json = JSON.stringify(value);
  if (isLine(json) || typeof value !== 'object' || value === null) return json;
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([key, part]) => inner + (isList ? '' : `${JSON.stringify(key)}: `) + inLines(part, isLine, inner),
  );
  return `${isList ? '[' : '{'}\n${parts.join(',\n')}\n${indent}${isList ? ']' : '}'}`;
}

const change = '{"type":"object","properties":{"type":{"type":"string","const":';

/** The golden file: a request has one line unless that had over 3,000 characters, a change always. */
function golden(): string {
  const { requests, events } = wire();
  return `{
"version": ${String(protocolVersion)},
"requests": ${inLines(requests, (json) => json.length <= 3000)},
"events": ${inLines(events, (json) => json.startsWith(change) || json.length <= 300)}
}
`;
}

test('the schemas are those of this protocol version (WIRE-1)', async () => {
  await expect(golden()).toMatchFileSnapshot('protocol.golden.json');
});

test('no request has a default: sent again after an update, it is known by the hash of its payload', () => {
  const { requests } = wire();
  expect(Object.entries(requests).filter(([, each]) => JSON.stringify(each).includes('"default":'))).toEqual([]);
});

test('a version that was released keeps its schemas: a change of them needs the next number (WIRE-1)', () => {
  const hash = createHash('sha256').update(JSON.stringify(wire())).digest('hex');
  expect(hash).toBe(released[protocolVersion] ?? hash);
});

test('only the version after the last one that was released may still change (WIRE-1)', () => {
  expect(protocolVersion - Math.max(...Object.keys(released).map(Number))).toBeOneOf([0, 1]);
});
