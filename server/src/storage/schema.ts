/** The tables of both dialects: booleans are 0/1, JSON is text, times are ms. Each kind of room has its own. */
import type { NoticeType, RoomId, RoomKind } from '@tunemate/protocol';
import type { Generated, Kysely } from 'kysely';
import type {
  ActionCodesTable,
  AuditTable,
  EarlierWordsTable,
  MailsTable,
  OperatorLogTable,
  OperatorWaitsTable,
  ReportsTable,
  SessionsTable,
  SignUpInvitationsTable,
  SignUpPlacesTable,
  SignUpTicketsTable,
  UsersTable,
} from './tables/account-tables.ts';
import type { ConnectionsTable, HearingTable, ProcessesTable } from './tables/connection-tables.ts';
import type {
  EndedRoomPeopleTable,
  EndedRoomsTable,
  HeardCountsTable,
  PlayedTracksTable,
  QueueSharesTable,
  RoomHistoriesTable,
  SavedQueuesTable,
} from './tables/history-tables.ts';
import type { LibraryFilesTable, MeasuredLoudnessTable, MusicServerSongsTable } from './tables/library-tables.ts';
import type {
  MusicEveningsTable,
  MusicHearingsTable,
  MusicListensTable,
  MusicPairsTable,
  MusicPlayedTable,
  MusicTracksTable,
} from './tables/music-tables.ts';
import type {
  BlocksTable,
  ConversationsTable,
  ImagesTable,
  PrivateMessagesTable,
  PrivateReactionsTable,
} from './tables/chat-tables.ts';

/** The two capped lists: who met whom, in the order they met. */
interface ListTable {
  uid: string;
  mate: string;
  added_at_ms: number;
  /** Rises with each addition to one person's list; the lowest is dropped at the cap. */
  position: number;
}

export interface RoomsTable {
  room_id: string;
  code: string;
  name: string;
  host: string;
  created_at_ms: number;
  is_active: number;
  ended_at_ms: number | null;
  host_away_since_ms: number | null;
  /** Whether the host of this absence was warned that the room ends soon. */
  is_host_warned: Generated<number>;
  /** Since when no person is connected (ROOM-40). */
  empty_since_ms: number | null;
  /** Whom the host has asked to take over, until when, and whether the host leaves then. */
  offered_to: Generated<string | null>;
  offered_until_ms: Generated<number | null>;
  leaves_when_taken: Generated<number>;
  /** As JSON: those that differ from a new room's, or all of them (`roomSettings`). */
  settings: Generated<string>;
}

interface ParticipantsTable {
  room_id: string;
  uid: string;
  joined_at_ms: number;
}

export interface RequestsTable {
  room_id: string;
  uid: string;
  name: string;
  status: 'pending' | 'accepted' | 'rejected' | 'withdrawn' | 'lapsed' | 'removed' | 'barred';
  asked_at_ms: number;
  /** When its page last said that it still waits. */
  renewed_at_ms: number;
  answered_at_ms: number | null;
  /** How often this person was declined in this room. */
  times_asked: number;
}

/** Who was invited to a live room. */
interface RoomInvitationsTable {
  room_id: string;
  uid: string;
  /** The host's last invitation; null where only guests invited. */
  by_host_at_ms: number | null;
}

export interface RoomChatTable {
  room_id: string;
  message_id: string;
  number: number;
  client_id: string;
  sender: string;
  /** Empty once deleted. */
  text: string;
  is_deleted: Generated<number>;
  /** 0 where its sender deleted it. */
  deleted_by_host: Generated<number>;
  timestamp_ms: number;
  /** The id of the message that this one answers. */
  reply_to: string | null;
  /** How often its sender has changed the text, and the client id of the last time. */
  edits: Generated<number>;
  edit_id: string | null;
}

/** One stamp of one person on one message. */
interface RoomStampsTable {
  room_id: string;
  message_id: string;
  uid: string;
  stamp: string;
}

interface PlaybackTable {
  room_id: string;
  revision: number;
  /** The timeline, who holds control, and the order of the queue's items, as JSON. */
  document: string;
  /** When the track ends, where the server knows it. */
  ends_at_ms: number | null;
}

/** A track of a room's queue. */
interface QueueItemsTable {
  room_id: string;
  item: number;
  /** Id, title, length and who proposed it as JSON. */
  track: string;
}

interface StreamsTable {
  stream: string;
  /** The number of the last change. */
  head: number;
  /** The time of the last change; the next one is never earlier. */
  at_ms: Generated<number>;
}

export interface StreamEntriesTable {
  stream: string;
  seq: number;
  at_ms: number;
  /** A change of the protocol as JSON. */
  change: string;
  /** Whose connections leave the stream after this entry: a uid, or '*' for everyone. */
  expels: string | null;
}

interface IdempotencyTable {
  uid: string;
  client_id: string;
  request_hash: string;
  answer: string;
  at_ms: number;
  /** The room it was done in; the row is deleted when that ends. */
  room_id: string | null;
  until_ms: number;
}

export interface NotificationsTable {
  id: string;
  uid: string;
  type: NoticeType;
  message: string;
  sender_uid: string;
  sender_name: string;
  /** What is shown of the room, as JSON. */
  room: string | null;
  room_id: string | null;
  /** The room, for a type that has one notification a room; else empty. Part of what is unique. */
  about: string;
  is_read: number;
  timestamp_ms: number;
}

interface CatalogueCacheTable {
  key: string;
  answer: string;
  at_ms: number;
}

interface SearchBudgetTable {
  /** `host:` and a uid with the hour, or `server:` with the day. */
  key: string;
  used: number;
  expires_at_ms: number;
}

export interface PushSubscriptionsTable {
  endpoint: string;
  uid: string;
  keys: string;
  created_at_ms: number;
}

interface ListensAccountsTable {
  uid: string;
  /** The account's there. */
  name: string;
  connected_at_ms: number;
  /** Since when the server refuses the token. */
  refused_at_ms: number | null;
  attempts: Generated<number>;
  next_attempt_at_ms: Generated<number>;
}

/** In clear text: a token has to be sent. No answer, no log line and no backup holds it. */
interface ListensTokensTable {
  uid: string;
  token: string;
}

/** What a person with a token hears. */
interface ListensHeardTable {
  uid: string;
  room: string;
  track_id: string;
  begun_at_ms: number;
  heard_ms: number;
  position_seconds: number;
  seen_at_ms: number;
  is_counted: number;
}

/** What waits to be sent. */
interface ListensTable {
  uid: string;
  listened_at_ms: number;
  artist: string;
  title: string;
  album: string | null;
  duration_ms: number | null;
}

interface SettingsTable {
  key: string;
  value: string;
}

export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  action_codes: ActionCodesTable;
  sign_up_tickets: SignUpTicketsTable;
  sign_up_invitations: SignUpInvitationsTable;
  sign_up_places: SignUpPlacesTable;
  mails: MailsTable;
  tunemates: ListTable;
  audio_connections: ListTable;
  rooms: RoomsTable;
  audiorooms: RoomsTable;
  room_participants: ParticipantsTable;
  audioroom_participants: ParticipantsTable;
  room_requests: RequestsTable;
  room_invitations: RoomInvitationsTable;
  audioroom_requests: RequestsTable;
  room_chat: RoomChatTable;
  audioroom_chat: RoomChatTable;
  room_stamps: RoomStampsTable;
  audioroom_stamps: RoomStampsTable;
  tunemate_rooms: PlaybackTable;
  audio_room_state: PlaybackTable;
  queue_items: QueueItemsTable;
  played_tracks: PlayedTracksTable;
  heard_counts: HeardCountsTable;
  room_histories: RoomHistoriesTable;
  ended_rooms: EndedRoomsTable;
  ended_room_people: EndedRoomPeopleTable;
  saved_queues: SavedQueuesTable;
  queue_shares: QueueSharesTable;
  proposals: ProposalsTable;
  proposal_votes: ProposalVotesTable;
  skip_votes: SkipVotesTable;
  streams: StreamsTable;
  stream_entries: StreamEntriesTable;
  idempotency: IdempotencyTable;
  processes: ProcessesTable;
  connections: ConnectionsTable;
  hearing: HearingTable;
  notifications: NotificationsTable;
  private_messages: PrivateMessagesTable;
  private_reactions: PrivateReactionsTable;
  conversations: ConversationsTable;
  blocks: BlocksTable;
  images: ImagesTable;
  catalogue_cache: CatalogueCacheTable;
  search_budget: SearchBudgetTable;
  library_files: LibraryFilesTable;
  music_server_songs: MusicServerSongsTable;
  measured_loudness: MeasuredLoudnessTable;
  push_subscriptions: PushSubscriptionsTable;
  listens_accounts: ListensAccountsTable;
  listens_tokens: ListensTokensTable;
  listens_heard: ListensHeardTable;
  listens: ListensTable;
  music_pairs: MusicPairsTable;
  music_listens: MusicListensTable;
  music_tracks: MusicTracksTable;
  music_evenings: MusicEveningsTable;
  music_hearings: MusicHearingsTable;
  music_played: MusicPlayedTable;
  settings: SettingsTable;
  audit: AuditTable;
  operator_log: OperatorLogTable;
  operator_waits: OperatorWaitsTable;
  reports: ReportsTable;
  earlier_words: EarlierWordsTable;
}

/** Which room: ids are unique within a kind. */
export interface RoomRef {
  kind: RoomKind;
  roomId: RoomId;
}

/** Where each kind of room is stored. */
export const roomTables = {
  video: {
    rooms: 'rooms',
    participants: 'room_participants',
    requests: 'room_requests',
    chat: 'room_chat',
    stamps: 'room_stamps',
    playback: 'tunemate_rooms',
  },
  audio: {
    rooms: 'audiorooms',
    participants: 'audioroom_participants',
    requests: 'audioroom_requests',
    chat: 'audioroom_chat',
    stamps: 'audioroom_stamps',
    playback: 'audio_room_state',
  },
} as const satisfies Record<RoomKind, Record<string, string>>;

interface ProposalsTable {
  room_id: string;
  proposal_id: string;
  /** Rises with each proposal of the room. */
  position: number;
  video_id: string;
  /** Id, title and length as JSON. */
  track: string;
}

/** One vote for a proposal; that of the lowest position is the proposer's. */
interface ProposalVotesTable {
  room_id: string;
  proposal_id: string;
  uid: string;
  position: number;
}

/** A vote to skip what the room plays. */
interface SkipVotesTable {
  room_id: string;
  uid: string;
}

/** What is made once for each kind, such as a query of its tables. */
export const forEachKind = <Made>(make: (kind: RoomKind) => Made): Record<RoomKind, Made> => ({
  video: make('video'),
  audio: make('audio'),
});

/** The database, or one transaction in it. */
export type Db = Kysely<Schema>;
