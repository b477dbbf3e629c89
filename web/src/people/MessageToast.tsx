/**
 * Messages of friends that arrive while the user is in a room, as a toast: who wrote, two lines, Reply and Dismiss. It
 * stays under pointer and focus. Loaded soon after the room.
 */
import type { PairId, Uid, PrivateMessage, UserCard, UserChange } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { navigate } from '../store/address.ts';
import { useApp } from '../app-context.ts';
import { cell } from '../store/cell.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { MessageField } from '../messages/MessageField.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { useHolding, useRunningOut } from '../ui/feedback/running-out.ts';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { SendIcon } from '../ui/icons/marks.tsx';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { Avatar } from '../ui/records/Avatar.tsx';
import styles from './MessageToast.module.css';
import { t } from '../language/t.ts';

const none: readonly ToastMessage[] = [];
const noDrafts = cell<ReadonlyMap<Uid, string>>(new Map());

/** `isCovered` while a room in full screen hides the toasts: messages wait for its end. */
export function MessageToasts({ isCovered }: { isCovered: boolean }) {
  const app = useApp();
  const chats = useReadable(app.chats);
  const isWide = useWideScreen();
  const [messages, setMessages] = useState(none);
  const [first] = messages;
  const drafts = useReadable(chats?.drafts.texts ?? noDrafts);
  const isFriend = (uid: string): boolean => {
    const bond = app.soulmate.soulmate.get();
    const isSoulmate = bond.status === 'bound' && bond.soulmate.uid === uid;
    return isSoulmate || (app.tunemates.tunemates.get() ?? []).some((mate) => mate.uid === uid);
  };
  const take = useEffectEvent((change: Parameters<typeof withMessage>[1]) =>
    setMessages((now) => withMessage(isCovered ? withoutRead(now, change) : now, change, isFriend)),
  );
  // Before the page is painted: nothing that arrives after that is missed.
  useLayoutEffect(() => app.connection.onUserChange((change) => take(change)), [app]);
  return (
    <MessageToast
      message={first ?? null}
      more={messages.length - 1}
      isCovered={isCovered}
      reply={
        isWide && chats && first
          ? {
              text: drafts.get(first.from.uid) ?? '',
              onText: (text) => chats.drafts.keep(first.from.uid, text),
              onSend: (text) => answer(chats, first, messages, text),
            }
          : null
      }
      onOpen={() => {
        if (first) navigate(`/chat/${first.from.uid}`);
      }}
      onEnd={() => setMessages(none)}
    />
  );
}

interface Answering {
  readonly outbox: { send(to: { uid: Uid }, text: string): boolean };
  read(pairId: PairId, number: number): void;
}

/** Who answers has read what the toast shows and counts of this person. False when the text is blank or too long. */
function answer(
  chats: Answering,
  { from, pairId }: ToastMessage,
  shown: readonly ToastMessage[],
  text: string,
): boolean {
  const isSent = chats.outbox.send({ uid: from.uid }, text);
  const ofPair = shown.filter((message) => message.pairId === pairId);
  if (isSent) chats.read(pairId, Math.max(...ofPair.map(({ number }) => number)));
  return isSent;
}

const lastsMs = 8000;

interface MessageToastProps {
  message: ToastMessage | null;
  /** How many arrived since. */
  more: number;
  /** Hidden: its timer is paused. */
  isCovered: boolean;
  /** The draft of the chat, and sending it; null where Reply opens the chat. */
  reply: { text: string; onText: (text: string) => void; onSend: (text: string) => boolean } | null;
  onOpen: () => void;
  onEnd: () => void;
}

/** Always mounted, so that screen readers announce what arrives. */
function MessageToast({ message, more, isCovered, reply, onOpen, onEnd }: MessageToastProps) {
  /** The key of this message alone: when it is deleted meanwhile, the next one may be another person's. */
  const [answered, setAnswered] = useState<string | null>(null);
  const isReplying = message !== null && message.key === answered;
  const { isHeld, ...holding } = useHolding(message?.key);
  const end = (): void => {
    setAnswered(null);
    onEnd();
  };
  useRunningOut(message?.key, lastsMs, isHeld || isReplying || isCovered, end);
  const send = (): void => {
    if (!reply?.onSend(reply.text)) return;
    reply.onText('');
    end();
  };
  return (
    <div className={styles.region} data-message-toast {...holding}>
      {message && (
        <div key={message.key} className={styles.toast}>
          <Avatar id={message.from.uid} name={message.from.name} />
          <output className={styles.words}>
            <strong dir="auto">{message.from.name}</strong>
            <span dir="auto">{message.text}</span>
            {more > 0 && <small>{t`and ${String(more)} more`}</small>}
          </output>
          <Button
            small
            aria-expanded={reply ? isReplying : undefined}
            onClick={() => (reply ? setAnswered(message.key) : onOpen())}
          >
            {t`Reply`}
          </Button>
          <IconButton label={t`Dismiss`} icon={<CloseIcon />} onClick={end} />
          {isReplying && reply && (
            <Reply
              name={message.from.name}
              text={reply.text}
              onText={reply.onText}
              onSend={send}
              onClose={() => setAnswered(null)}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface ReplyProps {
  name: string;
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  onClose: () => void;
}

/** The field takes the focus when it opens. */
function Reply({ name, text, onText, onSend, onClose }: ReplyProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className={styles.reply}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <MessageField
        ref={field}
        label={t`Reply to ${name}`}
        placeholder={t`Message`}
        value={text}
        onChange={onText}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          // The toast's first button is Reply.
          event.currentTarget.closest('[data-message-toast]')?.querySelector('button')?.focus();
          onClose();
        }}
      />
      <IconButton label={t`Send`} icon={<SendIcon />} filled type="submit" />
    </form>
  );
}

// Messages of friends that came while the user was in a room and were not dismissed: the first is shown. Pure.

export interface ToastMessage extends Pick<PrivateMessage, 'pairId' | 'number'> {
  readonly key: string;
  readonly from: UserCard;
  readonly text: string;
}

/** The list after a change: messages of others than friends only count on the badge. */
export function withMessage(
  now: readonly ToastMessage[],
  change: UserChange,
  isFriend: (uid: string) => boolean,
): readonly ToastMessage[] {
  if (change.type === 'chats/messageChanged') return withChanged(now, change.message);
  if (change.type !== 'chats/messageSent' || change.isMuted === true || !isFriend(change.message.sender)) return now;
  // The same change arrives again after a short loss of the connection.
  const toast = toastOf(change.message, change.other);
  return now.some(({ key }) => key === toast.key) ? now : [...now, toast];
}

/** Without those that the user has read on another device. One that is in sight stays: it may be answered just now. */
function withoutRead(now: readonly ToastMessage[], change: UserChange): readonly ToastMessage[] {
  // Only the user's own marks come with a number of unread messages.
  if (change.type !== 'chats/marked' || change.unread === null) return now;
  const { pairId, marks } = change;
  return now.filter((toast) => toast.pairId !== pairId || toast.number > marks.readUpTo);
}

/** What was edited is shown as it is now, what was deleted not any more. */
function withChanged(now: readonly ToastMessage[], message: PrivateMessage): readonly ToastMessage[] {
  return now.flatMap((toast) => {
    if (toast.pairId !== message.pairId || toast.number !== message.number) return [toast];
    return message.state === 'shown' ? [toastOf(message, toast.from)] : [];
  });
}

const toastOf = ({ pairId, number, text, voice }: PrivateMessage, from: UserCard): ToastMessage => ({
  key: `${pairId} ${String(number)}`,
  pairId,
  number,
  from,
  text: voice ? t`Voice message` : text === '' ? t`Photo` : text,
});
