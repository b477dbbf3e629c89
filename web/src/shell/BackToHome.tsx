/** The link from a page of lists to the home screen. */
import { shellWords } from '../words/shell.ts';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import { HomeIcon } from '../ui/icons/page-icons.tsx';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';

export function BackToHome({ variant }: { variant: 'ghost' | 'primary' }) {
  const isWide = useWideScreen();
  return (
    <ButtonLink href="/" variant={variant} icon={variant === 'ghost' && isWide && <HomeIcon size={18} />}>
      {shellWords.backToHome}
    </ButtonLink>
  );
}
