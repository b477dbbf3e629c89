/** Everything that is kept about oneself, as a file. */
import type { CareModel } from './care-model.ts';
import { saveFile } from './save-file.ts';
import { careWords, exportInstead } from './care-words.ts';
import { useBusy } from '../store/use-busy.ts';
import { Button } from '../ui/keys/Button.tsx';
import { ButtonGroup } from '../ui/keys/ButtonGroup.tsx';
import { Section } from '../ui/lists/Section.tsx';
import styles from './Account.module.css';
import { useSayRefusal } from './use-say-refusal.ts';

export function OwnData({ care }: { care: CareModel }) {
  const { isBusy, run } = useBusy();
  const sayRefusal = useSayRefusal();
  async function save(): Promise<void> {
    const answer = await care.exportAll();
    if (answer.ok) saveFile(careWords.exportFile, answer.value);
    else await sayRefusal(answer.error, exportInstead(answer.error));
  }
  return (
    <Section title={careWords.dataTitle} flush>
      <p className={styles.hint}>{careWords.dataHint}</p>
      <ButtonGroup inline>
        <Button busy={isBusy} onClick={() => run(save)}>
          {careWords.export}
        </Button>
      </ButtonGroup>
    </Section>
  );
}
