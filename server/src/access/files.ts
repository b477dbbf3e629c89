/**
 * Who may take or send files. Uploads and files are no messages of the protocol and have no schema, so that their needs
 * stand here and not with the requests.
 */
import type { LimitName, SessionNeed } from '@tunemate/protocol';

/** Files that pages show many of are not counted. */
export interface FileNeeds {
  session: SessionNeed;
  limit: LimitName | 'uncounted';
}

export const fileAccess = {
  'GET /api/accounts/export': { session: 'verified', limit: 'export' },
  'POST /api/chats/images': { session: 'verified', limit: 'chat' },
  'GET /api/chats/images/:imageId': { session: 'verified', limit: 'uncounted' },
  'GET /api/chats/images/:imageId/preview': { session: 'verified', limit: 'uncounted' },
  'POST /api/chats/voices': { session: 'verified', limit: 'voice' },
  'GET /api/chats/voices/:voiceId': { session: 'verified', limit: 'uncounted' },
  'GET /api/queues/:queueId/m3u8': { session: 'verified', limit: 'browsing' },
  'POST /api/queues/m3u8': { session: 'verified', limit: 'playlists' },
  'GET /media/:id': { session: 'verified', limit: 'uncounted' },
  'GET /media/:id/cover': { session: 'verified', limit: 'uncounted' },
  'GET /media/:id/subtitles/:subtitlesId': { session: 'verified', limit: 'subtitles' },
} as const satisfies Record<string, FileNeeds>;
export type FileRouteName = keyof typeof fileAccess;
