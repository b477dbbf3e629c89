/**
 * Who may take or send files. Uploads and files are no messages of the protocol and have no schema, so that their needs
 * stand here and not with the requests.
 */
import type { LimitName, SessionNeed } from '@tunemate/protocol';

/** Files that pages show many of are not counted. */
export interface FileNeeds {
  /** What the person may do, for docs/access.md: `load the cover of a track`. */
  may: string;
  session: SessionNeed;
  limit: LimitName | 'uncounted';
}

export const fileAccess = {
  'GET /api/accounts/export': {
    may: 'save everything that the server stores about them',
    session: 'verified',
    limit: 'export',
  },
  'POST /api/chats/images': { may: 'upload a picture for a message', session: 'verified', limit: 'chat' },
  'GET /api/chats/images/:imageId': {
    may: 'load a picture of their own chats',
    session: 'verified',
    limit: 'uncounted',
  },
  'GET /api/chats/images/:imageId/preview': {
    may: 'load the small form of a picture of their own chats',
    session: 'verified',
    limit: 'uncounted',
  },
  'POST /api/chats/voices': { may: 'upload a voice message', session: 'verified', limit: 'voice' },
  'GET /api/chats/voices/:voiceId': {
    may: 'load a voice message of their own chats',
    session: 'verified',
    limit: 'uncounted',
  },
  'GET /api/queues/:queueId/m3u8': {
    may: 'save a queue that is theirs or shared with them as a file',
    session: 'verified',
    limit: 'browsing',
  },
  'POST /api/queues/m3u8': { may: 'make a saved queue from a playlist file', session: 'verified', limit: 'playlists' },
  'GET /media/:id': { may: 'load a track or film of the library', session: 'verified', limit: 'uncounted' },
  'GET /media/:id/cover': { may: 'load the cover of a track', session: 'verified', limit: 'uncounted' },
  'GET /media/:id/subtitles/:subtitlesId': {
    may: 'load the subtitles of a film',
    session: 'verified',
    limit: 'subtitles',
  },
} as const satisfies Record<string, FileNeeds>;
export type FileRouteName = keyof typeof fileAccess;
