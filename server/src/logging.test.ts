import { describe, expect, it } from 'vitest';
import { createLog } from './logging.ts';

function lines(isTTY: boolean) {
  const written: string[] = [];
  const log = createLog('info', { isTTY, write: (text: string) => written.push(text) });
  return { log, written };
}

describe('the log', () => {
  it('BOOT-9 is one JSON line for each event', () => {
    const { log, written } = lines(false);
    log.info({ url: 'http://localhost:3000' }, 'server.ready');
    log.debug({}, 'not.wanted');
    expect(written).toHaveLength(1);
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ msg: 'server.ready', url: 'http://localhost:3000' });
  });

  it('BOOT-9 is readable where a person watches', () => {
    const { log, written } = lines(true);
    log.info({ to: 'ann@example.org', link: 'http://localhost:3000/auth' }, 'mail.written');
    expect(written[0]).toMatch(
      /^\d\d:\d\d:\d\d mail\.written to=ann@example\.org link=http:\/\/localhost:3000\/auth\n$/,
    );
  });

  it('BOOT-9 says what an error is, and nothing of the rows that its driver attached', () => {
    const { log, written } = lines(false);
    const error = Object.assign(new Error('duplicate'), { code: '23505', detail: 'Key (email)=(ann@example.org)' });
    log.error({ err: new Error('outer', { cause: error }) }, 'request.failed');
    expect(written[0]).not.toContain('ann@example.org');
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ err: { message: 'outer', cause: { code: '23505' } } });
  });
});
