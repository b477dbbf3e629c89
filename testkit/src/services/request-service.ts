/**
 * How a test file gets a database or Redis server: the run's shared one, or one of its own that it may crash.
 * Decides what a machine without that server means: a loud skip at a desk, a failure in CI. The short form of the tests
 * starts none, and its skips are counted alone.
 */
import { afterAll, describe, inject, test } from 'vitest';
import { coversEverything } from '../extent.ts';
import type { ServiceAnswer, ServiceName } from './shared-services.ts';
import { ServiceUnavailable } from './system-programs.ts';

/** Where the run's shared server is; it starts on the first request. Throws `ServiceUnavailable`. */
export async function requestService(name: ServiceName): Promise<{ readonly url: string }> {
  const response = await fetch(`${inject('sharedServicesUrl')}/${name}`);
  const reply = (await response.json()) as ServiceAnswer;
  if (reply.status === 'ready') return { url: reply.url };
  if (reply.status === 'unavailable') throw new ServiceUnavailable(reply.reason);
  throw new Error(`${name} did not start: ${reply.reason}`);
}

/**
 * Declares a suite that needs a service or a program: `requestService('redis')` for the shared one, `startRedis` for
 * its own. It is stopped after the suite when it has a `stop`.
 */
export function describeWithService<T extends object & { stop?: () => Promise<void> }>(
  name: string,
  start: () => Promise<T>,
  suite: (service: T) => void,
): void {
  describe(name, async () => {
    const service = coversEverything ? await start().catch(unavailable) : leftOut;
    if (service instanceof ServiceUnavailable) {
      const reason = service.message;
      test('needs its service', ({ skip }) => skip(reason));
      return;
    }
    afterAll(() => service.stop?.());
    suite(service);
  });
}

const leftOut = new ServiceUnavailable('only a run that covers everything has it');

function unavailable(error: unknown): ServiceUnavailable {
  if (!(error instanceof ServiceUnavailable) || process.env['CI'] === 'true') throw error;
  console.warn(`\n*** SKIPPED: ${error.message} ***\n`);
  return error;
}
