/** The set-up of most journeys: a server of the test's own, ended with all browsers, and people who sign in. */
import { test as base } from '@playwright/test';
import { serverProgram, type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { closeVisits, haveAccount, type Person, visitor } from './person.ts';

interface WithServer {
  /** Settings of the server. */
  serverEnv: Readonly<Record<string, string>>;
  /** What Node runs. */
  serverProgram: string;
  server: ServerProcess;
  /** A person with an account, signed in on a browser of their own. */
  member: (name: string) => Promise<Person>;
}

const linesShown = 40;

/** The last events that the server logged. */
const endOf = (log: string): string => log.trimEnd().split('\n').slice(-linesShown).join('\n');

export const test = base.extend<WithServer>({
  serverEnv: [{}, { option: true }],
  serverProgram: [serverProgram, { option: true }],
  server: async ({ serverEnv: env, serverProgram: program }, provide, testInfo) => {
    const server = await startServerProcess({ env, program: [program] });
    await provide(server);
    // Why a page or a mail did not come often stands there alone.
    if (testInfo.status !== testInfo.expectedStatus) console.log(endOf(server.log()));
    await closeVisits();
    await server.dispose();
  },
  member: async ({ browser, server }, provide) => {
    await provide(async (name) => {
      const person = await visitor(browser, server.url, name);
      await haveAccount(person, server);
      return person;
    });
  },
});
