/** People who write to each other, privately and in a room, and note how long each acknowledgement took. */
import { newClientId } from '@tunemate/testkit/answers';
import { connect, type Member } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';

const everyMs = 400;

export interface Talk {
  /** Acknowledgements since the last call, in milliseconds. */
  take(): number[];
  /** Requests that were refused or not answered. */
  failures(): number;
  stop(): Promise<void>;
}

/** Each of `people` has a connection, spread over `urls`; neighbours are tunemates, the first hosts the room. */
export async function startTalk(urls: readonly string[], people: readonly Person[]): Promise<Talk> {
  const members = await Promise.all(people.map((person, n) => connect(urls[n % urls.length] ?? '', person)));
  const [host, ...guests] = members as [Member, ...Member[]];
  const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind: 'video', name: 'Kitchen Radio' });
  const room = { kind: 'video' as const, code };
  for (const guest of guests) {
    await guest.ask('rooms/askToJoin', room);
    await host.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid });
  }
  for (const member of members) await member.ask('rooms/enter', room);

  let tookMs: number[] = [];
  let failed = 0;
  let isOver = false;

  async function talk(member: Member, index: number): Promise<void> {
    const { uid } = people[index ^ 1] ?? member.person;
    for (let n = 0; !isOver; n += 1) {
      const startedMs = performance.now();
      const message = { clientId: newClientId(), text: `message ${String(n)}` };
      const said =
        n % 2 === 0
          ? member.ask('chats/send', { ...message, uid })
          : member.ask('rooms/sendMessage', { ...message, ...room });
      await said.then(
        () => tookMs.push(performance.now() - startedMs),
        () => (failed += 1),
      );
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  const talking = Promise.all(members.map(talk));
  return {
    take() {
      const taken = tookMs;
      tookMs = [];
      return taken;
    },
    failures: () => failed,
    async stop() {
      isOver = true;
      await talking;
      for (const { line } of members) line.disconnect();
    },
  };
}
