/** The two hundred readers of `stalled.ts`, in a process of their own: they join, enter, and stop reading on a signal. */
import { connect, inWaves, type Member } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import type { Room } from '../rooms/largest-queue.ts';

export type ReadersOrder =
  | { type: 'ask'; url: string; room: Room; people: Person[] }
  | { type: 'enter'; room: Room }
  | { type: 'stall' };

let members: Member[] = [];
process.on('message', (order: ReadersOrder) => void obey(order).then(() => process.send?.('done')));

async function obey(order: ReadersOrder): Promise<void> {
  if (order.type === 'ask') {
    members = await inWaves(order.people, 20, async (person) => {
      const member = await connect(order.url, person);
      await member.ask('rooms/askToJoin', order.room);
      return member;
    });
  } else if (order.type === 'enter') {
    await inWaves(members, 10, (member) => member.ask('rooms/enter', order.room));
  } else {
    for (const { line } of members) line.stopReading();
  }
}
