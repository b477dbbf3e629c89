/** Texts of what adds to the queue; fetched with the lists that it is pressed in. */
import { t } from '../language/t.ts';

export const addLabel = (title: string): string => t`Add ${title} to the queue`;

/** The note after 'Add all'. */
export function addedToQueue(tracks: number, leftOut: number): string {
  const added = tracks === 1 ? t`1 track added to the queue` : t`${tracks} tracks added to the queue`;
  return leftOut === 0 ? added : t`${added}, ${leftOut} left out`;
}
