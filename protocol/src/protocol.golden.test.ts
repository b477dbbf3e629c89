/**
 * The hash of every schema that crosses the wire: a change of one fails here, as a reminder to raise the version.
 * protocol.golden.json has the pair of today, whose hash is replaced as often as a version changes before its release.
 * protocol.released.json has the pairs of the past, where nothing is replaced: a release adds its own.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { errorCode, refusal } from './wire/errors.ts';
import { entries, ephemeral } from './wire/streams.ts';
import { protocolVersion } from './wire/version.ts';
import { httpRequests, socketRequests } from './wire/wire.ts';

const stored = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
const golden = stored('protocol.golden.json') as { version: number; hash: string };
const released = stored('protocol.released.json') as Record<string, string>;

function shapeOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  return z.toJSONSchema(schema, { unrepresentable: 'any', io });
}

/** Everything that may cross the wire, as plain data. */
function wire(): unknown {
  const declared = Object.entries({ ...socketRequests, ...httpRequests }).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    requests: declared.map(([name, { payload, value }]) => [name, shapeOf(payload, 'input'), shapeOf(value, 'output')]),
    events: [entries, ephemeral, refusal, errorCode].map((schema) => shapeOf(schema, 'output')),
  };
}

test('WIRE-1 the schemas are those of this protocol version', () => {
  const hash = createHash('sha256').update(JSON.stringify(wire())).digest('hex');
  expect({ version: protocolVersion, hash }).toEqual(golden);
});

test('WIRE-1 a version that was released keeps its schemas: a change of them needs the next number', () => {
  expect(golden.hash).toBe(released[golden.version] ?? golden.hash);
});

test('WIRE-1 only the version after the last one that was released may still change', () => {
  expect(golden.version - Math.max(...Object.keys(released).map(Number))).toBeOneOf([0, 1]);
});
