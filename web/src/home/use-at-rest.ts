/** What would move a page waits for the end of a press: a click lands on what was pressed. */
import { useEffect, useState } from 'react';

/** The click of a finger comes a moment after it is lifted. */
const clickMs = 300;

/** The value, or the one before it while a pointer is down. */
export function useAtRest<Value>(value: Value): Value {
  const [isPressed, setIsPressed] = useState(false);
  const [shown, setShown] = useState({ value });
  if (!isPressed && shown.value !== value) setShown({ value });
  useEffect(() => {
    const gone = new AbortController();
    const early = { capture: true, signal: gone.signal };
    let ending: ReturnType<typeof setTimeout> | undefined;
    const begin = (): void => {
      clearTimeout(ending);
      setIsPressed(true);
    };
    const end = (): void => {
      clearTimeout(ending);
      ending = setTimeout(setIsPressed, clickMs, false);
    };
    addEventListener('pointerdown', begin, early);
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, early);
    return () => {
      gone.abort();
      clearTimeout(ending);
    };
  }, []);
  return isPressed ? shown.value : value;
}
