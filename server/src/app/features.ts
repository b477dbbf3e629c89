/**
 * What exists: every feature, the requests it answers, and its part in the deletion, renaming and export of an account.
 * Server, tests and the operator's program make the same features, without a transport.
 */
import {
  type EphemeralEvent,
  isMediaLink,
  limits,
  type StreamId,
  type Uid,
  userStream,
  type VideoId,
} from '@tunemate/protocol';
import type { Limits } from '../access/limits.ts';
import type { Subjects } from '../access/subjects.ts';
import type { AccountHook } from '../accounts/accounts-deps.ts';
import type { RoomCatalogue } from '../catalogue/catalogue-service.ts';
import { ownChats, ownPhotos, ownVoices } from '../chats/account-chats.ts';
import { arrangingService } from '../chats/arranging.ts';
import { blocksService } from '../chats/blocks.ts';
import { chatTimersService } from '../chats/chat-timers.ts';
import { conversationsService } from '../chats/conversations.ts';
import { anyBytes, type KeptBytes } from '../chats/kept-bytes.ts';
import { messageActsService } from '../chats/message-acts.ts';
import { messageSearchService } from '../chats/message-search.ts';
import { type LinkPreviews, previewsService } from '../chats/previews/previews.ts';
import { messagesService, pairResolver, receiptsService } from '../chats/messages.ts';
import { listensAccountHook } from '../listens/listens.ts';
import { notificationsService } from '../notifications/notifications.ts';
import { openPlayback, type PlaybackParts } from '../playback/playback.ts';
import { trackHeardIn } from '../playback/shown-playback.ts';
import { hearingService, type KnownTrack } from '../presence/hearing.ts';
import { musicService } from '../music/music.ts';
import { markShownChanged } from '../presence/people-updates.ts';
import { pushAccountHook } from '../push/push.ts';
import type { Doorbell } from '../realtime/feed.ts';
import { reportsService } from '../reports/reports.ts';
import { roomChatService } from '../rooms/chat/room-chat.ts';
import { typingService } from '../rooms/chat/typing.ts';
import { handOverService } from '../rooms/hosting/hand-over.ts';
import { dismissalFrom, moderationService } from '../rooms/hosting/moderation.ts';
import { houseHandlers } from '../rooms/hosting/house.ts';
import { remoteHandlers } from '../rooms/hosting/remote.ts';
import { settingsService } from '../rooms/hosting/settings.ts';
import { historyService } from '../rooms/history/history.ts';
import { invitationsService } from '../rooms/join/invitations.ts';
import { joinAnswersService, joinRequestsService } from '../rooms/join/join-requests.ts';
import { roomsAccountHook } from '../rooms/lifecycle/account-rooms.ts';
import { openingAgainService } from '../rooms/lifecycle/opening-again.ts';
import { occupancyChanged } from '../rooms/lifecycle/host-absence.ts';
import { roomEndings } from '../rooms/lifecycle/room-endings.ts';
import { roomsService } from '../rooms/lifecycle/rooms.ts';
import { roomById } from '../rooms/lifecycle/rooms-store.ts';
import { memberResolver } from '../rooms/members/membership.ts';
import { type RoomConnections, roomViewService } from '../rooms/members/room-view.ts';
import { liveRoomsOfPeople, rosterService, votersIn } from '../rooms/members/roster.ts';
import { tunemateRequestsService } from '../rooms/members/tunemate-requests.ts';
import { proposalsService } from '../rooms/proposals/proposals.ts';
import { queuesService } from '../rooms/queues/queues.ts';
import { roomFacts } from '../rooms/suggested/room-facts-store.ts';
import { soulmateService } from '../soulmate/soulmate.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { RoomRef } from '../storage/schema.ts';
import { accept, type Clock, type Ids, type Log, type Notify } from '../system/ports.ts';
import { tunematesService } from '../tunemates/tunemates.ts';

export interface FeatureParts {
  record: StreamRecord;
  clock: Clock;
  ids: Ids;
  log: Log;
  doorbell: Pick<Doorbell, 'notify' | 'follow' | 'unfollow'>;
  /** What people may cause for each other, and for rooms. */
  limits: Pick<Limits, 'take' | 'giveBack'>;
  /** Counts what is stored for good. */
  kept: KeptBytes;
  /** How many people the operator allows in a room. */
  peoplePerRoom: number;
  notify: Notify;
  catalogue: Pick<RoomCatalogue, 'suggest'>;
  previews: LinkPreviews;
  isInLibrary: (item: VideoId) => boolean;
  /** What the library knows of a track; null for one that it does not hold. */
  knownTrack: (item: VideoId) => KnownTrack | null;
  /** What the server itself calls a track; null where it knows nothing of it. */
  titleOf: (item: VideoId) => Promise<string | null>;
  connections: RoomConnections;
  /** Whether a room of this kind may play it. */
  mayPlay: PlaybackParts['mayPlay'];
  noteDrift: PlaybackParts['noteDrift'];
  /** Two people keep what they hear together from now on. */
  beginsToKeep: (uids: readonly Uid[]) => void;
}

type Made = ReturnType<typeof makeFeatures>;

/**
 * What each feature deletes, renames and exports with an account, in the order in which they run: the one list, for the
 * server and for the operator's program.
 */
export const accountHooks: ((features: Made, parts: FeatureParts) => AccountHook)[] = [
  ({ hearing }) => hearing.accountHook,
  ({ rooms }) => rooms.accountHook,
  ({ blocks }) => blocks.accountHook,
  (_, { record: { db } }) => ({
    exports: {
      chats: (uid, origin) => ownChats(db, uid, origin),
      photos: (uid, origin) => ownPhotos(db, uid, origin),
      voiceMessages: (uid, origin) => ownVoices(db, uid, origin),
    },
  }),
  ({ tunemates }) => tunemates.accountHook,
  ({ soulmate }) => soulmate.accountHook,
  ({ notifications }) => notifications.accountHook,
  ({ reports }) => reports.accountHook,
  ({ queues }) => queues.accountHook,
  ({ music }) => music.accountHook,
  (_, { record }) => pushAccountHook(record),
  (_, { record }) => listensAccountHook(record),
  // Last: the people who see the account are those of the chats that stay.
  (_, { doorbell }) => ({
    onDeleting: (uid) => Promise.resolve(doorbell.notify({ type: 'shown', uids: [uid] })),
    onRenaming: async (writing, uid) => {
      await markShownChanged(writing.db, uid, writing.nowMs);
      writing.afterCommit(() => doorbell.notify({ type: 'shown', uids: [uid] }));
    },
  }),
];

const hearingOf = (parts: FeatureParts) =>
  hearingService({
    ...parts,
    heardIn: async (db, room) => {
      const isHidden = (await roomById(db, room))?.friendsSee === false;
      return { isHidden, videoId: isHidden ? null : await trackHeardIn(db, room) };
    },
    heardChanged: heardChangedBy(parts),
  });

/** Tells every process. */
const heardChangedBy =
  ({ doorbell }: FeatureParts) =>
  (uids: readonly Uid[]): void =>
    doorbell.notify({ type: 'heard', uids: [...uids] });

const factsIn = ({ record, clock }: FeatureParts, room: RoomRef) => roomFacts(record.db, room, clock.now());

async function suggestedAfter(parts: FeatureParts, ref: RoomRef, videoId: VideoId) {
  const room = await roomById(parts.record.db, ref);
  if (!room) return [];
  const { items } = await parts.catalogue.suggest(ref.kind, videoId, { host: room.host, asker: null }, () =>
    factsIn(parts, ref),
  );
  // The first of the library's order is its choice, also when it was played hours ago.
  return items[0]?.because === undefined ? items : items.slice(0, 1);
}

function makeFeatures(parts: FeatureParts) {
  const hearing = hearingOf(parts);
  const { record, doorbell } = parts;
  const playback = openPlayback({
    ...parts,
    hearing,
    votersIn,
    /** Counted as the host's, like all suggestions. */
    suggestAfter: (ref, videoId) => suggestedAfter(parts, ref, videoId as VideoId),
  });
  const { guestsChanged } = playback;
  const inRoom = { ...parts, playback, guestsChanged, hearing };
  const endings = roomEndings(inRoom);
  const joinRequests = joinRequestsService(inRoom);
  const blocks = blocksService({ ...parts, dismissal: dismissalFrom(inRoom) });
  const tunemates = tunematesService({ record, heardChanged: heardChangedBy(parts) });
  const notifications = notificationsService(parts);
  const soulmate = soulmateService({ ...parts, heardChanged: heardChangedBy(parts) });
  const own = { reports: reportsService(parts), queues: queuesService(parts), music: musicService(parts) };
  const chatTimers = chatTimersService(parts);
  const send = (to: StreamId, news: EphemeralEvent) => doorbell.notify({ type: 'ephemeral', to, news });
  const receipts = receiptsService({ record, limits: parts.limits, send: (to, event) => send(userStream(to), event) });
  const rooms = {
    ...roomsService(inRoom).handlers,
    ...openingAgainService(inRoom).handlers,
    ...joinRequests.handlers,
    ...joinAnswersService(inRoom).handlers,
    ...invitationsService(inRoom).handlers,
    ...handOverService(inRoom).handlers,
    ...moderationService(inRoom).handlers,
    ...remoteHandlers,
    ...houseHandlers(inRoom),
    ...settingsService(inRoom).handlers,
    ...roomChatService({ ...inRoom, send }).handlers,
    ...typingService({ db: record.db, send }).handlers,
    ...proposalsService(inRoom).handlers,
    ...historyService(parts).handlers,
    ...roomViewService(inRoom).handlers,
    ...rosterService(parts).handlers,
    ...tunemateRequestsService(inRoom).handlers,
  };
  return {
    playback,
    /** The requests of rooms, and what the timers and the operator do in them. */
    rooms: {
      handlers: rooms,
      resolve: memberResolver(record, parts.clock),
      lapse: joinRequests.lapse,
      ...endings,
      accountHook: roomsAccountHook(record, endings),
    },
    factsOf: (room: RoomRef) => factsIn(parts, room),
    /** What presence depends on of rooms. */
    occupancy: {
      roomsOf: liveRoomsOfPeople,
      occupancyChanged: (room: RoomRef) => occupancyChanged(parts, room),
      onlineChangedIn: (those: readonly RoomRef[]) => those.forEach(guestsChanged),
      mayHaveMoved: hearing.settle,
    },
    ...{ hearing, tunemates, notifications, soulmate, blocks, chatTimers, ...own },
    handlers: {
      ...playback.handlers,
      ...rooms,
      ...hearing.handlers,
      ...tunemates.handlers,
      ...notifications.handlers,
      ...soulmate.handlers,
      ...messagesService(parts).handlers,
      ...messageActsService(parts).handlers,
      ...conversationsService(parts).handlers,
      ...previewsService(parts).handlers,
      ...messageSearchService(parts).handlers,
      ...{ ...arrangingService().handlers, ...chatTimers.handlers },
      ...receipts.handlers,
      ...blocks.handlers,
      ...{ ...own.reports.handlers, ...own.queues.handlers, ...own.music.handlers },
    },
  };
}

export function createFeatures(parts: FeatureParts) {
  const { record } = parts;
  const features = makeFeatures(parts);
  return {
    record,
    ...features,
    accountHooks: accountHooks.map((hookOf) => hookOf(features, parts)),
    subjects: { room: features.rooms.resolve, ...pairResolver(record) } satisfies Subjects,
  };
}
export type Features = ReturnType<typeof createFeatures>;

/** For features without any connection: entering a room only reads it, nothing is pushed or found, and nothing is limited. */
export function withoutConnections(
  record: StreamRecord,
): Omit<FeatureParts, 'record' | 'clock' | 'ids' | 'log' | 'doorbell'> {
  return {
    limits: { take: () => Promise.resolve(accept({})), giveBack: () => Promise.resolve() },
    kept: anyBytes,
    peoplePerRoom: limits.participantsPerRoom,
    notify: () => undefined,
    noteDrift: () => undefined,
    beginsToKeep: () => undefined,
    mayPlay: (_kind, videoId) => !isMediaLink(videoId),
    isInLibrary: () => true,
    knownTrack: () => null,
    titleOf: () => Promise.resolve(null),
    catalogue: { suggest: () => Promise.resolve({ status: 'library-only', items: [] }) },
    previews: { isOn: false, of: () => Promise.resolve(accept(null)) },
    connections: {
      subscribe: async (_caller, stream, read) => read(await record.head(stream)),
      unsubscribe: () => undefined,
      moveTo: () => Promise.resolve(null),
    },
  };
}
