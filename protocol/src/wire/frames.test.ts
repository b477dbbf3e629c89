import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Result } from './errors.ts';
import {
  byeWord,
  pingWord,
  pongWord,
  readRequest,
  readServerFrame,
  writeAnswer,
  writeEvent,
  writeRequest,
} from './frames.ts';

const json = () => fc.jsonValue({ depthSize: 'small' });
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const id = () => fc.nat({ max: Number.MAX_SAFE_INTEGER });

test('a request is read as it was written (WIRE-70)', () => {
  fc.assert(
    fc.property(id(), fc.string({ unit: 'binary' }), fc.array(json(), { maxLength: 3 }), (number, name, values) => {
      const read = readRequest(writeRequest(number, name, ...values));
      expect(read).toEqual({ id: number, name: sent(name), values: sent(values) });
    }),
  );
});

test('answers and events are read as they were written, each as what it is (WIRE-70)', () => {
  fc.assert(
    fc.property(id(), json(), (number, value) => {
      const result = { ok: true, value } as Result<unknown>;
      expect(readServerFrame(writeAnswer(number, result))).toEqual([number, sent(result)]);
      expect(readServerFrame(writeEvent('goodbye', value as never))).toEqual(['goodbye', sent(value)]);
    }),
  );
});

test('no text throws, and what is read as a request has a whole number and a name (WIRE-70)', () => {
  const edits = fc.tuple(fc.nat(), fc.nat(), fc.string({ unit: 'binary', maxLength: 3 }));
  const broken = fc.tuple(json(), fc.array(edits, { maxLength: 3 })).map(([value, all]) => {
    let text = writeRequest(7, 'chats/list', value);
    for (const [at, length, piece] of all) {
      const place = at % (text.length + 1);
      text = text.slice(0, place) + piece + text.slice(place + (length % 4));
    }
    return text;
  });
  fc.assert(
    fc.property(fc.oneof(broken, fc.string({ unit: 'binary' })), (text) => {
      const request = readRequest(text);
      if (request) {
        expect(Number.isSafeInteger(request.id) && request.id >= 0).toBe(true);
        expect(typeof request.name).toBe('string');
      }
      const [head] = readServerFrame(text) ?? [0];
      expect(['number', 'string']).toContain(typeof head);
    }),
    { numRuns: 2000 },
  );
});

test.each([pingWord, pongWord, byeWord, '', '[]', '[1]', '["entries"]', '{}', 'null', '[null,1]', '[1,2,3]'])(
  '%j is no frame of the server, and no request (WIRE-70)',
  (text) => {
    expect(readServerFrame(text)).toBeNull();
    expect(readRequest(text)).toBeNull();
  },
);
