/** Many at once: requests to join one room beyond its places. */
import { connect, inWaves } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { type Fault, wrongUnless } from './fault.ts';
import type { Scenario } from './scenario.ts';

/** A room keeps this many requests (docs/access.md). */
const places = 200;
const atOnce = 40;
/** A balancer that shares two processors with all programs now and then gives up a connection. */
const mostTries = 5;

/** As a page does it: one whose connection breaks before the answer comes back and asks again. */
async function askToJoin(url: string, person: Person, room: Scenario['room']): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      const member = await connect(url, person);
      const { status } = await member.ask('rooms/askToJoin', room).finally(() => member.line.disconnect());
      return status;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (why !== 'cut off' || tries === mostTries) return why;
    }
  }
}

export const crowdFaults: readonly Fault[] = [
  {
    id: 'crowd-asks',
    what: 'a crowd asks to join one room',
    isSlow: true,
    async run({ setUp, scenario }) {
      const crowd = setUp.people.slice(-(places + 40), -1);
      if (crowd.length <= places) return ['there is no crowd'];
      const answers = await inWaves(crowd, atOnce, (person) => askToJoin(setUp.url, person, scenario.room));
      const count = (wanted: string) => answers.filter((answer) => answer === wanted).length;
      const pending = count('pending');
      const refused = count('rooms/askToJoin: room/too-many-requests-pending');
      return wrongUnless(
        pending === places && pending + refused === crowd.length,
        `${String(pending)} wait, ${String(refused)} must wait; others: ${[...new Set(answers)].join()}`,
      );
    },
  },
];
