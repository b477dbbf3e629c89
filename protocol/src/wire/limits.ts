/**
 * Every number that both the server and the pages must know. Numbers of one side stand beside the code that uses them.
 */
export const limits = {
  /** People to whom a host may lend the remote. */
  remoteHolders: 20,
  /** The key of an address under which a device without an account hears a track. */
  besideKey: 80,
  roomCodeInputLength: 8,
  roomNameLength: 100,
  nameLength: 50,
  emailLength: 254,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  /** People who wait for the operators of a server without a mail server. */
  waitingForOperators: 20,
  messageLength: 2000,
  reportLength: 500,
  tunemates: 50,
  notifications: 20,
  collapsedChatMessages: 10,
  chatPage: 50,
  /** Messages in a page that reaches down to a message that a person goes to. */
  longChatPage: 500,
  /** Changed messages that an open chat is sent again by themselves. */
  changedMessages: 100,
  quoteLength: 160,
  editableMs: 15 * 60 * 1000,
  reactionsPerPerson: 3,
  /** UTF-16 units; a family of four with skin tones has fewer. */
  emojiUnits: 32,
  chatList: 100,
  /** So far a list of chats is read on. */
  chatListFrom: 100_000,
  pinnedChats: 20,
  /** Messages in a page of a search. */
  foundMessages: 30,
  /** Of the tracks that messages name, in one request. */
  cards: 20,
  searchResults: 5,
  searchQueryLength: 500,
  playlistItems: 50,
  libraryPage: 200,
  lyricsLines: 1000,
  titleLength: 200,
  titleBytes: 600,
  queueItems: 200,
  /** Of the items of a list in one request, as JSON: a message of the socket has 16 KB. */
  listBytes: 12 * 1024,
  /** Tracks in a page of what was played. */
  playedPage: 100,
  /** Rooms of which a person's own history is listed. */
  histories: 50,
  queueNameLength: 60,
  savedQueues: 50,
  /** Queues of others that a person sees in their list: the latest shared. */
  sharedQueues: 50,
  proposalsPerRoom: 50,
  waitingPerPerson: 5,
  /** Unless the operator sets another number. */
  participantsPerRoom: 1000,
  /** More people in a room are an audience: counted, and not listed but to the host. */
  audiencePeople: 1000,
  /** From more people on a room is large: names come in pages, and a join is sent as a count. */
  namedPeople: 100,
  rosterPage: 50,
  /** In rooms of more people the page shows no typing. */
  typingPeople: 50,
  pendingPerRoom: 200,
  liveRoomsPerHost: 5,
  yourRooms: 20,
  /** Rooms that ended, of one host, and people who were there last. */
  endedRooms: 20,
  endedRoomPeople: 60,
  /** Tracks, and evenings, in one answer about what two people heard together. */
  musicTracks: 20,
  missedSpans: 8,
  musicEvenings: 800,
  handOverMs: 60_000,
  askAgainAfterMs: 30_000,
  askAgainAfterRemovalMs: 10 * 60 * 1000,
  joinRequestBannerMs: 5000,
  hostAwayBannerMs: 5000,
  /** Live streams go on for years, and a position in one counts from its beginning. */
  maxPositionSeconds: 10 * 366 * 24 * 60 * 60,
  maxDurationSeconds: 24 * 60 * 60,
  imageBytes: 5 * 1024 * 1024,
  /** Of a recording as a browser makes it. */
  voiceBytes: 4 * 1024 * 1024,
  voiceMs: 120_000,
  /** Parts of a recording whose loudness is shown. */
  voiceBars: 38,
  /** Parts of a track whose loudness is shown. */
  trackParts: 200,
  libraryIdLength: 20,
  keyVibrationMs: 50,
} as const;

/** A page waits so long for an upload, and the server takes one that comes so slowly. */
export const uploadWithinMs = 60_000;
