/** The message field of a private chat, and photos that are picked, pasted or dropped. */
import type { Uid } from '@tunemate/protocol';
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import { type Instead, sentenceOf } from '../words/errors.ts';
import { MessageComposer } from '../messages/MessageComposer.tsx';
import { useReadable } from '../store/use-readable.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { PictureIcon } from '../ui/icons/icons.tsx';
import styles from './ChatScreen.module.css';
import type { ChatsModel } from './chats-model.ts';
import type { ConversationModel } from './conversation-model.ts';
import { conversationWords } from './conversation-words.ts';
import { pickedTypes } from './images.ts';

interface WritingProps {
  chats: ChatsModel;
  model: ConversationModel;
  uid: Uid;
  photos: ReturnType<typeof usePhotos>;
}

export function Writing({ chats, model, uid, photos }: WritingProps) {
  const picker = useRef<HTMLInputElement>(null);
  const draft = useReadable(chats.drafts.texts).get(uid) ?? '';
  return (
    <div className={styles.writing}>
      {photos.isSending && <output className={styles.notice}>{conversationWords.sendingPhoto}</output>}
      <input
        ref={picker}
        type="file"
        hidden
        accept={pickedTypes}
        onChange={({ currentTarget }) => {
          photos.send(Array.from(currentTarget.files ?? []));
          // The same image may be picked again.
          currentTarget.value = '';
        }}
      />
      <MessageComposer
        draft={draft}
        onDraft={(text) => {
          chats.drafts.keep(uid, text);
          if (text.trim() !== '') model.sendTyping();
        }}
        tooLong={conversationWords.tooLong}
        onSend={(text) => chats.outbox.send({ uid }, text)}
        onPaste={photos.onPaste}
        lead={
          <IconButton
            label={conversationWords.addPhoto}
            icon={<PictureIcon size={24} />}
            onClick={() => picker.current?.click()}
          />
        }
      />
    </div>
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
