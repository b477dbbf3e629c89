/** One image as large as the window allows, over the page. */
import { useRef } from 'react';
import { useModalElement } from '../ui/dialogs/use-modal-element.ts';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import styles from './Conversation.module.css';
import { conversationCopy } from './conversation-copy.ts';
import { imageAddress } from './image-address.ts';
import type { ChatImage } from '../messages/outbox-storage.ts';

export function ImageView({ image, onClose }: { image: ChatImage; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModalElement(dialog, onClose, { scrimCloses: true });
  return (
    <dialog ref={dialog} className={styles.view} aria-label={conversationCopy.photo}>
      <img
        src={imageAddress(image.imageId, 'full')}
        alt={conversationCopy.photo}
        width={image.width}
        height={image.height}
      />
      <IconButton
        className={styles.close}
        label={conversationCopy.close}
        icon={<CloseIcon size={22} />}
        data-first-focus
        onClick={onClose}
      />
    </dialog>
  );
}
