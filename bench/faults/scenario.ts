/**
 * A scenario in one room while something breaks: a host who plays, guests who talk to the room and to each other, one
 * who has left, and a stranger who tries to get in. Knows the people and what they do, not what breaks.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { NamedTrack, RoomKind, VideoId } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openPage, type Page, type RoomAddress, type RoomPage } from './page.ts';

/** Where a person's page connects, and as which origin. */
export interface Endpoint {
  readonly url: string;
  readonly origin: string;
}

export interface ScenarioOptions {
  /** Host, guests, one who left, a stranger: as many as `cast` needs. */
  readonly people: readonly Person[];
  /** The line of the `index`th person. */
  readonly endpointOf: (index: number) => Endpoint;
  readonly kind: RoomKind;
  readonly random: () => number;
}

/** A person in the room: their page, and the room on it. */
export interface Participant {
  readonly page: Page;
  readonly room: RoomPage;
}

export const cast = 6;
const guests = 3;
/** The clocks of some devices are half a day wrong. */
const halfDayMs = 12 * 60 * 60 * 1000;
const clockOffOf = (index: number): number => [0, halfDayMs, -halfDayMs][index % 3] ?? 0;
/** No writer types on while this many messages wait. */
const patience = 20;

export type Scenario = Awaited<ReturnType<typeof openScenario>>;

/** Opens the pages, makes the room, and lets the guests in; nothing is said yet. */
export async function openScenario({ people, endpointOf, kind, random }: ScenarioOptions) {
  const open = (index: number): Page => {
    const person = people[index];
    if (!person) throw new Error(`a scenario needs ${String(cast)} people`);
    return openPage({ ...endpointOf(index), person, random, clockOffMs: clockOffOf(index) });
  };
  const pages = Array.from({ length: cast }, (_, index) => open(index));
  const [hostPage, ...others] = pages as [Page, ...Page[]];
  const departed = others[guests] as Page;
  const stranger = others[guests + 1] as Page;
  const { code } = await asked(hostPage, 'rooms/create', { clientId: newClientId(), kind, name: 'Kitchen Radio' });
  const room: RoomAddress = { kind, code };
  for (const page of others.slice(0, guests + 1)) {
    await asked(page, 'rooms/askToJoin', room);
    await asked(hostPage, 'rooms/acceptRequest', { ...room, uid: page.person.uid });
  }
  await asked(departed, 'rooms/leave', room);
  const participants: readonly Participant[] = [hostPage, ...others.slice(0, guests)].map((page) => ({
    page,
    room: page.enter(room),
  }));
  const host = participants[0] as Participant;
  await until(
    () => participants.every((participant) => participant.room.room.status.get().status === 'live'),
    'all are inside',
  );
  await host.room.takeControl();
  await host.room.act({ type: 'choose', track: trackNumber(0) });
  await host.room.act({ type: 'play' });
  return {
    pages,
    room,
    participants,
    host,
    guests: participants.slice(1),
    departed,
    stranger,
    startTraffic: () => startTraffic({ participants, outside: [departed, stranger], room, random }),
    /** Ends the room; the guests see that once. */
    async end(): Promise<string[]> {
      await host.room.room.leave(true);
      const isOver = () => participants.slice(1).every((participant) => participant.room.view() === 'ended');
      const problems = (await isSoon(isOver))
        ? []
        : [`the end of the room did not arrive: ${viewsOf(participants).join(' ')}`];
      return problems;
    },
    /** Closes all pages. */
    close: () => pages.forEach((page) => page.close()),
  };
}

const viewsOf = (participants: readonly Participant[]): string[] => participants.map(({ room }) => room.view());

/** The answer to a request that must be accepted. */
async function asked<Name extends Parameters<Page['connection']['requestUntilAnswered']>[0]>(
  page: Page,
  name: Name,
  payload: Parameters<typeof page.connection.requestUntilAnswered<Name>>[1],
) {
  const answer = await page.connection.requestUntilAnswered(name, payload);
  if (!answer.ok) throw new Error(`${name} of ${page.person.name}: ${answer.error.code}`);
  return answer.value;
}

interface TrafficParts {
  participants: readonly Participant[];
  outside: readonly Page[];
  room: RoomAddress;
  random: () => number;
}

/** Each person acts until stopped; a stop waits for no answer. */
function startTraffic({ participants, outside, room, random }: TrafficParts) {
  let isOver = false;
  const rest = (atLeastMs: number) => pause(atLeastMs * (1 + random()));
  const talk = async ({ page, room: view }: Participant, index: number) => {
    const other = (participants[index ^ 1] as Participant).page;
    const pair = [page.person.name, other.person.name].sort().join(' ');
    for (let n = 0; !isOver; n += 1) {
      if (view.waiting() < patience) view.say(`[room] ${page.person.name} ${String(n)}`);
      if (page.outbox.waiting.get().length < patience) {
        page.tell(other.person.uid, `[${pair}] ${page.person.name} ${String(n)}`);
      }
      await rest(60);
    }
  };
  const play = async ({ room: view }: Participant) => {
    for (let n = 0; !isOver; n += 1) {
      if (view.waiting() < patience) void view.act(intentNumber(n));
      await rest(120);
    }
  };
  const knock = async (page: Page) => {
    while (!isOver) {
      const answer = await page.connection.request('rooms/enter', room);
      if (answer.ok) page.complaints.push(`${page.person.name} came in without being let in`);
      await rest(150);
    }
  };
  const all = Promise.all([...participants.map(talk), play(participants[0] as Participant), ...outside.map(knock)]);
  return {
    async stop(): Promise<void> {
      isOver = true;
      await all;
    },
  };
}

/** A queue has 200 places, so most of what the host does is to pause and play. */
const queuedAtMost = 120;

function intentNumber(n: number) {
  if (n % 3 === 0 && n / 3 < queuedAtMost) return { type: 'enqueue', track: trackNumber(n + 1) } as const;
  return n % 2 === 0 ? ({ type: 'pause' } as const) : ({ type: 'play' } as const);
}

function trackNumber(n: number): NamedTrack {
  const videoId = `vid${String(n).padStart(4, '0')}${String(randomInt(1000, 9999))}` as VideoId;
  return { videoId, title: `Song ${String(n)}`, durationSeconds: 3600 };
}

const soonMs = 60_000;

/** Whether it comes true within a minute. */
export async function isSoon(condition: () => boolean | Promise<boolean>, withinMs = soonMs): Promise<boolean> {
  const giveUpAtMs = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAtMs) return false;
    await pause(20);
  }
  return true;
}

export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  if (!(await isSoon(condition))) throw new Error(`it never came to this: ${what}`);
}
