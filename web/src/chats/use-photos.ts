/** Photos that are picked, pasted or dropped: sent one after another, with a message when that fails. */
import type { Uid } from '@tunemate/protocol';
import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import type { ChatsModel } from './chats-model.ts';
import { conversationCopy } from './conversation-copy.ts';
import { sentenceOf, type Instead } from '../copy/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';

const instead: Instead = {
  'input/unsupported': conversationCopy.photoKind,
  'input/too-large': conversationCopy.photoSize,
  'access/forbidden': conversationCopy.cannotWrite,
};

export interface Photos {
  readonly isSending: boolean;
  readonly send: (files: Iterable<File>) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
}

export function usePhotos(chats: ChatsModel, uid: Uid): Photos {
  const modals = useModals();
  const [underWay, setUnderWay] = useState(0);
  const queue = useRef(Promise.resolve());

  async function sendOne(file: File): Promise<void> {
    const answer = await chats.sendImage(uid, file);
    setUnderWay((count) => count - 1);
    if (!answer.ok) await modals.ok(conversationCopy.photoFailed, { text: sentenceOf(answer.error, instead) });
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
    onPaste(event) {
      const { files } = event.clipboardData;
      if (files.length === 0) return;
      event.preventDefault();
      send(files);
    },
    onDragOver(event) {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop(event) {
      event.preventDefault();
      send(event.dataTransfer.files);
    },
  };
}
