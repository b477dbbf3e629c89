/**
 * Asking to be let into a room: the code, the waiting, and what becomes of it. Survives lost connections, and takes
 * the request back when the page is left. Knows no addresses; 'admitted' is all the screen needs to go in.
 */
import { limits, type OwnRequestStatus, type Refusal, type RoomKind } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { sentenceOf, tryAgainIn, type Instead } from '../copy/errors.ts';
import { cell, type Readable, type Unsubscribe } from '../store/cell.ts';
import { factsOf } from './room-kinds.ts';
import { askAgainIn, roomSentences } from './room-copy.ts';

/** What the OK modal says: a message, and perhaps one more sentence. */
export interface JoinMessage {
  readonly message: string;
  readonly text?: string;
}

export type JoinStatus =
  | { readonly status: 'idle'; readonly message: JoinMessage | null }
  | { readonly status: 'asking' }
  | { readonly status: 'waiting'; readonly code: string }
  | { readonly status: 'admitted'; readonly code: string };

export interface JoinModel {
  readonly status: Readable<JoinStatus>;
  /** `isInvited`: the code came with an invitation, so a room that is not there was there. */
  ask(typedCode: string, isInvited?: boolean): Promise<void>;
  /** The message was read. */
  acknowledge(): void;
  /** The page is left: a pending request is taken back. */
  close(): void;
}

/** What became of a request; 'none' when it was taken back elsewhere. */
type Answer = Exclude<OwnRequestStatus, 'pending'> | 'ended';

/** So long a broken line is waited for before it counts as unreachable. */
const patienceMs = 10_000;
const patience = () => ({ signal: AbortSignal.timeout(patienceMs) });

const idle: JoinStatus = { status: 'idle', message: null };
export function createJoinModel(connection: Connection, kind: RoomKind): JoinModel {
  const facts = factsOf(kind);
  const status = cell<JoinStatus>(idle);
  const abort = new AbortController();
  const { signal } = abort;
  const instead: Instead = {
    'room/not-found': facts.notFoundWhenJoining,
    'room/ended': facts.ended,
    'auth/required': roomSentences.mustBeLoggedIn,
  };

  const say = (message: string, text?: string): void =>
    status.set({ status: 'idle', message: text === undefined ? { message } : { message, text } });

  async function ask(typedCode: string, isInvited = false): Promise<void> {
    const now = status.get().status;
    if (now === 'asking' || now === 'waiting') return;
    if (typedCode.trim() === '') return say(facts.codeMissing);
    status.set({ status: 'asking' });
    const asked = await connection.requestUntilAnswered('rooms/askToJoin', { kind, code: typedCode }, patience());
    if (!asked.ok) return signal.aborted ? undefined : refuseToAsk(asked.error, isInvited);
    const { code } = asked.value;
    if (signal.aborted) return void connection.request('rooms/cancelRequest', { kind, code });
    status.set({ status: asked.value.status === 'member' ? 'admitted' : 'waiting', code });
  }

  /** Whoever types a code is told the same of a room that is over and of one that never was. */
  function refuseToAsk(refusal: Refusal, isInvited: boolean): void {
    const isGone = refusal.code === 'room/not-found' || refusal.code === 'room/ended';
    if (isGone) say(facts.notFoundWhenJoining, isInvited ? roomSentences.invitationOver : undefined);
    else refuse(refusal, askAgainIn);
  }

  function refuse(refusal: Refusal, when = tryAgainIn): void {
    const { code, retryAfterMs } = refusal;
    if (code === 'limit/too-many')
      say(roomSentences.tooOften, retryAfterMs === undefined ? undefined : when(retryAfterMs));
    else say(sentenceOf(refusal, instead));
  }

  function onAnswer(answer: Answer, code: string): void {
    if (answer === 'accepted') status.set({ status: 'admitted', code });
    else if (answer === 'rejected') say(roomSentences.declined, askAgainIn(limits.askAgainAfterMs));
    else if (answer === 'rejected-for-good') say(roomSentences.declined, roomSentences.declinedForGood);
    else if (answer === 'lapsed') say(roomSentences.requestLapsed);
    else if (answer === 'none') say(roomSentences.requestGone);
    else say(facts.ended);
  }

  /** The line was away: the answer may have come meanwhile. */
  async function catchUp(): Promise<void> {
    const now = status.get();
    if (now.status !== 'waiting') return;
    const result = await connection.requestUntilAnswered('rooms/requestStatus', { kind, code: now.code }, { signal });
    if (signal.aborted || status.get() !== now) return;
    if (!result.ok) {
      const isGone = result.error.code === 'room/not-found' || result.error.code === 'room/ended';
      return isGone ? onAnswer('ended', now.code) : refuse(result.error);
    }
    if (result.value.status !== 'pending') onAnswer(result.value.status, now.code);
  }

  const ends: Unsubscribe[] = [
    connection.onUserChange((change) => {
      const now = status.get();
      if (change.type !== 'rooms/requestAnswered' || now.status !== 'waiting') return;
      if (change.kind === kind && change.code === now.code) onAnswer(change.answer, now.code);
    }),
    connection.onUserSnapshot(() => void catchUp()),
    connection.onLeaving(takeBack),
  ];

  function takeBack(): void {
    const now = status.get();
    if (now.status === 'waiting') void connection.request('rooms/cancelRequest', { kind, code: now.code });
  }

  return {
    status,
    ask,
    acknowledge: () => status.update((now) => (now.status === 'idle' ? idle : now)),
    close() {
      abort.abort();
      for (const end of ends.splice(0)) end();
      takeBack();
    },
  };
}
