/** What stands in the place of what loads. It says that it loads for a while only: then why it is not there, and what to do. */
import { createContext, type ReactElement, use, useEffect, useState } from 'react';
import { t } from '../../language/t.ts';
import { Button } from '../buttons/Button.tsx';

/** How the page stands around what loads. */
export interface Around {
  /** The page has been without its server for so long that what is not there does not come soon. */
  readonly isCutOff: boolean;
  /** Loads the page anew, with what was typed. */
  readonly reload: () => void;
}

export const AroundContext = createContext<Around>({ isCutOff: false, reload: () => location.reload() });

/** A dialog waits for the user, and what loads behind it for the dialog. */
export const IsAskedContext = createContext(false);

/** A request without an answer has failed by then, and the next one too. */
const tooLongMs = 20_000;

/** Null while what loads may come at any moment. */
export function useWhyNot(): ReactElement | null {
  const { isCutOff, reload } = use(AroundContext);
  const isAsked = use(IsAskedContext);
  const isLate = useLasting(!isCutOff && !isAsked, tooLongMs);
  if (!isCutOff && !isLate) return null;
  return (
    <>
      <strong className="name">
        {isCutOff
          ? t`This is not on this device. It is shown once there is a connection.`
          : t`A part of this page is missing. Reload it.`}
      </strong>
      {isLate && <Button small onClick={reload}>{t`Reload`}</Button>}
    </>
  );
}

/** For a line of text; nothing for a while where `loading` is left out. */
export const WaitingLine = ({ loading }: { loading?: string }) => useWhyNot() ?? (loading && <span>{loading}</span>);

/** True once `is` has been true for `afterMs`. */
export function useLasting(is: boolean, afterMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!is) return undefined;
    const timer = setTimeout(() => setHasLasted(true), afterMs);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [is, afterMs]);
  return is && hasLasted;
}
