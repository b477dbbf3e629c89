/** The message field of a private chat, what it answers or edits, and photos that are picked, pasted or dropped. */
import type { PairId, Uid, UserCard } from '@tunemate/protocol';
import { type ClipboardEvent, type DragEvent, Suspense, useRef, useState } from 'react';
import { type Instead, sentenceOf } from '../words/errors.ts';
import { WritingField } from '../messages/WritingField.tsx';
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
import type { ChatWritingMode } from './acts/use-message-acts.ts';
import { EmojiButton } from './emoji/EmojiButton.tsx';
import { useVoice, VoiceButton } from './voice/VoiceButton.tsx';

interface WritingProps {
  chats: ChatsModel;
  model: ConversationModel;
  other: UserCard;
  photos: ReturnType<typeof usePhotos>;
  pairId: PairId;
  mode: ChatWritingMode | null;
  onMode: (mode: ChatWritingMode | null) => void;
  /** Edits the last message of the user, if it can be edited. */
  onEditLast: () => void;
}

const RecorderStrip = lazyPart(async () => (await import('./voice/RecorderStrip.tsx')).RecorderStrip);

export function Writing({ chats, model, other, photos, pairId, mode, onMode, onEditLast }: WritingProps) {
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
      className={styles.writing}
      {...{ mode, onMode, onEditLast }}
      draft={kept}
      onDraft={(text) => chats.drafts.keep(uid, text)}
      quoted={(quote) => ({
        name: quote.sender === chats.self ? conversationWords.you : other.name,
        text: quoteText(quote),
      })}
      tooLong={conversationWords.tooLong}
      onSend={(text, reply) => chats.outbox.send({ uid, reply }, text)}
      onEdit={({ id: number, text, edits }) => chats.acts.add({ pairId, number }, { type: 'edit', text, edits })}
      onTyping={() => model.sendTyping()}
      onPaste={photos.onPaste}
      isHidden={isRecording}
      lead={
        <>
          <PhotoPicker onPick={photos.send} />
          <EmojiButton />
          {mode?.type !== 'edit' && <VoiceButton isRecording={isRecording} onBegin={voice.begin} />}
        </>
      }
    >
      {photos.isSending && <output className={styles.notice}>{conversationWords.sendingPhoto}</output>}
      {voice.hint !== null && <output className={styles.notice}>{voice.hint}</output>}
      {voice.recording !== null && (
        <Suspense>
          <RecorderStrip {...voice.recording} onSend={sendVoice} onEnd={voice.end} onMissing={voice.end} />
        </Suspense>
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
