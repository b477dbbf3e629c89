/** The six stamps, drawn in inks with an ink outline, so that they look the same everywhere. Decorative. */
import type { ReactNode } from 'react';

type StampDrawingName = 'love' | 'ha' | 'fire' | 'tune' | 'wow' | 'tears';

const drawings: Record<StampDrawingName, ReactNode> = {
  love: (
    <path
      d="M14 24S4 18 4 11a5.3 5.3 0 0 1 10-2.4A5.3 5.3 0 0 1 24 11c0 7-10 13-10 13z"
      fill="var(--blush)"
      stroke="var(--ink)"
      strokeWidth="1.6"
    />
  ),
  ha: (
    <>
      <path d="M2.5 6h23v14h-13l-5 5v-5h-5z" fill="var(--lilac)" stroke="var(--ink)" strokeWidth="1.6" />
      <path
        d="M6.5 9v8M11 9v8M6.5 13h4.5M14 17l3.2-8 3.2 8M15.3 14.2h3.8"
        fill="none"
        stroke="var(--ink)"
        strokeWidth="1.8"
      />
    </>
  ),
  fire: (
    <path
      d="M14 2.5c1 4 6.5 6.5 7.5 12.5a7.6 7.6 0 0 1-15 1.5c-.3-3 1-5 2.5-6.5.3 2 1 3 2 3.5C10.5 9 12 6 14 2.5z"
      fill="var(--persimmon)"
      stroke="var(--ink)"
      strokeWidth="1.6"
    />
  ),
  tune: (
    <>
      <path d="M10 21V6l12-2.5V18.5M10 10l12-2.5" fill="none" stroke="var(--ink)" strokeWidth="5.6" />
      <circle cx="7.5" cy="21" r="4" fill="var(--marigold)" stroke="var(--ink)" strokeWidth="1.6" />
      <circle cx="19.5" cy="18.5" r="4" fill="var(--marigold)" stroke="var(--ink)" strokeWidth="1.6" />
      <path d="M10.6 20.5V6.5L22 4v14M10.6 9.5 22 7" fill="none" stroke="var(--marigold)" strokeWidth="2.8" />
    </>
  ),
  wow: (
    <path
      d="M14 2l2.6 6.6L23 5.6l-2.3 6.7 6.3 3-6.7 1.9 1.9 6.8-5.8-3.8L14 27l-2.4-6.8L5.8 24l1.9-6.8L1 15.3l6.3-3L5 5.6l6.4 3z"
      fill="var(--citron)"
      stroke="var(--ink)"
      strokeWidth="1.5"
    />
  ),
  tears: (
    <path
      d="M14 3c4.5 6 7.5 9.5 7.5 14a7.5 7.5 0 0 1-15 0C6.5 12.5 9.5 9 14 3z"
      fill="var(--sky)"
      stroke="var(--ink)"
      strokeWidth="1.6"
    />
  ),
};

/** The control that holds one carries the words. */
export function StampDrawing({ name, size = 28 }: { name: StampDrawingName; size?: number | undefined }) {
  return (
    <svg viewBox="0 0 28 28" width={size} height={size} aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}
