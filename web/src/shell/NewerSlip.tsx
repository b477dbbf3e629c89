/** Offers a newer version that this device has stored. Never takes the focus, and covers no room: the old one works on. */
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { ownSheet } from '../ui/own-sheet.ts';
import { t } from '../language/t.ts';
import sheet from './NewerSlip.css?inline';

const styles = ownSheet('newer', sheet);

interface NewerSlipProps {
  onTake: () => void;
  onLater: () => void;
}

export function NewerSlip({ onTake, onLater }: NewerSlipProps) {
  return (
    <div className={styles.slip} data-band="persimmon">
      <output className={styles.words}>
        <strong className="name">{t`There is a newer Tunemate`}</strong>
        <span>{t`The page loads again. It takes a second.`}</span>
      </output>
      <Button variant="primary" onClick={onTake}>
        {t`Use it now`}
      </Button>
      <IconButton label={t`Later`} icon={<CloseIcon />} onClick={onLater} />
    </div>
  );
}
