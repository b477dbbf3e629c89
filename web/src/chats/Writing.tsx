/** The message field of a private chat, what it answers or edits, and photos that are picked, pasted or dropped. */
import type { PairId, UserCard } from '@tunemate/protocol';
import {
  useRef,
  useState,
  useEffect,
  type ClipboardEvent,
  type DragEvent,
  type PointerEvent,
  type SyntheticEvent,
} from 'react';
import type { Instead } from '../words/errors.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { WritingField } from '../messages/WritingField.tsx';
import { firstName } from '../people/person-words.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { PictureIcon, MicrophoneIcon } from '../ui/icons/page-icons.tsx';
import { classNames } from '../ui/class-names.ts';
import { ownSheet } from '../ui/own-sheet.ts';
import styles from './ChatScreen.module.css';
import composer from './Writing.css?inline';
import type { ChatsModel } from './chats-model.ts';
import type { ConversationModel } from './conversation-model.ts';
import { conversationWords, quoteText } from './conversation-words.ts';
import { pickedTypes } from './images.ts';
import type { ChatWritingMode } from './acts/use-message-acts.ts';
import { EmojiButton } from './emoji/EmojiButton.tsx';
import { useApp } from '../app-context.ts';
import type { Press, PressEnd } from './voice/RecorderStrip.tsx';
import { t } from '../language/t.ts';

interface WritingProps {
  chats: ChatsModel;
  model: ConversationModel;
  other: UserCard;
  photos: ReturnType<typeof usePhotos>;
  pairId: PairId;
  mode: ChatWritingMode | null;
  /** Whether the message with this number was deleted meanwhile. */
  isGone: (number: number) => boolean;
  onMode: (mode: ChatWritingMode | null) => void;
  /** Edits the last message of the user, if it can be edited. */
  onEditLast: () => void;
}

const sheet = ownSheet('writing', composer);
const RecorderStrip = lazyPart(async () => (await import('./voice/RecorderStrip.tsx')).RecorderStrip);

export function Writing({ chats, model, other, photos, pairId, mode, isGone, onMode, onEditLast }: WritingProps) {
  const { uid } = other;
  const kept = useReadable(chats.drafts.texts).get(uid) ?? '';
  const voice = useVoice();
  const isRecording = voice.recording !== null;

  async function sendVoice(sound: Blob) {
    const answer = await chats.sendVoice({ uid, reply: mode?.type === 'reply' ? mode.quote : null }, sound);
    if (answer.ok) onMode(null);
    return answer;
  }

  return (
    <WritingField
      className={classNames(styles.writing, sheet.box)}
      {...{ mode, onMode, onEditLast }}
      draft={kept}
      onDraft={(text) => chats.drafts.keep(uid, text)}
      quoted={(quote) => ({
        name: quote.sender === chats.self ? conversationWords.you : other.name,
        text: quoteText({ ...quote, isGone: isGone(quote.number) }),
      })}
      tooLong={t`This message is too long. Shorten it to 2,000 characters.`}
      placeholder={conversationWords.writeTo(firstName(other.name))}
      onSend={(text, reply) => chats.outbox.send({ uid, reply }, text)}
      onEdit={({ id: number, text, edits }) => chats.acts.add({ pairId, number }, { type: 'edit', text, edits })}
      onTyping={() => model.sendTyping()}
      onPaste={photos.onPaste}
      isHidden={isRecording}
      lead={
        <>
          <EmojiButton />
          <PhotoPicker onPick={photos.send} />
          {mode?.type !== 'edit' && <VoiceButton isRecording={isRecording} onBegin={voice.begin} />}
        </>
      }
    >
      {photos.isSending && <output className={styles.notice}>{t`Sending the photo…`}</output>}
      {voice.hint !== null && <output className={styles.notice}>{voice.hint}</output>}
      {voice.recording !== null && (
        <RecorderStrip
          to={other.name}
          {...voice.recording}
          onSend={sendVoice}
          onEnd={voice.end}
          onMissing={voice.end}
        />
      )}
    </WritingField>
  );
}

function PhotoPicker({ onPick }: { onPick: (files: Iterable<File>) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept={pickedTypes}
        onChange={({ currentTarget }) => {
          onPick(Array.from(currentTarget.files ?? []));
          // The same image may be picked again.
          currentTarget.value = '';
        }}
      />
      <IconButton label={t`Add a photo`} icon={<PictureIcon size={24} />} onClick={() => picker.current?.click()} />
    </>
  );
}

const instead: Instead = {
  'input/unsupported': t`Choose a JPEG, PNG or WebP picture.`,
  'input/too-large': t`Choose a picture of at most 5 MB.`,
  'access/forbidden': conversationWords.cannotWrite,
};

/** Sends photos, with a dialog when that fails. */
export function usePhotos(chats: ChatsModel, { uid, name }: UserCard) {
  const answerOf = useAnswerOf({ failed: conversationWords.photoFailed(name), instead });
  const isSending = (useReadable(chats.images).get(uid) ?? 0) > 0;
  // A refusal is shown also to a user who has left the chat by then.
  function send(files: Iterable<File>): void {
    for (const file of files) void answerOf(chats.sendImage(uid, file));
  }

  /** The browser takes text. With rich text, an office program gives a picture of it too. */
  function take(event: SyntheticEvent, { files, types }: DataTransfer): void {
    if (files.length === 0 || types.includes('text/rtf')) return;
    event.preventDefault();
    send(files);
  }

  return {
    isSending,
    send,
    onPaste: (event: ClipboardEvent): void => take(event, event.clipboardData),
    onDragOver(event: DragEvent): void {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent): void => take(event, event.dataTransfer),
  };
}

// The microphone beside the message field: a finger holds it, a mouse or a key presses it.

/** `press` is null when a mouse or a key began the recording. */
interface Recording {
  readonly press: Press | null;
}

const hintMs = 4000;

/** The recording that is made; null while none is. */
function useVoice() {
  const [recording, setRecording] = useState<Recording | null>(null);
  const [hint, setHint] = useState<string | null>(null);
  useEffect(() => {
    if (hint === null) return undefined;
    const timer = setTimeout(() => setHint(null), hintMs);
    return () => clearTimeout(timer);
  }, [hint]);
  return {
    recording,
    hint,
    begin(press: Press | null) {
      setHint(null);
      setRecording({ press });
    },
    end(why: string | null = null) {
      setRecording(null);
      setHint(why);
    },
  };
}

interface VoiceButtonProps {
  isRecording: boolean;
  onBegin: (press: Press | null) => void;
}

/** Absent where the server can't decode recordings. */
function VoiceButton({ isRecording, onBegin }: VoiceButtonProps) {
  const isOffered = useReadable(useApp().session.config)?.voiceMessages === true;
  const button = useRef<HTMLButtonElement>(null);
  const wasRecording = useRef(false);
  const wasHeld = useRef(false);
  useEffect(() => {
    if (wasRecording.current && !isRecording) button.current?.focus();
    wasRecording.current = isRecording;
  }, [isRecording]);

  function onPointerDown(event: PointerEvent): void {
    wasHeld.current = isFingerOnPhone(event);
    if (wasHeld.current) onBegin(holdPress(event.nativeEvent));
  }

  if (!isOffered) return null;
  return (
    <IconButton
      ref={button}
      label={t`Record a voice message`}
      icon={<MicrophoneIcon size={24} />}
      style={{ touchAction: 'none' }}
      onPointerDown={onPointerDown}
      onContextMenu={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        // A click of the finger that held it; a key's has no detail.
        if (detail === 0 || !wasHeld.current) onBegin(null);
      }}
    />
  );
}

/** The presses of a screen reader have no size: they can't be held. */
function isFingerOnPhone({ pointerType, isPrimary, width, height }: PointerEvent): boolean {
  const isFinger = pointerType !== 'mouse' && isPrimary && width + height > 0;
  return isFinger && matchMedia('(max-width: 768px)').matches;
}

/** Further than a finger trembles. */
const movedPx = 24;

/** Follows the finger from before the recorder is loaded. */
function holdPress({ pointerId, clientX, clientY }: globalThis.PointerEvent): Press {
  const { promise, resolve } = Promise.withResolvers<PressEnd>();
  const listening = new AbortController();
  const { signal } = listening;
  const over = (event: globalThis.PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    listening.abort();
    const { clientX: x, clientY: y } = event;
    const isMoved = Math.hypot(x - clientX, y - clientY) > movedPx;
    resolve(event.type === 'pointercancel' ? 'lost' : { x, y, isMoved });
  };
  window.addEventListener('pointerup', over, { signal });
  window.addEventListener('pointercancel', over, { signal });
  return { end: promise };
}
