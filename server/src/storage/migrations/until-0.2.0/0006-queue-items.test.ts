/** Rooms that were live before their queues had rows of their own. */
import type { RoomId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { readPlaybackDocument } from '../../../playback/shown-playback.ts';
import { openDatabase } from '../../database.ts';
import * as start from './0001-start.ts';
import { tabOfConnection } from './0002-0005.ts';
import * as queueItems from './0006-queue-items.ts';
import { hearing } from '../0076-hearing.ts';

const roomId = 'r'.repeat(22) as RoomId;
const common = { revision: 4, isPlaying: false, currentTime: 7, updatedAt: 5, durationSeconds: 9, controller: null };
const thumbnail = 'https://evil.example/x.jpg';
const first = { videoId: 'dQw4w9WgXcQ', title: 'One', thumbnail, durationSeconds: null };
const second = { videoId: 'lib_0123456789abcdef', title: 'Two', thumbnail: '/api/accounts/export', durationSeconds: 9 };

describeEachDialect('a database of before', (makeDatabaseUrl) => {
  test('rooms keep what they play, and pictures from elsewhere are replaced', async () => {
    const { db, close } = openDatabase(await makeDatabaseUrl({ isEmpty: true }));
    await start.up(db as never);
    await tabOfConnection(db as never);
    const names = { currentVideoId: second.videoId, currentVideoTitle: 'Two', currentIndex: 1 };
    const video = { kind: 'video', ...common, ...names, videoQueue: [first, second] };
    const audio = { kind: 'audio', ...common, ...second, audioUrl: '' };
    const row = (document: object) => ({ room_id: roomId, revision: 4, document: JSON.stringify(document) });
    await db.insertInto('tunemate_rooms').values(row(video)).execute();
    await db
      .insertInto('audio_room_state')
      .values({ ...row(audio), room_id: 'a'.repeat(22) })
      .execute();
    const silent = { ...common, kind: 'audio', videoId: null, title: '', thumbnail: null, audioUrl: null };
    await db
      .insertInto('audio_room_state')
      .values({ ...row(silent), room_id: 's'.repeat(22) })
      .execute();
    await queueItems.up(db);
    // Documents of the present version are read with who shows them.
    await hearing(db as never);
    // Where nothing was chosen yet, nothing plays.
    expect(await readPlaybackDocument(db, { kind: 'audio', roomId: 's'.repeat(22) as RoomId })).toMatchObject({
      ...{ videoId: null, currentIndex: 0, audioQueue: [] },
    });
    expect(await readPlaybackDocument(db, { kind: 'video', roomId })).toEqual({
      ...video,
      videoQueue: [
        { ...first, thumbnail: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/default.jpg' },
        { ...second, thumbnail: '/media/lib_0123456789abcdef/cover' },
      ],
    });
    const cover = { thumbnail: '/media/lib_0123456789abcdef/cover' };
    expect(await readPlaybackDocument(db, { kind: 'audio', roomId: 'a'.repeat(22) as RoomId })).toEqual({
      ...audio,
      ...cover,
      audioUrl: '/media/lib_0123456789abcdef',
      currentIndex: 0,
      audioQueue: [{ ...second, ...cover }],
      afterTrack: 'stop',
    });
    await close();
  });
});
