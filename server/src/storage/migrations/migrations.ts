/** The migrations of this version by their names, under which databases note them: a new one gets its line here. */
import * as version020 from './version-0.2.0.ts';
import { libraryFiles } from './until-0.2.0/0039-library-files.ts';
import { sessionAndSender } from './until-0.2.0/0040-session-and-sender.ts';
import { invitationOfSignUp, refusedMails } from './until-0.2.0/0041-refused-mails.ts';
import { keptBytes } from './until-0.2.0/0043-kept-bytes.ts';
import { knownBlocks } from './until-0.2.0/0044-known-blocks.ts';
import { messageActs } from './until-0.2.0/0045-message-acts.ts';
import { measuredLoudness } from './until-1.0.0-rc.1/0047-measured-loudness.ts';
import { messageSearch } from './until-1.0.0-rc.1/0049-message-search.ts';
import { chatList } from './until-1.0.0-rc.1/0050-chat-list.ts';
import { roomOfSignUp } from './until-1.0.0-rc.1/0052-room-of-sign-up.ts';
import { voiceMessages } from './until-1.0.0-rc.1/0053-voice-messages.ts';
import { roomTalk } from './until-1.0.0-rc.1/0054-room-talk.ts';
import { playedTracks } from './until-1.0.0-rc.1/0055-played-tracks.ts';
import { savedQueues } from './until-1.0.0-rc.1/0056-saved-queues.ts';
import { listens } from './until-1.0.0-rc.1/0057-listens.ts';
import { linkPreviews } from './until-1.0.0-rc.1/0059-link-previews.ts';
import { slowChat } from './until-1.0.0-rc.1/0060-slow-chat.ts';
import { forgottenWithMessage } from './until-1.0.0-rc.1/0061-forgotten-with-message.ts';
import { messagesBySender } from './until-1.0.0-rc.1/0064-messages-by-sender.ts';
import { timesOfPlayedTracks } from './until-1.0.0-rc.1/0065-times-of-played-tracks.ts';
import { partsOfMessageSearch } from './until-1.0.0-rc.1/0066-parts-of-message-search.ts';
import { fewPeople } from './until-1.0.0-rc.1/0067-few-people.ts';
import { endsOfTracks } from './until-1.0.0-rc.1/0068-ends-of-tracks.ts';
import { mailboxes } from './0069-mailboxes.ts';
import { factsOfProcesses } from './0073-facts-of-processes.ts';
import { peaksOfTracks } from './0070-peaks-of-tracks.ts';
import { deletedByHost } from './0071-deleted-by-host.ts';
import { operators } from './0072-operators.ts';
import { remote } from './0074-remote.ts';
import { messagesSearchedAnew } from './0075-messages-searched-anew.ts';
import { hearing } from './0076-hearing.ts';
import { roomSettings } from './0077-room-settings.ts';
import { endedRooms } from './0078-ended-rooms.ts';
import { suggested } from './0079-suggested.ts';
import { chatTimers } from './0080-chat-timers.ts';
import { ourMusic } from './0081-our-music.ts';
import { countedListens } from './0082-counted-listens.ts';
import { libraryRows } from './0083-library-rows.ts';
import { evidenceAndTraces } from './0084-evidence-and-traces.ts';
import { countedByTrack } from './0085-counted-by-track.ts';
import { musicServerSongs } from './0086-music-server-songs.ts';
import { tokensApart } from './0087-tokens-apart.ts';

/**
 * What each database of version 0.2.0 has noted. A new one gets all of it from the first; the other names are noted as well,
 * so that both are databases of the same versions.
 */
export const namesOf020 = `
  0001-start 0002-tab-of-connection 0003-times-of-what-is-told 0004-sign-ups 0005-state-of-image 0006-queue-items
  0008-round-trip-of-connection 0010-stamps-and-deletions 0011-ways-in 0012-order-in-rooms
  0014-order-of-connections 0015-proposals 0021-operator 0022-sign-up-invitations 0023-expiry-of-answers
  0024-reports 0025-notifications-by-room 0026-warned-hosts 0032-sign-up-places 0033-grace-period
  0034-client-id-of-room-message 0035-pending-requests 0036-people-in-a-room 0037-head-with-its-entry
  0038-address-of-ticket
`
  .trim()
  .split(/\s+/u);
const madeBefore = { up: () => Promise.resolve() };

export const migrations = {
  ...Object.fromEntries(namesOf020.map((name, index) => [name, index === 0 ? version020 : madeBefore])),
  '0039-library-files': { up: libraryFiles },
  '0040-session-and-sender': { up: sessionAndSender },
  '0041-refused-mails': { up: refusedMails },
  '0042-invitation-of-sign-up': { up: invitationOfSignUp },
  '0043-kept-bytes': { up: keptBytes },
  '0044-known-blocks': { up: knownBlocks },
  '0045-message-acts': { up: messageActs },
  '0047-measured-loudness': { up: measuredLoudness },
  '0049-message-search': { up: messageSearch },
  '0050-chat-list': { up: chatList },
  '0052-room-of-sign-up': { up: roomOfSignUp },
  '0053-voice-messages': { up: voiceMessages },
  '0054-room-talk': { up: roomTalk },
  '0055-played-tracks': { up: playedTracks },
  '0056-saved-queues': { up: savedQueues },
  '0057-listens': { up: listens },
  '0059-link-previews': { up: linkPreviews },
  '0060-slow-chat': { up: slowChat },
  '0061-forgotten-with-message': { up: forgottenWithMessage },
  '0064-messages-by-sender': { up: messagesBySender },
  '0065-times-of-played-tracks': { up: timesOfPlayedTracks },
  '0066-parts-of-message-search': { up: partsOfMessageSearch },
  '0067-few-people': { up: fewPeople },
  '0068-ends-of-tracks': { up: endsOfTracks },
  '0069-mailboxes': { up: mailboxes },
  '0070-peaks-of-tracks': { up: peaksOfTracks },
  '0071-deleted-by-host': { up: deletedByHost },
  '0072-operators': { up: operators },
  '0073-facts-of-processes': { up: factsOfProcesses },
  '0074-remote': { up: remote },
  '0075-messages-searched-anew': { up: messagesSearchedAnew },
  '0076-hearing': { up: hearing },
  '0077-room-settings': { up: roomSettings },
  '0078-ended-rooms': { up: endedRooms },
  '0079-suggested': { up: suggested },
  '0080-chat-timers': { up: chatTimers },
  '0081-our-music': { up: ourMusic },
  '0082-counted-listens': { up: countedListens },
  '0083-library-rows': { up: libraryRows },
  '0084-evidence-and-traces': { up: evidenceAndTraces },
  '0085-counted-by-track': { up: countedByTrack },
  '0086-music-server-songs': { up: musicServerSongs },
  '0087-tokens-apart': { up: tokensApart },
};

/** The migrations of this version, in their order. */
export const knownMigrations: readonly string[] = Object.keys(migrations);
