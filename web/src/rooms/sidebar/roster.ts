/**
 * The people of a large room whom the page was not told on entering: asked for in pages, by name, or because something
 * on the page names them. What is learned goes into the room's model. Loaded only in rooms that need it.
 */
import type { Schedule } from '@tunemate/playback';
import {
  limits,
  type Result,
  type RoomSnapshot,
  type SomePeople,
  type Uid,
  type WhichPeople,
} from '@tunemate/protocol';
import type { Unsubscribe } from '../../store/cell.ts';
import { isEveryoneNamed } from '../visit/room-state.ts';
import type { RoomModel } from '../visit/room-model.ts';

export interface Roster {
  /** The next page; resolves when it is known, or could not be had. */
  more(): Promise<void>;
  /** Everybody with these letters in their name. */
  find(letters: string): void;
  /** Whoever of these is in the room. */
  know(uids: readonly Uid[]): void;
  close(): void;
}

export interface RosterPorts {
  readonly room: Pick<RoomModel, 'state' | 'events' | 'addPeople'>;
  readonly ask: (which: WhichPeople) => Promise<Result<SomePeople>>;
  readonly schedule: Schedule;
  /** 0 to 1. */
  readonly random: () => number;
}

/** A message reaches everybody at once: in a room of a thousand they ask within five seconds. */
const spreadMsPerPerson = 5;
const afterAt = /(?<![\p{L}\p{N}_.])@([\p{L}\p{N}_]+)/gu;

export function openRoster({ room, ask, schedule, random }: RosterPorts, entered: RoomSnapshot): Roster {
  /** The last of the pages so far. */
  let last = lastOfPage(entered);
  /** What was asked for already, since the last snapshot. */
  const asked = new Set<string>();
  const timers = new Set<Unsubscribe>();

  async function learn(which: WhichPeople): Promise<SomePeople | null> {
    // Whoever leaves meanwhile may still be in the answer.
    const gone = new Set<string>();
    const end = room.events.subscribe((event) => {
      if (event.type === 'rooms/participantLeft') gone.add(event.uid);
    });
    const answer = await ask(which);
    end();
    if (!answer.ok) return null;
    room.addPeople(answer.value.participants.filter(({ uid }) => !gone.has(uid)));
    return answer.value;
  }

  function find(letters: string): void {
    const wanted = letters.trim().slice(0, limits.nameLength).toLocaleLowerCase();
    const key = `@${wanted}`;
    if (wanted === '' || asked.has(key)) return;
    asked.add(key);
    void learn({ type: 'named', letters: wanted });
  }

  function know(uids: readonly Uid[]): void {
    const now = room.state.get()?.room;
    if (now === undefined || isEveryoneNamed(now)) return;
    const known = new Set(now.participants.map(({ uid }) => uid));
    const unknown = [...new Set(uids)].filter((uid) => !known.has(uid) && !asked.has(uid)).slice(0, limits.rosterPage);
    for (const uid of unknown) asked.add(uid);
    if (unknown.length > 0) void learn({ type: 'these', uids: unknown });
  }

  /** Asks for those whom texts name, unless somebody so called is known. */
  function readTexts(texts: readonly string[]): void {
    const now = room.state.get()?.room;
    if (now === undefined || isEveryoneNamed(now)) return;
    const { participants, people } = now;
    for (const word of unknownNames(texts, participants)) {
      timers.add(schedule(() => find(word), random() * people * spreadMsPerPerson));
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
      if (event.type !== 'entered') return;
      last = lastOfPage(event.snapshot);
      asked.clear();
      readTexts(event.snapshot.messages.map(({ text }) => text));
    }),
  ];
  knowNamed();
  readTexts(entered.messages.map(({ text }) => text));

  return {
    async more() {
      const page = await learn({ type: 'after', uid: last });
      last = page?.participants.at(-1)?.uid ?? last;
    },
    find,
    know,
    close() {
      for (const end of [...ends, ...timers]) end();
    },
  };
}

/** The words after '@' with which no known name begins. */
function unknownNames(texts: readonly string[], known: readonly { readonly name: string }[]): string[] {
  const words = new Set(texts.flatMap((text) => Array.from(text.matchAll(afterAt), ([, word = '']) => word)));
  const names = known.map(({ name }) => name.toLocaleLowerCase());
  return [...words].filter((word) => !names.some((name) => name.startsWith(word.toLocaleLowerCase())));
}

/** Behind the page stands whoever entered. */
const lastOfPage = ({ room }: RoomSnapshot): Uid | null => room.participants[limits.rosterPage - 1]?.uid ?? null;
