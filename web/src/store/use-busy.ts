/** One action at a time: a second press while the first is running does nothing. */
import { useRef, useState } from 'react';

export function useBusy() {
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  function run(action: () => Promise<unknown>): void {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    void action().finally(() => {
      isRunning.current = false;
      setIsBusy(false);
    });
  }
  return { isBusy, run };
}
