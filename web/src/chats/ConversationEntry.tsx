/**
 * One item of an open chat: a day, the divider above unread messages, or a message with its buttons; and the view of
 * one image.
 */
import { editableForMs } from '@tunemate/domain';
import type { PairId, Refusal, Uid, UserCard } from '@tunemate/protocol';
import { memo, useEffect, useRef, useState, type KeyboardEvent, type TouchEvent } from 'react';
import { sentenceOf, type Instead } from '../words/errors.ts';
import { LinkedText, textParts } from '../messages/LinkedText.tsx';
import { FailedMessage, MessageBubble } from '../messages/MessageBubble.tsx';
import { DayMark } from '../messages/MessageLog.tsx';
import { QuoteLine } from '../messages/QuoteLine.tsx';
import { isSameRow } from '../messages/same-row.ts';
import { timerWords } from './timer-words.ts';
import { clockTime, dayLabel } from '../words/dates.ts';
import { useHold } from '../messages/long-press.ts';
import type { ChatImage, ChatVoice } from '../messages/outbox.ts';
import { lazyPart } from '../store/lazy-part.ts';
import type { Now } from '../store/use-now.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { classNames } from '../ui/class-names.ts';
import { useModalElement } from '../ui/dialogs/use-modal-element.ts';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { CopyIcon } from '../ui/icons/page-icons.tsx';
import styles from './Conversation.module.css';
import { EmojiMark } from './acts/EmojiMark.tsx';
import type { MessageAct } from './acts/MessageActions.tsx';
import { cardSpace } from './cards/card-space.ts';
import type { TrackCardProps } from './cards/TrackCard.tsx';
import { conversationWords, quoteText, voiceText } from './conversation-words.ts';
import type { ConversationItem, MessageItem } from './conversation.ts';
import { wordsOf } from './acts/emojis.ts';
import { imageAddress, shownSize } from './images.ts';
import { t } from '../language/t.ts';

const loadActions = async () => (await import('./acts/MessageActions.tsx')).MessageActions;
const MessageActions = lazyPart(loadActions);

const LinkCard = lazyPart<TrackCardProps>(
  async () => (await import('./cards/TrackCard.tsx')).LinkCard,
  ({ href }) => <LinkedText text={href} />,
);

const LinkPreview = lazyPart(async () => (await import('./cards/LinkPreview.tsx')).LinkPreview);

const VoiceMessage = lazyPart(
  async () => (await import('./voice/VoiceMessage.tsx')).VoiceMessage,
  ({ voice }: { voice: ChatVoice }) => voiceText(voice.durationMs),
);

/** Once a chat is shown: its menu then opens without a connection too. If that fails, opening it tries again. */
export const fetchMessageActions = (): void => void loadActions().catch(() => undefined);

export interface EntryActions {
  readonly names: { readonly self: Uid; readonly other: string };
  readonly nowMs: Now;
  /** Nothing new can be sent. */
  readonly isClosed: boolean;
  readonly onAct: (act: MessageAct, item: MessageItem) => void;
  readonly onReact: (item: MessageItem, emoji: string, isOn: boolean) => void;
  /** Goes to the message with this number. */
  readonly onQuote: (number: number) => void;
  readonly onShowImage: (item: MessageItem) => void;
  /** Whom a card invites; null where no person can be invited. */
  readonly listener: UserCard | null;
  /** The chat, whose links have previews; null where they have none. */
  readonly previewsOf: PairId | null;
  readonly onRetry: (clientId: string) => void;
  readonly onDiscard: (clientId: string) => void;
}

interface ConversationEntryProps extends EntryActions {
  item: ConversationItem;
  /** The Tab stop of the log. */
  isNewest: boolean;
  /** The user came to it by a quote a moment ago. */
  isLit: boolean;
}

export const ConversationEntry = memo(function ConversationEntry({ item, ...props }: ConversationEntryProps) {
  if (item.type === 'day') return <DayMark>{dayLabel(item.atMs, props.nowMs)}</DayMark>;
  if (item.type === 'unread') return <UnreadMark />;
  if (item.type === 'timer') return <DayMark>{timerWords.line(item.timer, props.names)}</DayMark>;
  return <Message item={item} {...props} />;
}, isSameRow('item'));

function UnreadMark() {
  const separator = { role: 'separator', 'aria-label': conversationWords.unread } as const;
  return (
    <p className={styles.unread} {...separator}>
      {conversationWords.unread}
    </p>
  );
}

const instead: Instead = {
  'access/forbidden': conversationWords.cannotWrite,
  'access/not-found': t`This account is gone.`,
};
/** Of what is sent with a photo, a recording or a quote, that may be gone instead. */
const reasonOf = (refusal: Refusal, { image, voice, reply }: MessageItem): string =>
  `${conversationWords.notSent} ${sentenceOf(refusal, image === null && voice === null && reply === null ? instead : {})}`;

type MessageProps = Omit<ConversationEntryProps, 'item'> & { item: MessageItem };

/** What can be done with this message now. */
function offeredFor({ isMine, number, text, isDeleted, atMs }: MessageItem, { nowMs, isClosed }: EntryActions) {
  const isStored = number !== null;
  const offers: readonly (readonly [MessageAct, boolean])[] = [
    ['reply', isStored && !isDeleted && !isClosed],
    ['copy', text !== ''],
    ['edit', isStored && isMine && text !== '' && !isClosed && editableForMs(atMs, nowMs) > 0],
    // Also one that was taken back: what it said is kept for a day.
    ['report', isStored && !isMine],
    ['hide', isStored],
    ['delete', isStored && isMine && !isDeleted],
  ];
  return offers.filter(([, isOffered]) => isOffered).map(([act]) => act);
}

const actOfKey: Readonly<Record<string, MessageAct>> = { r: 'reply', c: 'copy', e: 'edit', Delete: 'hide' };

/** A held press, a right click and keys open the menu; letters do what it offers, a swipe answers. */
function useGestures(offered: readonly MessageAct[], onAct: (act: MessageAct) => void, open: () => void) {
  const hold = useHold(open);
  const swipe = useSwipe(() => offered.includes('reply') && onAct('reply'));
  return {
    ...hold,
    ...swipe,
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const chosen = actOfKey[event.key];
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && event.target === event.currentTarget;
      if (!isPlain || chosen === undefined || !offered.includes(chosen)) return hold.onKeyDown?.(event);
      event.preventDefault();
      onAct(chosen);
    },
  };
}

function Message({ item, isNewest, isLit, ...actions }: MessageProps) {
  const { isMine, text, waiting, atMs, isDeleted, edits, number } = item;
  const failure = waiting?.failure ?? null;
  const frame = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const offered = offeredFor(item, actions);
  const act = (chosen: MessageAct): void => {
    setIsOpen(false);
    actions.onAct(chosen, item);
  };
  const gestures = useGestures(offered, act, () => setIsOpen(offered.length > 0));
  const time = clockTime(atMs, actions.nowMs);
  const label = conversationWords.messageAt(time, isMine);
  const shownTime = edits > 0 ? `${conversationWords.edited} ${time}` : time;
  return (
    <>
      <MessageBubble
        mine={isMine}
        starts={item.starts}
        ends={item.ends}
        time={{ text: shownTime, dateTime: new Date(atMs).toISOString() }}
        tick={item.tick ?? undefined}
        look={isDeleted ? 'gone' : undefined}
        frame={{
          ...gestures,
          ...{ ref: frame, role: 'article', 'aria-label': label, tabIndex: isNewest ? 0 : -1 },
          ...{ 'data-lit': isLit, 'data-number': number, 'data-mine': isMine ? '' : undefined },
        }}
        footer={item.reactions.length > 0 && <Reactions item={item} names={actions.names} onReact={actions.onReact} />}
        action={
          <>
            {text !== '' && (
              <IconButton
                className={classNames(styles.copy, isMine && styles.copyMine)}
                label={conversationWords.copy}
                icon={<CopyIcon size={18} />}
                tabIndex={-1}
                onClick={() => act('copy')}
              />
            )}
            {/* Not below the bubble, where a first part would move what comes after it. */}
            {isOpen && (
              <MessageActions
                label={label}
                quote={{ author: isMine ? conversationWords.you : actions.names.other, text: wordsOfMessage(item) }}
                anchor={frame}
                offered={offered}
                reacted={number === null || isDeleted || actions.isClosed ? null : ownOf(item, actions.names.self)}
                onAct={act}
                onReact={(emoji, isOn) => {
                  setIsOpen(false);
                  actions.onReact(item, emoji, isOn);
                }}
                onClose={() => setIsOpen(false)}
              />
            )}
          </>
        }
      >
        <Content item={item} {...actions} />
      </MessageBubble>
      {waiting !== null && failure !== null && (
        <FailedMessage
          reason={reasonOf(failure, item)}
          retryLabel={t`Retry`}
          onRetry={() => actions.onRetry(waiting.clientId)}
          onDiscard={() => actions.onDiscard(waiting.clientId)}
        />
      )}
    </>
  );
}

/** What the bubble holds: the quote, the picture, the recording, the card and the text. */
function Content({ item, names, onQuote, onShowImage, listener, previewsOf }: { item: MessageItem } & EntryActions) {
  const { reply, image, voice, text, isDeleted, isMine, number } = item;
  if (isDeleted) return conversationWords.messageDeleted;
  const track = trackLinkIn(text, location.origin);
  return (
    <>
      {reply !== null && (
        <QuoteLine
          name={reply.sender === names.self ? conversationWords.you : names.other}
          text={quoteText(reply)}
          isGone={reply.isGone}
          onPress={() => onQuote(reply.number)}
        />
      )}
      {image !== null && (
        <button type="button" className={styles.picture} onClick={() => onShowImage(item)}>
          <Preview image={image} />
        </button>
      )}
      {voice !== null && <VoiceMessage fallback={voiceText(voice.durationMs)} voice={voice} isMine={isMine} />}
      {track !== null && (
        <span className={styles.picture}>
          <LinkCard fallback={<span style={cardSpace} />} href={track.href} mine={isMine} listener={listener} />
        </span>
      )}
      <LinkedText text={track?.text ?? text} />
      {previewsOf !== null && number !== null && track === null && /https:/iu.test(text) && (
        <LinkPreview pairId={previewsOf} number={number} text={text} />
      )}
    </>
  );
}

/** Twice as long after each attempt, up to eighty seconds: its file may be gone. */
const againMs = (attempt: number): number => 5000 * 2 ** Math.min(attempt, 4);

/** One that did not load, as without a network, is fetched again: browsers leave it as it is. */
function Preview({ image }: { image: ChatImage }) {
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState<number | null>(null);
  useEffect(() => {
    if (failed !== attempt) return undefined;
    const timer = setTimeout(() => setAttempt(attempt + 1), againMs(attempt));
    return () => clearTimeout(timer);
  }, [failed, attempt]);
  return (
    <img
      key={attempt}
      src={imageAddress(image.imageId, 'preview')}
      alt={conversationWords.photo}
      {...shownSize(image)}
      onError={() => setFailed(attempt)}
    />
  );
}

const wordsOfMessage = ({ text, image, voice, isDeleted }: MessageItem): string =>
  quoteText({ text, hasImage: image !== null, voiceMs: voice?.durationMs, isGone: isDeleted });

const ownOf = ({ reactions }: MessageItem, self: Uid): string[] =>
  reactions.filter(({ uid }) => uid === self).map(({ emoji }) => emoji);

/** Each emoji once, with who reacted in its name; a press adds or takes back one's own. */
function Reactions({ item, names, onReact }: Pick<MessageProps, 'item' | 'names' | 'onReact'>) {
  const emojis = [...new Set(item.reactions.map(({ emoji }) => emoji))];
  return (
    <div className={styles.reactions}>
      {emojis.map((emoji) => {
        const by = item.reactions.filter((each) => each.emoji === emoji).map(({ uid }) => uid);
        const isMine = by.includes(names.self);
        const you = isMine ? conversationWords.you.toLowerCase() : names.other;
        const who = by.length > 1 ? conversationWords.both(names.other) : you;
        const words = conversationWords.reaction(wordsOf(emoji), who, by.length);
        return (
          <button
            key={emoji}
            type="button"
            tabIndex={-1}
            title={words}
            aria-label={words}
            aria-pressed={isMine}
            className={classNames(styles.reaction, isMine && styles.mineToo)}
            onClick={() => onReact(item, emoji, !isMine)}
          >
            <EmojiMark emoji={emoji} size={20} />
            {by.length > 1 && <span aria-hidden="true">{by.length}</span>}
          </button>
        );
      })}
    </div>
  );
}

/** One image as large as the window allows, over the page. */
export function ImageView({ image, onClose }: { image: ChatImage; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModalElement(dialog, onClose, { scrimCloses: true });
  return (
    <dialog ref={dialog} className={styles.view} aria-label={conversationWords.photo}>
      <img
        src={imageAddress(image.imageId, 'full')}
        alt={conversationWords.photo}
        width={image.width}
        height={image.height}
      />
      <IconButton
        className={styles.close}
        label={t`Close`}
        icon={<CloseIcon size={22} />}
        data-first-focus
        onClick={onClose}
      />
    </dialog>
  );
}

const farPx = 56;
/** More upwards or downwards than this counts as scrolling. */
const slackPx = 24;

/** A finger that draws a message to the right answers it. */
function useSwipe(onSwipe: () => void) {
  const start = useRef<{ x: number; y: number; element: HTMLElement } | null>(null);

  function end(): void {
    start.current?.element.style.removeProperty('translate');
    start.current = null;
  }

  return {
    onTouchStart({ touches, currentTarget }: TouchEvent<HTMLElement>): void {
      const [touch] = Array.from(touches);
      start.current =
        touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY, element: currentTarget } : null;
    },
    onTouchMove({ touches }: TouchEvent<HTMLElement>): void {
      const [touch] = Array.from(touches);
      if (start.current === null || touch === undefined) return;
      const { x, y, element } = start.current;
      const byPx = Math.min(Math.max(0, touch.clientX - x), farPx + 16);
      if (Math.abs(touch.clientY - y) > slackPx) return end();
      element.style.setProperty('translate', `${String(byPx)}px`);
    },
    onTouchEnd({ changedTouches }: TouchEvent<HTMLElement>): void {
      const [touch] = Array.from(changedTouches);
      const isFar = start.current !== null && touch !== undefined && touch.clientX - start.current.x >= farPx;
      end();
      if (isFar) onSwipe();
    },
    onTouchCancel: end,
  };
}

interface TrackLink {
  readonly href: string;
  /** What is shown beside the card: a link to the library says nothing more than its card. */
  readonly text: string;
}

const video = /^(?:youtu\.be\/.|(?:www\.|m\.|music\.)?youtube\.com\/(?:watch\?|shorts\/|live\/|embed\/))/u;

/**
 * Which link of a message may name a track: of the library of this server, whose `origin` it is, or a video of YouTube.
 * Only how it looks is read here; the card, whose code is loaded for it, reads the id.
 */
export function trackLinkIn(text: string, origin: string): TrackLink | null {
  // Most messages have none.
  if (!/library\/lib_|youtu/iu.test(text)) return null;
  const parts = textParts(text);
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const { href } = part;
    if (href.startsWith(`${origin}/library/lib_`)) {
      const rest = parts.map((each) => (each === part ? '' : typeof each === 'string' ? each : each.words));
      return { href, text: rest.join('').trim() };
    }
    if (video.test(href.replace(/^https?:\/\//u, ''))) return { href, text };
  }
  return null;
}
