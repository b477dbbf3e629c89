/** The message field of a private chat, what it answers or edits, and photos that are picked, pasted or dropped. */
import { cleanMessage, isBlank, type PairId, type Uid, type UserCard } from '@tunemate/protocol';
import { type ClipboardEvent, type DragEvent, Suspense, useEffect, useRef, useState } from 'react';
import { type Instead, sentenceOf } from '../words/errors.ts';
import { fieldIn, useFieldKeys } from '../messages/field-keys.ts';
import { MessageComposer } from '../messages/MessageComposer.tsx';
import { ModeStrip } from '../messages/ModeStrip.tsx';
import { isTooLong } from '../messages/outbox.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { PictureIcon } from '../ui/icons/page-icons.tsx';
import styles from './ChatScreen.module.css';
import type { ChatsModel } from './chats-model.ts';
import type { ConversationModel } from './conversation-model.ts';
import { conversationWords, quoteText } from './conversation-words.ts';
import { pickedTypes } from './images.ts';
import type { WritingMode } from './acts/use-message-acts.ts';
import { useVoice, VoiceButton } from './voice/VoiceButton.tsx';

interface WritingProps {
  chats: ChatsModel;
  model: ConversationModel;
  other: UserCard;
  photos: ReturnType<typeof usePhotos>;
  pairId: PairId;
  mode: WritingMode | null;
  onMode: (mode: WritingMode | null) => void;
  /** Edits the last message of the user, if it can be edited. */
  onEditLast: () => void;
}

const RecorderStrip = lazyPart(async () => (await import('./voice/RecorderStrip.tsx')).RecorderStrip);

export function Writing({ chats, model, other, photos, pairId, mode, onMode, onEditLast }: WritingProps) {
  const { uid } = other;
  const box = useRef<HTMLDivElement>(null);
  const kept = useReadable(chats.drafts.texts).get(uid) ?? '';
  const draft = mode?.type === 'edit' ? mode.draft : kept;
  const voice = useVoice();
  const isRecording = voice.recording !== null;
  const named = mode && (mode.type === 'edit' ? mode.number : mode.quote.number);
  const isEmpty = draft === '' && mode === null;
  useFieldKeys(box, { onEscape: mode && (() => onMode(null)), onUp: isEmpty ? onEditLast : null });
  useEffect(() => {
    if (named !== null) fieldIn(box)?.focus();
  }, [named]);

  async function sendVoice(sound: Blob) {
    const answer = await chats.sendVoice({ uid, reply: mode?.type === 'reply' ? mode.quote : null }, sound);
    if (answer.ok) onMode(null);
    return answer;
  }

  function send(text: string): boolean {
    if (mode?.type !== 'edit') {
      const isSent = chats.outbox.send({ uid, reply: mode?.quote ?? null }, text);
      if (isSent) onMode(null);
      return isSent;
    }
    const next = cleanMessage(text);
    if (isBlank(next) || isTooLong(next)) return false;
    const { number, edits } = mode;
    if (next !== mode.text) chats.acts.add({ pairId, number }, { type: 'edit', text: next, edits: edits + 1 });
    onMode(null);
    // The field goes back to its draft by itself.
    return false;
  }

  return (
    <div ref={box} className={styles.writing}>
      {mode !== null && (
        <ModeStrip
          answers={mode.type === 'edit' ? null : mode.quote.sender === chats.self ? conversationWords.you : other.name}
          text={mode.type === 'edit' ? mode.text : quoteText(mode.quote)}
          onCancel={() => {
            onMode(null);
            fieldIn(box)?.focus();
          }}
        />
      )}
      {photos.isSending && <output className={styles.notice}>{conversationWords.sendingPhoto}</output>}
      {voice.hint !== null && <output className={styles.notice}>{voice.hint}</output>}
      {voice.recording !== null && (
        <Suspense>
          <RecorderStrip {...voice.recording} onSend={sendVoice} onEnd={voice.end} onMissing={voice.end} />
        </Suspense>
      )}
      {/* It stays: a finger may hold its microphone. */}
      <div hidden={isRecording}>
        <MessageComposer
          draft={draft}
          onDraft={(text) => {
            if (mode?.type === 'edit') onMode({ ...mode, draft: text });
            else chats.drafts.keep(uid, text);
            if (text.trim() !== '') model.sendTyping();
          }}
          tooLong={conversationWords.tooLong}
          onSend={send}
          onPaste={photos.onPaste}
          lead={
            <>
              <PhotoPicker onPick={photos.send} />
              {mode?.type !== 'edit' && <VoiceButton isRecording={isRecording} onBegin={voice.begin} />}
            </>
          }
        />
      </div>
    </div>
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
      <IconButton
        label={conversationWords.addPhoto}
        icon={<PictureIcon size={24} />}
        onClick={() => picker.current?.click()}
      />
    </>
  );
}

const instead: Instead = {
  'input/unsupported': conversationWords.photoKind,
  'input/too-large': conversationWords.photoSize,
  'access/forbidden': conversationWords.cannotWrite,
};

/** Sends photos one after another, with a dialog when that fails. */
export function usePhotos(chats: ChatsModel, uid: Uid) {
  const modals = useModals();
  const [underWay, setUnderWay] = useState(0);
  const queue = useRef(Promise.resolve());

  async function sendOne(file: File): Promise<void> {
    const answer = await chats.sendImage(uid, file);
    setUnderWay((count) => count - 1);
    if (!answer.ok) await modals.ok(conversationWords.photoFailed, { text: sentenceOf(answer.error, instead) });
  }

  function send(files: Iterable<File>): void {
    for (const file of files) {
      setUnderWay((count) => count + 1);
      queue.current = queue.current.then(() => sendOne(file));
    }
  }

  return {
    isSending: underWay > 0,
    send,
    onPaste(event: ClipboardEvent): void {
      const { files } = event.clipboardData;
      if (files.length === 0) return;
      event.preventDefault();
      send(files);
    },
    onDragOver(event: DragEvent): void {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop(event: DragEvent): void {
      event.preventDefault();
      send(event.dataTransfer.files);
    },
  };
}
