import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog, sparing } from './logging.ts';
import type { Log } from './ports.ts';

function lines(isTTY: boolean) {
  const written: string[] = [];
  const log = createLog('info', { isTTY, write: (text: string) => written.push(text) });
  return { log, written };
}

describe('the log', () => {
  test('is one JSON line for each event (BOOT-9)', () => {
    const { log, written } = lines(false);
    log.info({ url: 'http://localhost:3000' }, 'server.ready');
    log.debug({}, 'not.wanted');
    expect(written).toHaveLength(1);
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ msg: 'server.ready', url: 'http://localhost:3000' });
  });

  test('is readable in a terminal (BOOT-9)', () => {
    const { log, written } = lines(true);
    log.info({ to: 'ann@example.org', link: 'http://localhost:3000/auth' }, 'mail.written');
    expect(written[0]).toMatch(
      /^\d\d:\d\d:\d\d mail\.written to=ann@example\.org link=http:\/\/localhost:3000\/auth\n$/,
    );
  });

  test('says what an error is, and nothing of the rows that its driver attached (BOOT-9)', () => {
    const { log, written } = lines(false);
    const error = Object.assign(new Error('duplicate'), { code: '23505', detail: 'Key (email)=(ann@example.org)' });
    log.error({ err: new Error('outer', { cause: error }) }, 'request.failed');
    expect(written[0]).not.toContain('ann@example.org');
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ err: { message: 'outer', cause: { code: '23505' } } });
  });

  /** How many of these times an event was written, and what the last line says of it. */
  function writtenOf(count: number, act: (log: Log, index: number) => void, everyMs = 1) {
    const written: object[] = [];
    let nowMs = 0;
    const keep = (fields: object) => void written.push(fields);
    const log = sparing({ debug: keep, info: keep, warn: keep, error: keep }, () => nowMs);
    for (let index = 0; index < count; index += 1) {
      nowMs += everyMs;
      act(log, index);
    }
    return { lines: written.length, last: written.at(-1) };
  }
  const full = (log: Log) => log.warn({ name: 'chats/send', event: 'database.full' }, 'request.unavailable');

  test('says what goes wrong again and again 16 times in an hour, and then at each doubling (BOOT-9)', () => {
    const night = writtenOf(5000, full);
    expect(night.lines).toBe(16 + 8);
    expect(night.last).toEqual({ name: 'chats/send', event: 'database.full', times: 4096 });
    // A minute between two of them: every hour begins anew.
    expect(writtenOf(60 * 8, full, 60_000).lines).toBe(8 * (16 + 1));
  });

  test('says each thing that goes wrong, however often another one did, and all that goes right (BOOT-9)', () => {
    const both = writtenOf(1000, (log, index) => {
      full(log);
      if (index === 999) log.warn({ name: 'chats/send', event: 'database.busy' }, 'request.unavailable');
    });
    expect(both.last).toEqual({ name: 'chats/send', event: 'database.busy' });
    expect(writtenOf(1000, (log) => log.info({ mail: 'one' }, 'mail.sent')).lines).toBe(1000);
    expect(writtenOf(1000, (log, index) => log.warn({ file: String(index) }, 'catalogue.file-skipped')).lines).toBe(
      1000,
    );
  });

  test('does not follow a person who goes in and out of one room all day (BOOT-9)', () => {
    const inAndOut = writtenOf(4000, (log) => log.info({ roomId: 'one' }, 'room.host-presence'));
    expect(inAndOut.lines).toBeLessThan(30);
    expect(writtenOf(1000, (log, index) => log.info({ roomId: String(index) }, 'room.ended')).lines).toBe(1000);
  });

  const outside = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '\u001b[2J',
        '\r',
        '\n',
        '\u009b',
        '\u007f',
        '\u2028',
        '\u2029',
        '\u202e',
        '\u200b',
        'a',
        ' ',
      ),
    }),
  );
  const printable = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

  test.each([true, false])(
    'lets nothing but printable characters out, one line for each event (terminal: %s)',
    (isTTY) => {
      fc.assert(
        fc.property(outside, fc.dictionary(outside, fc.oneof(outside, fc.array(outside))), (text, fields) => {
          const { log, written } = lines(isTTY);
          log.warn({ ...fields, page: text, more: { [text]: text } }, 'page.csp-violation');
          expect(written).toHaveLength(1);
          expect(written[0]?.endsWith('\n')).toBe(true);
          expect(written[0]?.slice(0, -1)).toMatch(printable);
        }),
      );
    },
  );

  test('shows on a terminal what an error says on one line, and below it only its calls', () => {
    fc.assert(
      fc.property(outside, outside, (message, name) => {
        const { log, written } = lines(true);
        const error = Object.assign(new Error(message), { name });
        log.error({ err: error }, 'request.failed');
        log.error({ err: Object.assign(new Error('x'), { stack: message }) }, 'request.failed');
        const [first = '', second = ''] = written.map((each) => each.slice(0, -1));
        expect(`${first}${second}`.replaceAll('\n', '')).toMatch(printable);
        expect(
          first
            .split('\n')
            .slice(2)
            .every((line) => line.startsWith('      at ')),
        ).toBe(true);
        expect(second.split('\n')).toHaveLength(2);
      }),
    );
  });

  test('keeps a value from looking like further fields or another event', () => {
    const { log, written } = lines(true);
    log.warn({ blocked: 'x link=http://evil', page: 'a"b' }, 'page.csp-violation');
    expect(written[0]).toMatch(/ page\.csp-violation blocked="x link=http:\/\/evil" page="a\\"b"\n$/);
  });

  test('keeps what a JSON line says', () => {
    const { log, written } = lines(false);
    log.warn({ page: 'a\u009b\u2028\u{e0001}' }, 'page.csp-violation');
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ page: 'a\u009b\u2028\u{e0001}' });
  });
});

test('of an error with causes three causes are logged (BOOT-9)', () => {
  const nested = Array.from({ length: 6 }, (_, depth) => depth).reduceRight<unknown>(
    (cause, depth) => new Error(`level ${String(depth)}`, { cause }),
    'the end',
  );
  const lines: string[] = [];
  createLog('info', { write: (text) => lines.push(text) }).error({ err: nested }, 'test.failed');
  const { err } = JSON.parse(lines.join('')) as { err: unknown };
  const messages: string[] = [];
  for (let at = err as { message: string; cause?: typeof at } | undefined; at; at = at.cause) messages.push(at.message);
  expect(messages).toEqual(['level 0', 'level 1', 'level 2', 'level 3']);
  createLog('info', { write: (text) => lines.push(text) }).error({ err: 'thrown text' }, 'test.failed');
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ err: { type: 'string', message: 'thrown text' } });
});
