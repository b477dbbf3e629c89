/** The `lead` of a layout that leads back: phones alone show it, in the place of the logo. */
import { BackIcon } from '../icons/icons.tsx';
import { Link } from '../Link.tsx';
import { t } from '../../language/t.ts';

const style = { display: 'grid', placeItems: 'center', width: 'var(--touch)', height: 'var(--touch)' } as const;

export const BackOnBand = ({ href }: { href: string }) => (
  <Link href={href} style={style} aria-label={t`Back`}>
    <BackIcon size={24} />
  </Link>
);
