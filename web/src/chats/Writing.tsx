/** The message field, or the reason why no message can be sent. */
import type { Uid } from '@tunemate/protocol';
import { useRef } from 'react';
import type { ChatsModel } from './chats-model.ts';
import type { ConversationModel } from './conversation-model.ts';
import { conversationCopy } from './conversation-copy.ts';
import { imageTypes } from './image-upload.ts';
import { MessageComposer } from '../messages/MessageComposer.tsx';
import { useReadable } from '../store/use-readable.ts';
import { PictureIcon } from '../ui/icons/icons.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import styles from './ChatScreen.module.css';
import type { Photos } from './use-photos.ts';

export interface WritingProps {
  chats: ChatsModel;
  model: ConversationModel;
  uid: Uid;
  photos: Photos;
}

export function Writing({ chats, model, uid, photos }: WritingProps) {
  const picker = useRef<HTMLInputElement>(null);
  const draft = useReadable(chats.drafts.texts).get(uid) ?? '';
  return (
    <div className={styles.writing}>
      {photos.isSending && <output className={styles.notice}>{conversationCopy.sendingPhoto}</output>}
      <input
        ref={picker}
        type="file"
        hidden
        accept={imageTypes.join()}
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
          if (text.trim() !== '') model.tellTyping();
        }}
        tooLong={conversationCopy.tooLong}
        onSend={(text) => chats.outbox.send({ uid }, text)}
        onPaste={photos.onPaste}
        lead={
          <IconButton
            label={conversationCopy.addPhoto}
            icon={<PictureIcon size={24} />}
            onClick={() => picker.current?.click()}
          />
        }
      />
    </div>
  );
}
