/** Offers to keep the app on the device: with the browser's own question, or the three steps of an iPhone. */
import { useState } from 'react';
import { useApp } from '../app-context.ts';
import { deviceStorage } from '../store/lenient-storage.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { Sheet } from '../ui/dialogs/Sheet.tsx';
import { ShareIcon } from '../ui/icons/door-icons.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { ownSheet } from '../ui/own-sheet.ts';
import { t } from '../language/t.ts';
import sheet from './InstallHint.css?inline';

const styles = ownSheet('install', sheet);

export function InstallHint() {
  const { installing } = useApp();
  const way = useReadable(installing);
  const [isShowingSteps, setIsShowingSteps] = useState(false);
  if (way === null) return null;
  const leave = (): void => {
    deviceStorage.setItem('tunemate/install-hint-left', String(Date.now()));
    installing.set(null);
  };
  const add = async (): Promise<void> => {
    if (way === 'steps') return setIsShowingSteps(true);
    await way();
    leave();
  };
  return (
    <section className={styles.hint} aria-labelledby="install-hint">
      <img src="/icon-192.png" alt="" width={64} height={64} />
      <div>
        <h2 id="install-hint">{t`Keep Tunemate on this device`}</h2>
        <p>{words.lead}</p>
      </div>
      <div className={styles.keys}>
        <Button variant="primary" onClick={() => void add()}>
          {t`Add it`}
        </Button>
        <Button variant="ghost" onClick={leave}>
          {t`Not now`}
        </Button>
      </div>
      {isShowingSteps && (
        <Sheet title={t`Add Tunemate to this device`} onClose={() => setIsShowingSteps(false)}>
          <ol className={styles.steps}>
            <Step title={t`Press Share`} lead={words.shareLead} mark={<ShareIcon size={22} />} />
            <Step
              title={t`Choose Add to Home Screen`}
              lead={t`You may have to scroll the list down`}
              mark={<PlusIcon size={22} />}
            />
            <Step
              title={t`Press Add`}
              lead={t`Then open Tunemate from its picture`}
              mark={<img src="/icon-192.png" alt="" width={52} height={52} />}
            />
          </ol>
          <Button variant="primary" block onClick={leave}>
            {t`Done`}
          </Button>
        </Sheet>
      )}
    </section>
  );
}

function Step({ title, lead, mark }: { title: string; lead: string; mark: Elements }) {
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <span>{lead}</span>
      </div>
      <span className={styles.mark} aria-hidden="true">
        {mark}
      </span>
    </li>
  );
}

const words = {
  lead: t`It opens from its own picture, without the browser around it.`,
  shareLead: t`The square with an arrow, at the edge of Safari. Notifications need the app on the home screen.`,
} as const;
