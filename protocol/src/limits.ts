/**
 * Every number that both the server and the pages must know. Numbers of one side stand beside the code that uses them.
 */
export const limits = {
  roomCodeInputLength: 8,
  roomNameLength: 100,
  nameLength: 50,
  emailLength: 254,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  messageLength: 2000,
  tunemates: 50,
  notifications: 20,
  collapsedChatMessages: 10,
  chatPage: 50,
  chatList: 100,
  searchResults: 5,
  searchQueryLength: 200,
  titleLength: 200,
  titleBytes: 600,
  queueItems: 200,
  participantsPerRoom: 500,
  pendingPerRoom: 200,
  liveRoomsPerHost: 5,
  askAgainAfterMs: 30_000,
  joinRequestBannerMs: 5000,
  hostAwayBannerMs: 5000,
  /** Live streams go on for years, and a position in one counts from its beginning. */
  maxPositionSeconds: 10 * 366 * 24 * 60 * 60,
  maxDurationSeconds: 24 * 60 * 60,
  imageBytes: 5 * 1024 * 1024,
  libraryIdLength: 20,
  keyVibrationMs: 50,
} as const;
