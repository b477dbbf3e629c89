/** Questions at full pace, from several tabs of each account, and requests over HTTP from 64 connections of all. */
import { Agent, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { limits, type PayloadInput, type RequestName } from '@tunemate/protocol';
import { connect, type Member } from '@tunemate/testkit/worlds/crowd';
import { type Attack, type Attacker, type AttackKind, filmId } from './attack-world.ts';

/** What one account has open; all together fewer than the connections that an address may have. */
const tabsOf = ({ attackers }: Attack): number => Math.min(9, Math.floor(80 / attackers.length));
const openPerTab = 20;
const httpConnections = 64;

/** Questions and requests answered, refusals of requests over HTTP included. */
export const counted = { answers: 0 };

function asking<Name extends RequestName>(
  name: Name,
  what: string,
  payload: (attacker: Attacker, n: number) => PayloadInput<Name>,
): AttackKind {
  async function ask(member: Member, attacker: Attacker, isOn: () => boolean): Promise<void> {
    let n = 0;
    const lane = async () => {
      while (isOn() && member.line.connected) {
        n += 1;
        const answered = await member.ask(name, payload(attacker, n)).catch(() => null);
        if (answered === null) await pause(100);
        else counted.answers += 1;
      }
    };
    await Promise.all(Array.from({ length: openPerTab }, lane));
  }
  return {
    name: what === '' ? name : `${name}, ${what}`,
    async start(attack) {
      let isOn = true;
      const lines: Member['line'][] = [];
      const begin = async (attacker: Attacker): Promise<Promise<void>[]> => {
        const members = await Promise.all(
          Array.from({ length: tabsOf(attack) }, () => connect(attack.url, attacker.person, attack.address)),
        );
        lines.push(...members.map(({ line }) => line));
        return members.map((member) => ask(member, attacker, () => isOn));
      };
      const asked = await Promise.all(attack.attackers.map(begin));
      return async () => {
        isOn = false;
        for (const line of lines) line.disconnect();
        await Promise.all(asked.flat());
      };
    },
  };
}

const page = { from: 0 };
const words = 'message ordinary';

export const questionKinds: readonly AttackKind[] = [
  asking('rooms/enter', 'a full queue', ({ room }) => room),
  asking('queues/read', 'a full queue', ({ queueId }) => ({ queueId })),
  asking('library/groups', '', ({ room }) => ({ ...room, ...page, by: 'artist' })),
  asking('library/tracks', 'newest', ({ room }) => ({ ...room, ...page, view: { type: 'newest' } })),
  asking('library/tracks', 'found', ({ room }) => ({
    ...room,
    ...page,
    view: { type: 'search', words: 'song artist' },
  })),
  asking('catalogue/search', '', ({ room }, n) => ({ ...room, query: `song number artist ${String(n)}` })),
  asking('chats/list', '', () => ({})),
  asking('chats/earlierMessages', 'long ones', ({ pairId, lastNumber }) => ({ pairId, before: lastNumber, downTo: 1 })),
  asking('chats/search', '', () => ({ words })),
  asking('chats/searchInChat', '', ({ pairId }) => ({ pairId, words })),
];

interface HttpAsk {
  method?: string;
  path: string;
  type?: string;
  body?: string | Buffer;
}

function flooding(name: string, ask: (attack: Attack, n: number) => HttpAsk): AttackKind {
  return {
    name: `64 connections, ${name}`,
    start(attack) {
      let isOn = true;
      let n = 0;
      const agent = new Agent({ keepAlive: true, maxSockets: httpConnections });
      const once = () =>
        new Promise<void>((resolve) => {
          const cookie = attack.attackers[n % attack.attackers.length]?.person.cookie ?? '';
          n += 1;
          const { method = 'GET', path, type, body } = ask(attack, n);
          const headers = { ...attack.address, cookie, origin: attack.url, ...(type && { 'content-type': type }) };
          const asked = send(`${attack.url}${path}`, { agent, method, headers }, (answer) => {
            counted.answers += 1;
            answer.resume();
            answer.once('close', resolve);
          });
          asked.once('error', () => resolve());
          asked.end(body);
        });
      const lane = async () => {
        while (isOn) await once();
      };
      const lanes = Array.from({ length: httpConnections }, lane);
      return Promise.resolve(async () => {
        isOn = false;
        // A film that is sent at a pace would take minutes.
        agent.destroy();
        await Promise.all(lanes);
      });
    },
  };
}

/** The lines of a list that names what is in the library only nearly. */
const list = Array.from({ length: limits.queueItems }, (_, n) => `Some Artist/Song number ${String(n)}x.mp3`).join(
  '\n',
);
const picture = Buffer.alloc(1024 * 1024, 7);
const recording = Buffer.alloc(256 * 1024, 7);

export const httpKinds: readonly AttackKind[] = [
  flooding('a page', () => ({ path: '/' })),
  flooding('a film', () => ({ path: `/media/${filmId}` })),
  flooding('a list uploaded', (_attack, n) => ({
    ...{ method: 'POST', path: `/api/queues/m3u8?kind=video&name=List&clientId=list-${String(n)}` },
    ...{ type: 'audio/x-mpegurl', body: `#EXTM3U\n${String(n)}\n${list}\n` },
  })),
  flooding('pictures uploaded', ({ mates: [mate] }) => ({
    ...{ method: 'POST', path: `/api/chats/images?with=${mate.uid}`, type: 'image/png', body: picture },
  })),
  flooding('recordings uploaded', ({ mates: [mate] }) => ({
    ...{ method: 'POST', path: `/api/chats/voices?with=${mate.uid}`, type: 'audio/webm', body: recording },
  })),
];
