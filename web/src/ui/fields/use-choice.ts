/** A choice that the server stores: shown at once, and the last one stands. */
import { useRef, useState } from 'react';

/** A change that other devices get too may come a moment after the answer. */
const changeMs = 300;

/**
 * What is chosen, and the function that chooses. Choices are sent one after another; what is stored is shown again once
 * the last one is answered: `send` resolves then.
 */
export function useChoice<Value>(
  stored: Value,
  send: (chosen: Value) => Promise<unknown>,
): [chosen: Value, choose: (chosen: Value) => void] {
  const [choice, setChoice] = useState<{ value: Value } | null>(null);
  const sent = useRef(Promise.resolve<unknown>(null));

  function choose(value: Value): void {
    const mine = { value };
    const end = (): void => setChoice((now) => (now === mine ? null : now));
    setChoice(mine);
    sent.current = sent.current.then(() => send(value)).finally(() => void setTimeout(end, changeMs));
  }
  return [choice === null ? stored : choice.value, choose];
}
