/**
 * A request to join a room: sends it, renews it while the user waits, receives the answer, and cancels it when the user
 * leaves the screen. Survives lost connections and a reload: a page that closes cancels nothing.
 */
import { requestLifetimeMs } from '@tunemate/domain';
import { bare, limits, type OwnRequestStatus, type Refusal, type RoomKind } from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import { patience } from '../../connection/retry.ts';
import { sentenceOf, tryAgainIn, waitInWords, type Instead } from '../../words/errors.ts';
import { shellWords } from '../../words/shell.ts';
import type { Schedule } from '@tunemate/playback';
import { cell, type Readable, type Unsubscribe } from '../../store/cell.ts';
import { tabStorage } from '../../store/lenient-storage.ts';
import { factsOf, type RoomKindFacts } from '../room-kinds.ts';
import { removalLasts } from '../room-words.ts';
import { joinWords } from './join-words.ts';
import { t } from '../../language/t.ts';

/** The content of the OK modal. */
export interface JoinMessage {
  readonly message: string;
  readonly text?: string;
}

export type JoinStatus =
  /** `hasLapsed`: the last request expired, because the page did not renew it. */
  | { readonly status: 'idle'; readonly message: JoinMessage | null; readonly hasLapsed?: true }
  | { readonly status: 'asking' }
  | { readonly status: 'waiting'; readonly code: string }
  | { readonly status: 'admitted'; readonly code: string };

export interface JoinModel {
  readonly status: Readable<JoinStatus>;
  /** `isInvited`: the code is from an invitation, so a room that is not found has ended. */
  ask(typedCode: string, isInvited?: boolean): Promise<void>;
  acknowledge(): void;
  /** Cancels a pending request. */
  close(): void;
}

/** 'none': the request was cancelled in another tab. */
type Answer = Exclude<OwnRequestStatus, 'pending'> | 'ended';

/** The server expires a request that is not renewed for a minute. */
const renewEveryMs = 15_000;

const idle = { status: 'idle', message: null } as const;

/** Where this tab keeps the request that it waits with. */
const keptIn = 'tunemate/asked';

/** Waits on after a reload, unless the request has lapsed by then or `linked`, the code in the address, is another. */
export function createJoinModel(
  connection: Connection,
  kind: RoomKind,
  schedule: Schedule,
  linked = '',
  kept = tabStorage,
): JoinModel {
  const [ofKind, code = '', atMs] = (kept.getItem(keptIn) ?? '').split(' ');
  const isSame = ofKind === kind && (linked === '' || linked === code);
  const waitsWith = isSame && Date.now() - Number(atMs) < requestLifetimeMs ? code : undefined;
  const model = joinModel(connection, kind, scheduleAndKeep, waitsWith);
  let isClosed = false;

  function keep(): void {
    const now = model.status.get();
    if (now.status === 'waiting' && !isClosed) kept.setItem(keptIn, [kind, now.code, Date.now()].join(' '));
    else kept.removeItem(keptIn);
  }
  /** With each renewal the request lasts longer. */
  function scheduleAndKeep(...renewal: Parameters<Schedule>): ReturnType<Schedule> {
    keep();
    return schedule(...renewal);
  }

  keep();
  const stop = model.status.subscribe(keep);
  return {
    ...model,
    close() {
      stop();
      isClosed = true;
      keep();
      model.close();
    },
  };
}

/** `waitsWith`: the code of a request that was sent before. */
function joinModel(connection: Connection, kind: RoomKind, schedule: Schedule, waitsWith?: string): JoinModel {
  const status = cell<JoinStatus>(waitsWith === undefined ? idle : { status: 'waiting', code: waitsWith });
  const abort = new AbortController();
  const { signal } = abort;
  const messages = joinMessages(factsOf(kind));
  const unanswered = unansweredRequest(connection, kind, signal);

  async function ask(typedCode: string, isInvited = false): Promise<void> {
    const now = status.get().status;
    if (signal.aborted || now === 'asking' || now === 'waiting') return;
    if (bare(typedCode) === '') return show(messages.codeMissing);
    unanswered.forget();
    status.set({ status: 'asking' });
    const asked = await connection.requestUntilAnswered('rooms/askToJoin', { kind, code: typedCode }, patience());
    if (!asked.ok) {
      if (asked.error.code === 'server/unavailable') unanswered.cancel(bare(typedCode).toUpperCase());
      return signal.aborted ? undefined : show(messages.notAsked(asked.error, isInvited));
    }
    const { code } = asked.value;
    if (signal.aborted) return void connection.request('rooms/cancelRequest', { kind, code });
    status.set({ status: asked.value.status === 'member' ? 'admitted' : 'waiting', code });
    renewLater();
  }

  let cancelRenewal = (): void => undefined;
  function renewLater(): void {
    cancelRenewal();
    if (status.get().status === 'waiting') cancelRenewal = schedule(() => void renew().then(renewLater), renewEveryMs);
  }

  const show = (message: JoinMessage): void => status.set({ status: 'idle', message });

  function onAnswer(answer: Answer, code: string): void {
    if (answer === 'accepted') status.set({ status: 'admitted', code });
    else if (answer === 'lapsed') status.set({ ...idle, hasLapsed: true });
    else show(messages.answered(answer));
  }

  /** Also receives an answer that was given while the connection was lost. */
  async function renew(): Promise<void> {
    const now = status.get();
    if (now.status !== 'waiting') return;
    const result = await connection.requestUntilAnswered('rooms/renewRequest', { kind, code: now.code }, { signal });
    if (signal.aborted || status.get() !== now) return;
    if (!result.ok) show(isGone(result.error) ? messages.answered('ended') : messages.refused(result.error));
    else if (result.value.status !== 'pending') onAnswer(result.value.status, now.code);
  }

  const ends: Unsubscribe[] = [
    connection.onUserChange((change) => {
      if (change.type !== 'rooms/requestAnswered' || change.kind !== kind) return;
      const now = status.get();
      const isLateAccept = now.status === 'idle' && change.answer === 'accepted' && change.code === unanswered.code();
      if (isLateAccept) unanswered.forget();
      if (isLateAccept || (now.status === 'waiting' && change.code === now.code)) onAnswer(change.answer, change.code);
    }),
    connection.onUserSnapshot(() => void renew()),
  ];
  void renew().then(renewLater);

  function cancelRequest(): void {
    const now = status.get();
    const code = now.status === 'waiting' ? now.code : unanswered.code();
    unanswered.forget();
    if (code !== undefined) void connection.request('rooms/cancelRequest', { kind, code });
  }

  return {
    status,
    ask,
    acknowledge: () => status.update((now) => (now.status === 'idle' ? idle : now)),
    close() {
      abort.abort();
      cancelRenewal();
      for (const end of ends.splice(0)) end();
      cancelRequest();
    },
  };
}

/** A request without an answer, until it is cancelled: the server may have stored it, and the host may accept it. */
function unansweredRequest(connection: Connection, kind: RoomKind, closed: AbortSignal) {
  let current: { readonly code: string; readonly stop: AbortController } | null = null;
  return {
    code: () => current?.code,
    /** Cancels it as soon as the server can be reached, or at once and for the last time when the model is closed. */
    cancel(code: string): void {
      if (closed.aborted) return void connection.request('rooms/cancelRequest', { kind, code });
      const own = { code, stop: new AbortController() };
      current = own;
      void connection
        .requestUntilAnswered('rooms/cancelRequest', { kind, code }, { signal: own.stop.signal })
        .then(() => {
          if (current === own) current = null;
        });
    },
    forget(): void {
      current?.stop.abort();
      current = null;
    },
  };
}

function joinMessages({ codeMissing, notFoundWhenJoining, ended }: RoomKindFacts) {
  const instead: Instead = {
    'room/not-found': notFoundWhenJoining,
    'room/ended': ended,
    'auth/required': shellWords.mustBeLoggedIn,
  };
  const { declined, declinedForGood, invitationOver, requestGone, tooOften } = joinWords;
  const byAnswer: Record<Exclude<Answer, 'accepted' | 'lapsed'>, JoinMessage> = {
    rejected: { message: declined, text: askAgainIn(limits.askAgainAfterMs) },
    'rejected-for-good': { message: declined, text: declinedForGood },
    none: { message: requestGone },
    ended: { message: ended },
  };

  function refused(refusal: Refusal, when = tryAgainIn): JoinMessage {
    const { code, retryAfterMs } = refusal;
    if (code === 'room/removed') {
      const text = retryAfterMs === undefined ? removalLasts['for-good'] : askAgainIn(retryAfterMs);
      return { message: sentenceOf(refusal), text };
    }
    if (code !== 'limit/too-many') return { message: sentenceOf(refusal, instead) };
    return { message: tooOften, ...(retryAfterMs !== undefined && { text: when(retryAfterMs) }) };
  }

  return {
    codeMissing: { message: codeMissing },
    refused,
    answered: (answer: keyof typeof byAnswer) => byAnswer[answer],
    /** The same for a room that has ended and one that never existed, unless an invitation proves that it existed. */
    notAsked(refusal: Refusal, isInvited: boolean): JoinMessage {
      if (!isGone(refusal)) return refused(refusal, askAgainIn);
      return { message: notFoundWhenJoining, ...(isInvited && { text: invitationOver }) };
    },
  };
}

function askAgainIn(retryAfterMs: number): string {
  return t`You can ask again in ${waitInWords(retryAfterMs)}.`;
}

function isGone({ code }: Refusal): boolean {
  return code === 'room/not-found' || code === 'room/ended';
}
