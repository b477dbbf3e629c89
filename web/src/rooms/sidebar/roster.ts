/**
 * Loads participants of a large room that the snapshot lacks: in pages, by name, or because the page mentions them, and
 * adds them to the room's model. This code is loaded only in large rooms.
 */
import type { Schedule } from '@tunemate/playback';
import {
  limits,
  type Result,
  type RoomDocument,
  type RoomSnapshot,
  type SomePeople,
  type Uid,
  type WhichPeople,
} from '@tunemate/protocol';
import type { Unsubscribe } from '../../store/cell.ts';
import { isEveryoneNamed, withPeople, type RoomModel } from '../visit/room-model.ts';

export type Roster = ReturnType<typeof openRoster>;

export interface RosterPorts {
  readonly room: Pick<RoomModel, 'state' | 'events' | 'alter'>;
  readonly ask: (which: WhichPeople) => Promise<Result<SomePeople>>;
  readonly schedule: Schedule;
  /** 0 to 1. */
  readonly random: () => number;
  readonly selfUid: string;
}

/** A message reaches all pages at once: this spreads the requests of a thousand over five seconds. */
const spreadMsPerPerson = 5;
const afterAt = /(?<![\p{IDC}.])@(\p{IDC}+)/gu;

export function openRoster({ room, ask, schedule, random, selfUid }: RosterPorts, entered: RoomSnapshot) {
  /** The last participant of the pages so far. */
  let last = lastOfPage(entered);
  /** The uids and names requested since the last snapshot. */
  const asked = new Set<string>();
  let isCrowd = isAudience(entered.room.people);
  const timers = new Set<Unsubscribe>();
  const load = loader(room, ask);

  /** Loads the participants with these letters in their name. */
  function find(letters: string): void {
    const wanted = letters.trim().slice(0, limits.nameLength).toLocaleLowerCase();
    const key = `@${wanted}`;
    if (wanted === '' || asked.has(key)) return;
    asked.add(key);
    void load({ type: 'named', letters: wanted });
  }

  /** Loads the participants among these users. */
  function know(uids: readonly Uid[]): void {
    const now = room.state.get()?.room;
    if (now === undefined || isEveryoneNamed(now)) return;
    const known = new Set(now.participants.map(({ uid }) => uid));
    const unknown = [...new Set(uids)].filter((uid) => !known.has(uid) && !asked.has(uid)).slice(0, limits.rosterPage);
    for (const uid of unknown) asked.add(uid);
    if (unknown.length > 0) void load({ type: 'these', uids: unknown });
  }

  /** Looks for the names after '@' with which no known name begins. */
  function readTexts(texts: readonly string[]): void {
    const now = room.state.get()?.room;
    if (now === undefined || isEveryoneNamed(now) || isHiddenFrom(now, selfUid)) return;
    for (const word of unknownNames(texts, now.participants)) {
      timers.add(schedule(() => find(word), random() * now.people * spreadMsPerPerson));
    }
  }

  const knowNamed = (): void => {
    const now = room.state.get()?.room;
    if (now === undefined) return;
    const { host, handOver, proposals } = now;
    know([host, ...(handOver ? [handOver.to] : []), ...proposals.map(({ proposer }) => proposer)]);
  };

  const ends = [
    room.state.subscribe(knowNamed),
    room.events.subscribe((event) => {
      if (event.type === 'rooms/messageSent') readTexts([event.message.text]);
      if (event.type === 'rooms/headCount' && isAudience(event.people) !== isCrowd) {
        isCrowd = !isCrowd;
        last = null;
        asked.clear();
        room.alter((now) => withoutGuests(now, selfUid));
      }
      if (event.type !== 'entered') return;
      last = lastOfPage(event.snapshot);
      isCrowd = isAudience(event.snapshot.room.people);
      asked.clear();
      readTexts(event.snapshot.messages.map(({ text }) => text));
    }),
  ];
  knowNamed();
  readTexts(entered.messages.map(({ text }) => text));

  return {
    /** Loads more people; resolves also when that fails. */
    async more(): Promise<void> {
      last = await loadMore(room, load, last);
    },
    find,
    know,
    close(): void {
      for (const end of [...ends, ...timers]) end();
    },
  };
}

/** Asks for some people, and adds them to the room. */
const loader =
  (room: RosterPorts['room'], ask: RosterPorts['ask']) =>
  async (which: WhichPeople): Promise<SomePeople | null> => {
    // The answer may contain participants who leave meanwhile.
    const gone = new Set<string>();
    const end = room.events.subscribe((event) => {
      if (event.type === 'rooms/participantLeft') gone.add(event.uid);
    });
    const answer = await ask(which).finally(end);
    if (!answer.ok) return null;
    const found = answer.value.participants.filter(({ uid }) => !gone.has(uid));
    room.alter((now) => withPeople(now, now.people, found));
    return answer.value;
  };

/** Loads pages until one names a further person; answers the last participant of them. */
async function loadMore(
  { state }: Pick<RosterPorts['room'], 'state'>,
  load: ReturnType<typeof loader>,
  after: Uid | null,
): Promise<Uid | null> {
  const named = (): number => state.get()?.room.participants.length ?? 0;
  const before = named();
  for (let last = after; ;) {
    const page = await load({ type: 'after', uid: last });
    const end = page?.participants.at(-1)?.uid;
    if (!page || end === undefined) return last;
    last = end;
    // A room that grew while the page was open may know all of a page, as of the first one.
    if (!page.hasMore || named() > before) return last;
  }
}

/** Who leaves an audience is not named: of the guests known before and after that, none is sure to be here. */
function withoutGuests(room: RoomDocument, selfUid: string): RoomDocument {
  const { participants, host } = room;
  return { ...room, participants: participants.filter(({ uid }) => uid === host || uid === selfUid) };
}

/** As the domain has it, whose file would become a part of two loads. */
const isAudience = (people: number): boolean => people > limits.audiencePeople;

/** Whether the room is an audience, whose names its host alone reads. */
export const isHiddenFrom = ({ people, host }: Pick<RoomDocument, 'people' | 'host'>, selfUid: string): boolean =>
  isAudience(people) && host !== selfUid;

function unknownNames(texts: readonly string[], known: readonly { readonly name: string }[]): string[] {
  const words = new Set(texts.flatMap((text) => Array.from(text.matchAll(afterAt), ([, word = '']) => word)));
  const names = known.map(({ name }) => name.toLocaleLowerCase());
  return [...words].filter((word) => !names.some((name) => name.startsWith(word.toLocaleLowerCase())));
}

/** The snapshot appends the entering user to its page when they are not on it. */
const lastOfPage = ({ room }: RoomSnapshot): Uid | null => room.participants[limits.rosterPage - 1]?.uid ?? null;
