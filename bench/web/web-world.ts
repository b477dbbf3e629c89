/**
 * What the pages of `bench:web` look at: a real server with a room whose host plays a track, and a chat of two
 * tunemates. The host is a connection without a page, so that only one page is measured at a time.
 */
import type { Track } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { connect, makePeople, type Member, type Room, roomOf } from '@tunemate/testkit/worlds/crowd';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import type { Person } from '@tunemate/testkit/worlds/people';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { write } from '../load/largest-queue.ts';

export interface WebWorld {
  readonly url: string;
  /** Whose pages are opened: in the room, and in the chat. */
  readonly guest: Person;
  readonly roomPath: string;
  readonly chatPath: string;
  /** Starts the nth track of the library, from its beginning. */
  play(n: number): Promise<void>;
  sayInRoom(text: string): Promise<void>;
  sayInChat(text: string): Promise<void>;
  close(): Promise<void>;
}

const earlierMessages = 60;

export async function openWebWorld(): Promise<WebWorld> {
  const data = await makeTempDir('bench-web');
  const database = `sqlite:${data.path}/tunemate.sqlite`;
  const [first, second] = await makePeople(database, 2);
  if (first === undefined || second === undefined) throw new Error('no person came');
  await makeTunemates(database, [[first, second]]);
  const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' } });
  const [host, guest] = await Promise.all([connect(server.url, first), connect(server.url, second)]);
  const room = await roomOf(host, 'audio', guest);
  await host.ask('rooms/enter', room);
  await host.ask('playback/takeControl', { ...room, tabId: host.tabId });
  guest.line.disconnect();
  const tracks = await libraryTracks(host, room);
  const say = (text: string) => host.ask('chats/send', { clientId: newClientId(), uid: second.uid, text });
  for (let n = 0; n < earlierMessages; n += 1) await say(`Side ${String(n)}, and what was on it`);
  return {
    url: server.url,
    guest: second,
    roomPath: `/audio-room/${room.code}`,
    chatPath: `/chat/${first.uid}`,
    async play(n) {
      const track = tracks[n % tracks.length];
      if (track !== undefined) await write(host, room, { type: 'choose', track });
    },
    sayInRoom: async (text) => void (await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text })),
    sayInChat: async (text) => void (await say(text)),
    async close() {
      host.line.disconnect();
      await server.dispose();
      await data.remove();
    },
  };
}

async function libraryTracks(
  host: Member,
  room: Room,
): Promise<Pick<Track, 'videoId' | 'title' | 'durationSeconds'>[]> {
  const found = await host.ask('catalogue/suggest', { ...room, videoId: null });
  if (found.items.length === 0) throw new Error('the library does not answer');
  return found.items.map(({ videoId, title, durationSeconds }) => ({ videoId, title, durationSeconds }));
}
