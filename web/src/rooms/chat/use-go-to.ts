/** Goes to a message of a room's chat: loads earlier pages until it is there, scrolls, focuses and outlines it. */
import { type RefObject, useEffect, useState } from 'react';
import type { ChatModel } from './chat-model.ts';

const litMs = 1000;

export function useGoTo(model: ChatModel, box: RefObject<HTMLElement | null>) {
  // A new object: going to the same message again outlines it again.
  const [goal, setGoal] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (goal === null) return undefined;
    const message = box.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(goal.id)}"]`);
    message?.focus({ preventScroll: true });
    message?.scrollIntoView({ block: 'center' });
    const end = setTimeout(() => setGoal(null), litMs);
    return () => clearTimeout(end);
  }, [goal, box]);

  async function goTo(id: string): Promise<void> {
    const isHere = () => model.log.get().messages.some((message) => message.id === id);
    while (!isHere() && model.log.get().hasEarlierMessages) {
      const before = model.log.get().messages.length;
      await model.loadEarlier(id);
      // Another page was under way, or the server could not be asked.
      if (model.log.get().messages.length === before) break;
    }
    if (isHere()) setGoal({ id });
  }
  return { lit: goal && goal.id, goTo: (id: string) => void goTo(id) };
}
