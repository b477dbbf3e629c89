/**
 * What the user does to messages that are already sent (edits, deletions, reactions), until the server has it: shown at
 * once, kept on this device, sent in order across lost connections and reloads. The client id, and the state that each
 * of them asks for, make it take effect once.
 */
import { blanked } from '@tunemate/domain';
import type { ClientId, PairId, PrivateMessage, Refusal, Result, Uid } from '@tunemate/protocol';
import type { UserEvent } from '../../connection/person-updates.ts';
import type { Connection } from '../../connection/port.ts';
import { sendInTurn, takeOver } from '../../messages/outbox.ts';
import { cell, guarded, type Readable } from '../../store/cell.ts';
import type { Clock } from '../../store/clock.ts';
import { keptEntries } from '../../store/kept-entries.ts';
import type { SharedStorage } from '../../store/lenient-storage.ts';
import { type OpenConversation, withChanged } from '../conversation.ts';

export type NewAct =
  | { readonly type: 'edit'; readonly text: string; readonly edits: number }
  | { readonly type: 'delete' }
  | { readonly type: 'hide'; readonly isHidden: boolean }
  | { readonly type: 'react'; readonly emoji: string; readonly isOn: boolean };

interface OfMessage {
  readonly pairId: PairId;
  readonly number: number;
}
export type PendingAct = NewAct & OfMessage & { readonly clientId: ClientId };

export interface PendingActs {
  /** In the order in which they were done. */
  readonly acts: Readable<readonly PendingAct[]>;
  add(of: OfMessage, act: NewAct): void;
  /** A change from the server may show what an act has done. */
  receive(change: UserEvent): void;
  /** On each new connection. */
  sendAll(): void;
  /** What the server refused, until it is said in the chat that it belongs to. */
  readonly refused: Readable<readonly RefusedAct[]>;
  dismiss(refused: RefusedAct): void;
}

export interface RefusedAct {
  readonly act: PendingAct;
  readonly refusal: Refusal;
}

export interface ActsParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: SharedStorage;
  readonly self: Uid;
  readonly newClientId: () => ClientId;
  /** Gets each refused act once; another chat, or none, may be open by then. */
  readonly onRefused: (act: PendingAct) => void;
}

/** The change comes over another way than the answer; without it for this long there is none. */
const shownAfterAnswerMs = 1000;
const longestPauseMs = 60_000;

export function createPendingActs(parts: ActsParts): PendingActs {
  const { connection, clock, storage, self, newClientId, onRefused } = parts;
  const kept = keptEntries<PendingAct>(storage, `tunemate/acts/${self}`, clock.now);
  const acts = cell<readonly PendingAct[]>([...kept.read().values()]);
  const answered = new Set<ClientId>();
  const refused = cell<readonly RefusedAct[]>([]);
  let isSending = false;

  /** Those that the server has, until they are shown, and then what is stored: by this tab, or by another. */
  function look(): void {
    const shown = acts.get().filter(({ clientId }) => answered.has(clientId));
    const stored = [...kept.read().values()].filter(({ clientId }) => !answered.has(clientId));
    acts.set([...shown, ...stored]);
  }

  function drop(clientId: ClientId): void {
    answered.delete(clientId);
    acts.update((all) => all.filter((each) => each.clientId !== clientId));
  }

  function sendAll(): void {
    if (isSending) return;
    isSending = true;
    const deliverOne = (act: PendingAct): Promise<Result<object>> => deliver(connection, act);
    const onEnd = (): void => void (isSending = false);
    sendInTurn({ clock, longestPauseMs, first, deliver: deliverOne, settle, onEnd });
  }

  function first(): PendingAct | undefined {
    look();
    return acts.get().find(({ clientId }) => !answered.has(clientId));
  }

  function settle(act: PendingAct, answer: Result<object>): void {
    kept.remove(act.clientId);
    if (answer.ok) {
      answered.add(act.clientId);
      clock.schedule(() => drop(act.clientId), shownAfterAnswerMs);
    } else {
      drop(act.clientId);
      guarded(() => onRefused(act));
      refused.update((now) => [...now, { act, refusal: answer.error }]);
    }
  }

  kept.onChange(look);
  takeOver(kept, clock, sendAll);
  sendAll();
  return {
    acts,
    add({ pairId, number }, act) {
      const added = { ...act, pairId, number, clientId: newClientId() };
      kept.keep(added.clientId, added);
      look();
      sendAll();
    },
    receive(change) {
      if (change.type !== 'chats/messageChanged') return;
      const { pairId, number } = change.message;
      for (const act of acts.get()) {
        if (act.pairId === pairId && act.number === number && answered.has(act.clientId)) drop(act.clientId);
      }
    },
    sendAll,
    refused,
    dismiss: (one) => refused.update((now) => now.filter((each) => each !== one)),
  };
}

function deliver(connection: Connection, { type, clientId, pairId, number, ...act }: PendingAct) {
  const of = { pairId, number };
  switch (type) {
    case 'edit': {
      const { text, edits } = act as NewAct & { type: 'edit' };
      return connection.requestUntilAnswered('chats/edit', { ...of, clientId, text, edits });
    }
    case 'react': {
      const { emoji, isOn } = act as NewAct & { type: 'react' };
      return connection.requestUntilAnswered('chats/react', { ...of, clientId, emoji, isOn });
    }
    case 'hide': {
      const { isHidden } = act as NewAct & { type: 'hide' };
      return connection.requestUntilAnswered('chats/hide', { ...of, isHidden });
    }
    case 'delete':
      return connection.requestUntilAnswered('chats/delete', of);
  }
}

/** The chat as it is once the server has all of these. Of hiding a message and showing it again the last counts. */
export function withActs(now: OpenConversation, acts: readonly PendingAct[], self: Uid): OpenConversation {
  const own = acts.filter(({ pairId }) => pairId === now.pairId);
  return own.reduce((after, act) => {
    const message = after.log.messages.find(({ number }) => number === act.number);
    const isOvertaken =
      act.type === 'hide' && act !== own.findLast(({ type, number }) => type === 'hide' && number === act.number);
    return message && !isOvertaken ? withChanged(after, acted(message, act, self)) : after;
  }, now);
}

function acted(message: PrivateMessage, act: PendingAct, self: Uid): PrivateMessage {
  if (act.type === 'delete') return blanked(message, 'deleted');
  if (message.state !== 'shown') return message;
  if (act.type === 'edit') return { ...message, text: act.text, edits: Math.max(message.edits, act.edits) };
  // What was hidden and is shown again has to come from the server.
  if (act.type === 'hide') return act.isHidden ? blanked(message, 'hidden') : message;
  const others = message.reactions.filter(({ uid, emoji }) => uid !== self || emoji !== act.emoji);
  return { ...message, reactions: act.isOn ? [...others, { uid: self, emoji: act.emoji }] : others };
}
