/**
 * Rooms of both kinds: documents, requests a client may make, and the changes that members, hosts and requesters see.
 * A room is named by { kind, code } on the wire; the server resolves it to the room that the caller may know of.
 */
import { z } from 'zod';
import { clientId, roomCode, roomCodeInput, roomId, roomName, tabId, uid } from '../wire/fields.ts';
import { limits } from '../wire/limits.ts';
import { beforeRequests } from './before.ts';
import { historyRequests } from './history.ts';
import { playbackChange, playbackDocument } from '../playback.ts';
import { proposal, proposalRemoved, proposalRequests, proposalVoted, proposed } from './proposals.ts';
import { request } from '../wire/request.ts';
import { roomChatChanges, roomChatRequests, roomMessage } from './room-chat.ts';
import { roomKind } from '../wire/room-kind.ts';
import {
  hostSettings,
  hostSettingsPatch,
  memberSettings,
  memberSettingsPatch,
  roomSettings,
  settingsPatch,
} from './settings.ts';
import { headCount, participant, participantJoined, participantLeft, rosterRequests } from './roster.ts';

const inRoom = { kind: roomKind, code: roomCodeInput };
const seq = z.number().int().nonnegative();
const nothing = z.strictObject({});

/**
 * What the requester sees. 'none': withdrawn, perhaps in another tab. 'lapsed': expired without an answer.
 * 'rejected-for-good': declined so often that they may not ask in this room again.
 */
export const ownRequestStatus = z.enum(['none', 'pending', 'accepted', 'rejected', 'rejected-for-good', 'lapsed']);
export type OwnRequestStatus = z.infer<typeof ownRequestStatus>;

export const requestStatuses = ['pending', 'accepted', 'rejected'] as const;
export const requestStatus = z.enum(requestStatuses);

/** One entry of the room's requests map. */
export const joinRequest = z.strictObject({ uid, name: z.string(), status: requestStatus, askedAt: z.number() });
export type JoinRequest = z.infer<typeof joinRequest>;

/** The host has asked `to` to take the room over. The offer is over after `untilMs`, in server time. */
export const handOver = z.strictObject({
  to: uid,
  untilMs: z.number(),
  /** Whether the host leaves the room as soon as it is taken over. */
  leaves: z.boolean(),
});
export type HandOver = z.infer<typeof handOver>;

/** The room document without the requests map, which only the host may see. */
export const roomDocument = z.strictObject({
  kind: roomKind,
  roomId,
  code: roomCode,
  name: z.string(),
  host: uid,
  createdAt: z.number(),
  isActive: z.boolean(),
  /** Server time since when the host has no connection, null while they are here (HOST-10). */
  hostAwaySince: z.number().nullable(),
  /** How many people are in the room. */
  people: z.number().int().nonnegative(),
  /**
   * All of them, the host first and then as they joined; in a large room its first page and the person who receives
   * this.
   */
  participants: z.array(participant),
  handOver: handOver.nullable(),
  ...memberSettings.shape,
  /** Who votes to skip what plays, present or not. */
  skipVotes: z.array(uid),
  /** Oldest first. */
  proposals: z.array(proposal),
});
export type RoomDocument = z.infer<typeof roomDocument>;

/** Everything a member needs to draw the room. `requests` is empty for all but the host. */
export const roomSnapshot = z.strictObject({
  seq,
  room: roomDocument,
  /** The number of the host's stream as `requests` has it; null for all but the host. */
  hostSeq: seq.nullable(),
  requests: z.array(joinRequest),
  /** Null for all but the host. */
  hostSettings: hostSettings.nullable(),
  /** The latest page, oldest first. */
  messages: z.array(roomMessage),
  hasEarlierMessages: z.boolean(),
  /** The proposals for which the receiver votes. */
  ownVotes: z.array(z.string()),
  playback: playbackDocument,
  serverNowMs: z.number(),
});
export type RoomSnapshot = z.infer<typeof roomSnapshot>;

/** A member took the room over. The former host no longer follows the host's stream. */
const hostChanged = z.strictObject({
  type: z.literal('rooms/hostChanged'),
  host: uid,
  hostAwaySince: z.number().nullable(),
});

/** Changes on the stream of a room; all its members receive them, in order. */
export const roomChange = z.discriminatedUnion('type', [
  participantJoined,
  headCount,
  participantLeft,
  z.strictObject({ type: z.literal('rooms/set'), settings: memberSettingsPatch }),
  /** A member voted to skip what plays, or took that back. */
  z.strictObject({ type: z.literal('rooms/skipVoted'), uid, isOn: z.boolean() }),
  /** Another track plays, or this one from its beginning: no vote to skip is left. */
  z.strictObject({ type: z.literal('rooms/skipVotesCleared') }),
  z.strictObject({ type: z.literal('rooms/participantRenamed'), uid, name: z.string() }),
  z.strictObject({ type: z.literal('rooms/participantPresence'), uid, online: z.boolean() }),
  z.strictObject({ type: z.literal('rooms/hostAway'), hostAwaySince: z.number().nullable() }),
  hostChanged,
  /** A member was asked to take the room over, or is not asked any more (null). */
  z.strictObject({ type: z.literal('rooms/handOver'), handOver: handOver.nullable() }),
  ...roomChatChanges,
  z.strictObject({ type: z.literal('rooms/ended') }),
  proposed,
  proposalVoted,
  proposalRemoved,
  ...playbackChange.options,
]);
export type RoomChange = z.infer<typeof roomChange>;

/** Changes on the stream of a room's host, which only the host follows. */
export const hostChange = z.discriminatedUnion('type', [
  /** A request was made, made again, or ended (status null). */
  z.strictObject({
    type: z.literal('rooms/requestChanged'),
    request: joinRequest.extend({ status: requestStatus.nullable() }),
  }),
  hostChanged,
  /** A person came in without the host's approval. */
  z.strictObject({ type: z.literal('rooms/cameIn'), uid, name: z.string() }),
  /** Of those which only the host sees. */
  z.strictObject({ type: z.literal('rooms/set'), settings: hostSettingsPatch }),
  z.strictObject({ type: z.literal('rooms/ended') }),
]);
export type HostChange = z.infer<typeof hostChange>;

/** Changes on a person's own stream that concern rooms. */
export const ownRoomChange = z.discriminatedUnion('type', [
  /** To the requester: the result. 'ended' when the room has ended. */
  z.strictObject({
    type: z.literal('rooms/requestAnswered'),
    kind: roomKind,
    code: roomCode,
    answer: z.enum(['accepted', 'rejected', 'rejected-for-good', 'lapsed', 'ended']),
  }),
]);

/** A live room of one's own or in which one sits. Its title is null while nothing is chosen. */
export const yourRoom = z.strictObject({
  kind: roomKind,
  code: z.string(),
  name: z.string(),
  host: uid,
  hostName: z.string(),
  people: z.number().int().nonnegative(),
  /** When a room of one's own ends because oneself is away; null otherwise. */
  endsAt: z.number().nullable(),
  isPlaying: z.boolean(),
  title: z.string().nullable(),
  thumbnail: z.string().nullable(),
});
export type YourRoom = z.infer<typeof yourRoom>;

export const roomRequests = {
  ...proposalRequests,
  ...rosterRequests,
  ...roomChatRequests,
  ...historyRequests,
  ...beforeRequests,
  'rooms/mine': request({
    may: 'list the live rooms that they are a member of',
    limit: 'general',
    payload: z.strictObject({}),
    value: z.strictObject({ rooms: z.array(yourRoom).max(limits.yourRooms) }),
  }),
  'rooms/create': request({
    may: 'create a room',
    limit: 'roomCreate',
    payload: z.strictObject({ clientId, kind: roomKind, name: roomName }),
    value: z.strictObject({ code: roomCode }),
  }),
  'rooms/lookUp': request({
    may: 'look up by its code whether a room exists, its kind, and whether they host it',
    needs: { room: 'anyone' },
    limit: 'lookUp',
    refusesWith: { 'room/ended': 'room/not-found' },
    payload: z.strictObject(inRoom),
    value: z.strictObject({ kind: roomKind, code: roomCode, isHost: z.boolean() }),
  }),
  /** 'member' for the host and for participants, who need no approval. */
  'rooms/askToJoin': request({
    may: 'ask to come in; a member comes straight in',
    needs: { room: 'anyone' },
    limit: 'joinRequest',
    payload: z.strictObject(inRoom),
    value: z.strictObject({ code: roomCode, status: z.enum(['pending', 'member']) }),
  }),
  'rooms/cancelRequest': request({
    may: 'withdraw their own request',
    needs: { room: 'requester' },
    limit: 'general',
    payload: z.strictObject(inRoom),
    value: nothing,
  }),
  /** The caller's own request, which stays alive by it: sent at intervals by the page that waits. */
  'rooms/renewRequest': request({
    may: 'read and renew their own request while they wait',
    needs: { room: 'anyone' },
    limit: 'general',
    payload: z.strictObject(inRoom),
    value: z.strictObject({ status: ownRequestStatus }),
  }),
  'rooms/acceptRequest': request({
    may: 'accept a request to join that waits',
    needs: { room: 'host' },
    limit: 'general',
    turn: 'together',
    payload: z.strictObject({ ...inRoom, uid }),
    value: nothing,
  }),
  'rooms/rejectRequest': request({
    may: 'decline a request to join that waits',
    needs: { room: 'host' },
    limit: 'general',
    turn: 'together',
    payload: z.strictObject({ ...inRoom, uid }),
    value: nothing,
  }),
  /** Accepts those of the named people who still wait, oldest first, until the room is full. */
  'rooms/acceptAll': request({
    may: 'accept all requests that wait, until the room is full',
    needs: { room: 'host' },
    limit: 'general',
    payload: z.strictObject({ ...inRoom, uids: z.array(uid).min(1).max(limits.pendingPerRoom) }),
    value: z.strictObject({
      /** How many of them are in the room now. */
      inside: z.number().int().nonnegative(),
      isFull: z.boolean(),
    }),
  }),
  /** Subscribes this connection to the room and answers with the snapshot. */
  'rooms/enter': request({
    may: 'enter the room: read it and receive its changes',
    needs: { room: 'member' },
    limit: 'general',
    isRead: true,
    payload: z.strictObject(inRoom),
    value: roomSnapshot,
  }),
  /** Unsubscribes; membership stays. */
  'rooms/close': request({
    may: 'stop receiving changes of a room on this connection',
    limit: 'general',
    payload: z.strictObject(inRoom),
    value: nothing,
  }),
  /**
   * Ends membership; when the host leaves the room ends for everyone. `ends` says which of the two the caller expects;
   * refused with room/host-changed when it is not so any more.
   */
  'rooms/leave': request({
    may: 'leave the room; when the host leaves, the room ends',
    needs: { room: 'member' },
    limit: 'general',
    payload: z.strictObject({ ...inRoom, ends: z.boolean().optional() }),
    value: nothing,
  }),
  'rooms/removeParticipant': request({
    may: 'remove a guest, for a while or for good',
    needs: { room: 'host' },
    limit: 'orders',
    payload: z.strictObject({ ...inRoom, uid, forGood: z.boolean() }),
    value: nothing,
  }),
  'rooms/set': request({
    may: 'change the settings of the room',
    needs: { room: 'host' },
    limit: 'orders',
    payload: z.strictObject({ ...inRoom, settings: settingsPatch }),
    value: nothing,
  }),
  /** To a member, or to a person whom the host invited, who holds it once they are inside. */
  'rooms/lendRemote': request({
    may: roomSettings.remoteHolders.may,
    needs: { room: 'host' },
    limit: 'orders',
    payload: z.strictObject({ ...inRoom, uid, isLent: z.boolean() }),
    value: nothing,
  }),
  /** Of the caller. One that is gone already stays so. */
  'rooms/giveRemoteBack': request({
    may: 'give the remote back that was lent to them',
    needs: { room: 'member' },
    limit: 'reactions',
    payload: z.strictObject(inRoom),
    value: nothing,
  }),
  /** The room goes on, an audio room with Suggested, and stays open without its host until they are back. */
  'rooms/letHousePlay': request({
    may: 'let the house play while they are away',
    needs: { room: 'host' },
    limit: 'orders',
    payload: z.strictObject(inRoom),
    value: nothing,
  }),
  /** Asks a participant to take the room over; a later offer replaces an earlier one. */
  'rooms/offerHosting': request({
    may: 'ask a guest to take the room over',
    needs: { room: 'host' },
    limit: 'orders',
    payload: z.strictObject({ ...inRoom, uid, leaves: z.boolean() }),
    value: nothing,
  }),
  'rooms/takeBackHosting': request({
    may: 'take such an offer back',
    needs: { room: 'host' },
    limit: 'orders',
    payload: z.strictObject(inRoom),
    value: nothing,
  }),
  /** The answer of the person asked. With `takes` they are the host at once, and this tab has the controls. */
  'rooms/answerHosting': request({
    may: 'answer the offer to host, when they were asked',
    needs: { room: 'member' },
    limit: 'orders',
    payload: z.strictObject({ ...inRoom, tabId, takes: z.boolean() }),
    value: nothing,
  }),
} as const;
