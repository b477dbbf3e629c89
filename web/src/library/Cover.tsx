/** The cover of a track or group of the library; without one, a sleeve with tiles that are always the same for it. */
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { tileCode } from '../ui/records/tile-code.ts';

interface CoverProps {
  id: string;
  pictureUrl: string | null;
  size: string;
}

export function Cover({ id, pictureUrl, size }: CoverProps) {
  return <Sleeve code={tileCode(id)} pictureUrl={pictureUrl ?? undefined} size={size} />;
}
