/** The cover of a track or group of the library; without one, a sleeve with tiles that are always the same for it. */
import { Sleeve } from '../ui/records/Sleeve.tsx';

interface CoverProps {
  /** Ends in hexadecimal digits, as every id of the library does. */
  id: string;
  pictureUrl: string | null;
  size: string;
}

export function Cover({ id, pictureUrl, size }: CoverProps) {
  return <Sleeve code={id.slice(-6).toUpperCase()} pictureUrl={pictureUrl ?? undefined} size={size} />;
}
