/** Many at once: requests to join one room beyond its places. */
import { connect, inWaves } from '../crowd.ts';
import { type Fault, wrongUnless } from './fault.ts';

/** A room keeps this many requests (docs/access.md). */
const places = 200;
const atOnce = 40;

export const crowdFaults: readonly Fault[] = [
  {
    id: 'crowd-asks',
    what: 'a crowd asks to join one room',
    isSlow: true,
    async run({ setUp, scenario }) {
      const crowd = setUp.people.slice(-(places + 40), -1);
      if (crowd.length <= places) return ['there is no crowd'];
      const answers = await inWaves(crowd, atOnce, async (person) => {
        const member = await connect(setUp.url, person);
        const answer = await member.ask('rooms/askToJoin', scenario.room).then(
          ({ status }) => status as string,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        member.line.disconnect();
        return answer;
      });
      const count = (wanted: string) => answers.filter((answer) => answer === wanted).length;
      const pending = count('pending');
      const refused = count('rooms/askToJoin: room/too-many-requests-pending');
      return wrongUnless(
        pending === places && pending + refused === crowd.length,
        `${String(pending)} wait, ${String(refused)} were told to wait; others: ${[...new Set(answers)].join()}`,
      );
    },
  },
];
