/** The open chat of a room: its log, the reactions to what plays, and the composer. Loaded soon after the room. */
import { beginningOf, editableForMs } from '@tunemate/domain';
import type { Result, RoomDocument, StampName, UserCard, Refusal } from '@tunemate/protocol';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useApp } from '../../app-context.ts';
import { useMessageKeys, MessageLog } from '../../messages/MessageLog.tsx';
import { cell } from '../../store/cell.ts';
import type { Now } from '../../store/use-now.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useSteady } from '../../messages/use-steady.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { copyText } from '../../ui/copy-text.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { ChatEntry, type ChatActions } from './ChatEntry.tsx';
import styles from './RoomChat.module.css';
import { RoomWriting, type RoomWritingMode, type RoomWritingProps } from './RoomWriting.tsx';
import { notStampedBecause, StampRow } from './StampRow.tsx';
import type { ChatBubble, ChatModel } from './chat-model.ts';
import { t } from '../../language/t.ts';
import { roomSentences } from '../room-words.ts';
import { newClientId } from '../../connection/ids.ts';
import { replyWords } from '../../messages/reply-words.ts';
import { sentenceOf } from '../../words/errors.ts';

export interface OpenRoomChatProps extends Pick<RoomWritingProps, 'model' | 'self' | 'room' | 'draft'> {
  bubbles: readonly ChatBubble[];
  nowMs: Now;
  /** The user pressed the author of a message, or Report. */
  onPerson: (person: UserCard, reportedMessage?: string) => void;
}

/** The reply or the edit that the user has begun in a room: it goes on when the chat is opened again. */
const begunWriting = cell<{ model: ChatModel; mode: RoomWritingMode } | null>(null);

export function OpenRoomChat(props: OpenRoomChatProps) {
  const { model, self, room, bubbles: stored, nowMs, draft, onPerson } = props;
  const log = useReadable(model.log);
  const modals = useModals();
  const toast = useToast();
  const { serverNowMs } = useApp();
  const { refused, setRefused, tell } = useRefusals(room.name, stored.findLast(({ isMine }) => isMine)?.key);
  const begun = useReadable(begunWriting);
  const mode = begun?.model === model ? begun.mode : null;
  const setMode = (next: RoomWritingMode | null): void => begunWriting.set(next && { model, mode: next });
  const { edited, edit } = useEdits(room, (text, sentence) => {
    tell(sentence);
    if (draft.get() === '') draft.set(text);
  });
  const bubbles = stored.map((bubble) => edited.get(bubble.id ?? '')?.(bubble) ?? bubble);
  const showRefusal = (request: Promise<Result<unknown>>): void =>
    void request.then((answer) => setRefused(answer.ok ? '' : notStampedBecause(answer.error)));
  const deleteForAll = async (id: string): Promise<void> => {
    const question = t`Delete this message for everyone in the room?`;
    if (!(await modals.confirm({ question, action: t`Delete for all`, danger: true }))) return;
    const answer = await model.deleteMessage(id);
    tell(answer.ok ? '' : notStampedBecause(answer.error));
  };
  const isOwnAndNew = ({ isMine, atMs }: ChatBubble): boolean => isMine && editableForMs(atMs, serverNowMs()) > 0;
  const mayEdit = (bubble: ChatBubble): boolean => isOwnAndNew(bubble) && bubble.id !== null && !bubble.isDeleted;
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) toast(t`Message copied`);
  };
  const isEmpty = bubbles.length === 0 && !log.hasEarlierMessages;
  const startEdit = ({ id, text, edits }: ChatBubble): void => {
    if (id !== null) setMode({ type: 'edit', id, text, draft: text, edits: edits ?? 0 });
  };
  const onRows = useSteady({
    onReply: ({ id, author, text }: ChatBubble) => {
      const { id: sender, name: senderName } = author;
      if (id !== null)
        setMode({ type: 'reply', quote: { id, sender, senderName, text: beginningOf(text), isGone: false } });
    },
    onCopy: ({ text }: ChatBubble) => void copy(text),
    onEdit: startEdit,
    mayEdit,
    onPerson,
    onStamp: (id: string, stamp: StampName, isOn: boolean) => showRefusal(model.stamp(id, stamp, isOn)),
    onDelete: (id: string) => void deleteForAll(id),
    mayDelete: (bubble: ChatBubble) => room.host === self.uid || isOwnAndNew(bubble),
  });
  return (
    <>
      <ChatMessages
        model={model}
        {...{ bubbles, nowMs }}
        hasEarlier={log.hasEarlierMessages}
        people={room.participants}
        selfUid={self.uid}
        {...onRows}
      />
      <div className={classNames(styles.reactions, isEmpty && styles.begin)}>
        <StampRow label={t`React to what plays`} onPress={(stamp) => showRefusal(model.react(stamp))} />
        {refused !== '' && <p role="alert">{refused}</p>}
      </div>
      <RoomWriting
        {...{ model, self, room, draft, mode }}
        isGone={(quoted) => bubbles.some(({ id, isDeleted }) => id === quoted && isDeleted)}
        onMode={setMode}
        onEditLast={() => {
          const last = bubbles.findLast(({ isMine }) => isMine);
          if (last && mayEdit(last)) startEdit(last);
        }}
        onEdit={edit}
      />
    </>
  );
}

/** Why the last act was refused, until the user writes again: `written` is the key of their newest message. */
function useRefusals(roomName: string, written: string | undefined) {
  const modals = useModals();
  const [refused, setRefused] = useState('');
  const [before, setBefore] = useState(written);
  if (written !== before) {
    setBefore(written);
    setRefused('');
  }
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return {
    refused,
    setRefused,
    /** Also the user who has closed the chat. */
    tell(sentence: string): void {
      if (isShown.current) setRefused(sentence);
      else if (sentence !== '') void modals.ok(roomName, { text: sentence });
    },
  };
}

/** Scrolling this close to the top loads the page before. */
const nearTopPx = 120;

/** The log is reversed: its scroll position is 0 at the newest message and falls towards the oldest. */
function isNearTop({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement): boolean {
  return scrollHeight - clientHeight + scrollTop < nearTopPx;
}

interface ChatMessagesProps extends Omit<ChatActions, 'onQuote'> {
  bubbles: readonly ChatBubble[];
  hasEarlier: boolean;
}

function ChatMessages({ bubbles, hasEarlier, ...actions }: ChatMessagesProps) {
  const { model } = actions;
  const box = useRef<HTMLDivElement>(null);
  const earlier = useReadable(model.earlier);
  const newest = bubbles.at(-1);
  const ownNewest = newest?.isMine === true ? newest.key : null;
  useEffect(() => {
    // Scrolls to a message that the user has just sent.
    if (ownNewest !== null && box.current !== null) box.current.scrollTop = 0;
  }, [ownNewest]);
  useMessageKeys(box);
  const { lit, goTo } = useGoTo(model, box);
  const steady = useSteady({ onQuote: goTo });
  return (
    <MessageLog
      label={t`Chat`}
      first={bubbles[0]?.key}
      ref={box}
      onScroll={(event) => {
        if (hasEarlier && earlier === 'idle' && isNearTop(event.currentTarget)) void model.loadEarlier();
      }}
    >
      {hasEarlier && (
        <Button variant="ghost" small busy={earlier === 'loading'} onClick={() => void model.loadEarlier()}>
          {t`Earlier messages`}
        </Button>
      )}
      {bubbles.length === 0 && !hasEarlier && (
        <EmptyState message={roomSentences.noMessages} hint={t`What is written here goes when the room ends.`} />
      )}
      {bubbles.map((bubble) => (
        <ChatEntry
          key={bubble.key}
          bubble={bubble}
          isLast={bubble === newest}
          isLit={bubble.id !== null && bubble.id === lit}
          {...steady}
          {...actions}
        />
      ))}
    </MessageLog>
  );
}

const litMs = 1000;

/** Goes to a message of a room's chat: loads earlier pages until it is there, scrolls, focuses and outlines it. */
function useGoTo(model: ChatModel, box: RefObject<HTMLElement | null>) {
  // A new object: going to the same message again outlines it again.
  const [goal, setGoal] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (goal === null) return undefined;
    const message = box.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(goal.id)}"]`);
    message?.focus({ preventScroll: true });
    message?.scrollIntoView({ block: 'center' });
    const end = setTimeout(() => setGoal(null), litMs);
    return () => clearTimeout(end);
  }, [goal, box]);

  async function goTo(id: string): Promise<void> {
    const isHere = () => model.log.get().messages.some((message) => message.id === id);
    while (!isHere() && model.log.get().hasEarlierMessages) {
      const before = model.log.get().messages.length;
      await model.loadEarlier(id);
      // The server could not be asked.
      if (model.log.get().messages.length === before) break;
    }
    if (isHere()) setGoal({ id });
  }
  return { lit: goal && goal.id, goTo: (id: string) => void goTo(id) };
}

// Edits of the user in a room: shown at once, and sent until the server has answered them.

type Show = (bubble: ChatBubble) => ChatBubble;

/** `onRefused` gets the text that was not stored, and why. */
function useEdits({ kind, code, slowSeconds }: RoomDocument, onRefused: (text: string, sentence: string) => void) {
  const { connection } = useApp();
  /** By message: what an edit that is not answered makes of its bubble. */
  const [edited, setEdited] = useState<ReadonlyMap<string, Show>>(new Map());
  async function edit(messageId: string, text: string, edits: number): Promise<void> {
    const show: Show = (bubble) =>
      bubble.isDeleted || (bubble.edits ?? 0) >= edits ? bubble : { ...bubble, text, edits, isSending: true };
    setEdited((now) => new Map([...now, [messageId, show]]));
    const change = { kind, code, messageId, clientId: newClientId(), text, edits };
    const answer = await connection.requestUntilAnswered('rooms/editMessage', change);
    if (!answer.ok) onRefused(text, notEditedBecause(answer.error, slowSeconds !== null));
    setEdited((now) => new Map([...now].filter(([id, each]) => id !== messageId || each !== show)));
  }
  return { edited, edit: (...change: Parameters<typeof edit>) => void edit(...change) };
}

/** Why an edit was not stored. */
function notEditedBecause(refusal: Refusal, isSlow: boolean): string {
  const instead = {
    'access/forbidden': isSlow ? replyWords.editedOnce : replyWords.tooLateToEdit,
    'access/not-found': replyWords.messageDeleted,
    'input/conflict': replyWords.editedElsewhere,
  };
  return `${replyWords.notChanged} ${sentenceOf(refusal, instead)}`;
}
