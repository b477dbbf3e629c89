/** How many messages of a room's chat came, and how many of them named this person, since they last looked at it. */
import { useState } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import type { ChatModel } from './chat-model.ts';
import { isNamed } from './mentions.ts';

export interface Unseen {
  readonly messages: number;
  readonly named: number;
}

export function useUnseen(
  { log }: ChatModel,
  people: readonly { readonly uid: string; readonly name: string }[],
  selfUid: string,
  looksAtIt: boolean,
): Unseen {
  const { messages } = useReadable(log);
  const last = messages.at(-1)?.number ?? 0;
  const [seen, setSeen] = useState(last);
  if (looksAtIt && seen !== last) setSeen(last);
  const fresh = messages.filter(({ number, sender }) => number > seen && sender !== selfUid);
  return { messages: fresh.length, named: fresh.filter(({ text }) => isNamed(text, people, selfUid)).length };
}
